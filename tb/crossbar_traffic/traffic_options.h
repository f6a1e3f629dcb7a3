// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <vector>

#include "hw/crossbar/allocators.h"
#include "tb/kit/build_slots.h"
#include "tb/kit/command_line.h"

namespace heddle::crossbar_traffic {

enum class pattern : std::uint8_t {
    uniform,      ///< each message to a random output
    hotspot,      ///< a share of the messages to output 0, the others uniform
    permutation,  ///< input i to output (i + 1) mod outputs
    backlogged,   ///< every input always has messages for every output
};

/// What is measured.
struct traffic_options {
    pattern traffic = pattern::uniform;
    bool measure = false;  ///< --traffic was given
    std::uint32_t inputs = 16, outputs = 16;
    std::uint32_t flits = 1;  ///< of a request
    double hotspot = 1.0;     ///< share of the messages to output 0
    /// Flits per input and cycle; each is a crossbar of its own in one simulation.
    std::vector<double> loads = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0};
    double receiver_stalls = 0.0;  ///< chance a cycle that a receiver withholds its acceptance
    std::uint64_t warm_up = 2'000;
    std::uint64_t cycles = 20'000;  ///< measured
    double expect = 0;              ///< throughput that must come out, within 0.02; 0: none
    slot_implementation slot = slot_implementation::tlm;
    bool csv = false;
    bool speed = false;  ///< prints the host's speed
    crossbar_configuration crossbar = [] {
        crossbar_configuration c;
        c.allocator = allocators::key<input_first_allocator>;
        c.latency = 1;
        return c;
    }();

    void add_to(command_line& line);
};

}  // namespace heddle::crossbar_traffic
