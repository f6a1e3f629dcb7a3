// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

namespace heddle {

/// The memory port of an SMX. load_store_configuration declares its parameters, keys `lsu.`.
struct memory_port_configuration {
    /// Requests that wait for the memory link: of the data side, and of instruction fetch.
    std::uint32_t request_queue = 8;
    /// Requests of the SMX that memory has not answered.
    std::uint32_t outstanding = 512;
    /// From a miss in a first-level cache to the memory link, and back from the link.
    std::uint32_t request_latency = 0;
    std::uint32_t return_latency = 1;
};

}  // namespace heddle
