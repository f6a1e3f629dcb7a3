// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors

#include "tb/crossbar_traffic/measurement.h"
#include "tb/memory_traffic/harness.h"

int sc_main(int argc, char** argv) {
    heddle::traffic::harness_options random;
    heddle::crossbar_traffic::traffic_options measured;
    random.with_l2 = false;
    heddle::testbench_description description;
    description.name = "crossbar_tb";
    description.summary =
        "Random accesses through the crossbar to banks that stall at random, against a scoreboard; "
        "with --traffic, throughput and latency against offered load";
    description.add_options = [&](heddle::command_line& line) {
        random.add_to(line);
        measured.add_to(line);
    };
    return heddle::run_testbench(description, argc, argv, [&](heddle::testbench& bench) {
        if (measured.measure) {
            heddle::crossbar_traffic::measure(bench, measured);
        } else {
            heddle::traffic::run_memory_traffic(bench, random);
        }
    });
}
