// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "hw/smx/memory_port/memory_port_configuration.h"
#include "models/base/parameter.h"

namespace heddle {

/// The load-store unit of an SMX and its memory port, keys `lsu.`.
struct load_store_configuration : memory_port_configuration {
    /// Memory instructions that wait for their accesses.
    std::uint32_t queue_depth = 4;
    /// Loads that bypass L1 ask for whole sectors.
    std::uint32_t sector = 32;

    void declare(parameter_list& p);
};

}  // namespace heddle
