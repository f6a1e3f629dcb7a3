// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors

#include "tb/memory_traffic/harness.h"

int sc_main(int argc, char** argv) {
    heddle::traffic::harness_options options;
    options.with_crossbar = false;
    heddle::testbench_description description;
    description.name = "l2_tb";
    description.summary = "Random traffic through one L2 bank and memory against a flat reference";
    description.add_options = [&](heddle::command_line& line) { options.add_to(line); };
    return heddle::run_testbench(description, argc, argv, [&](heddle::testbench& bench) {
        heddle::traffic::run_memory_traffic(bench, options);
    });
}
