// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "models/base/parameter.h"

namespace heddle {

/// Memory of fixed latency and bandwidth, keys `dram.fixed.`.
struct memory_configuration {
    std::uint32_t latency = 100;
    std::uint32_t bytes_per_cycle = 32;
    std::uint32_t queue = 64;

    void declare(parameter_list& p) {
        p.add("latency", latency, range(1, 100'000), "cycle",
              "Latency of a port without other traffic, from the request to the first byte")
            .smaller_is_better();
        p.add("bytes_per_cycle", bytes_per_cycle, range(1, 4096), "byte", "Bandwidth of each port")
            .larger_is_better();
        p.add("queue", queue, range(1, 4096), "access", "Accesses that a port can have under way")
            .larger_is_better();
    }
};

}  // namespace heddle
