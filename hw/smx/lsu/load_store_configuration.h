// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "models/base/parameter.h"

namespace heddle {

/// The load-store unit of an SMX, keys `lsu.`.
struct load_store_configuration {
    /// Memory instructions that wait for their accesses.
    std::uint32_t queue_depth = 4;
    /// Requests that wait for the memory link: of the data side, and of instruction fetch.
    std::uint32_t request_queue = 8;
    /// Requests of the SMX that memory has not answered.
    std::uint32_t outstanding = 512;
    /// From a miss in a first-level cache to the memory link, and back from the link.
    std::uint32_t request_latency = 0;
    std::uint32_t return_latency = 1;
    /// Loads that bypass L1 ask for whole sectors.
    std::uint32_t sector = 32;

    void declare(parameter_list& p);
};

}  // namespace heddle
