// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "models/base/parameter.h"

namespace heddle {

/// The network between SMXs and L2 banks, keys `network.`.
struct network_configuration {
    std::uint32_t latency = 24;
    std::uint32_t bytes_per_cycle = 32;
    std::uint32_t header_bytes = 8;
    std::uint32_t queue = 8;

    void declare(parameter_list& p) {
        p.add("latency", latency, range(1, 10'000), "cycle",
              "From a port's input queue to the output queue of another port, unloaded");
        p.add("bytes_per_cycle", bytes_per_cycle, range(1, 1024), "byte",
              "Width of each port, per direction");
        p.add("header_bytes", header_bytes, range(0, 128), "byte",
              "Address, command and identity of a packet; added to its data");
        p.add("queue", queue, range(1, 1024), "packet",
              "Entries of each port's input queue and of each port's output queue");
    }
};

}  // namespace heddle
