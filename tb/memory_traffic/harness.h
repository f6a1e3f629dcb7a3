// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "hw/crossbar/crossbar_configuration.h"
#include "hw/dram/memory_configuration.h"
#include "hw/l2/l2_configuration.h"
#include "tb/kit/testbench.h"

namespace heddle::traffic {

enum class memory_kind_option { fixed_latency, gddr, foreign, foreign_lt, no_byte_enables };

/// What stands between the clients and memory, and how much goes through it.
struct harness_options {
    unsigned clients = 4;
    unsigned lines = 64;
    std::uint64_t accesses = 3000;  ///< of each client
    unsigned outstanding = 16;
    memory_kind_option memory = memory_kind_option::fixed_latency;
    bool no_cache = false;  ///< l2.size = 0
    bool permute = false;   ///< builds the modules in the opposite order
    bool no_debug = false;  ///< no debug accesses during the run
    bool fixed = false;     ///< gk110's parameters instead of random small ones
    bool no_checkers = false;
    bool statistics = false;    ///< prints them
    bool with_l2 = true;        ///< else flat_bank stands for L2 and memory
    bool with_crossbar = true;  ///< else all clients share the link to one bank

    void add_to(command_line& line);
};

/// Clients - crossbar - L2 banks - memory, or clients - one bank - memory, with protocol checkers
/// on all links; random traffic against a scoreboard. Parameters are drawn from the seed.
void run_memory_traffic(testbench& bench, const harness_options& options);

}  // namespace heddle::traffic
