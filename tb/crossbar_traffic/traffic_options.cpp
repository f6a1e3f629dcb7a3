// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "tb/crossbar_traffic/traffic_options.h"

namespace heddle::crossbar_traffic {

void traffic_options::add_to(command_line& line) {
    line.name_of(
        "--traffic", {"uniform", "hotspot", "permutation", "backlogged"},
        [this](const std::string& name) {
            traffic = name == "uniform"       ? pattern::uniform
                      : name == "hotspot"     ? pattern::hotspot
                      : name == "permutation" ? pattern::permutation
                                              : pattern::backlogged;
            measure = true;
        },
        "Measures this traffic instead of checking random accesses");
    line.numbers("--load", loads, "Offered loads, flits per input and cycle", 0.001, 1.0);
    line.number("--inputs", inputs, "Inputs", 1, 128);
    line.number("--outputs", outputs, "Outputs", 1, 128);
    line.number("--flits", flits, "Flits of a request", 1, 4);
    line.number("--hotspot", hotspot, "Share of hotspot traffic that goes to output 0", 0.0, 1.0);
    line.choice<slot_implementation>("--slot", slot, slot_choices(),
                                     "What carries out the allocators: the model, the RTL, or both "
                                     "in lock step");
    line.name_of(
        "--allocator", allocators::names().names(),
        [this](const std::string& name) { crossbar.allocator = *allocators::names().find(name); },
        "Allocator (input_first)");
    line.number("--iterations", crossbar.iterations, "Passes of pim and islip", 1, 16);
    line.number("--speedup", crossbar.input_speedup, "Buffers of an input", 1, 8);
    line.name_of(
        "--output-check", output_check_names.names(),
        [this](const std::string& name) { crossbar.check = *output_check_names.find(name); },
        "Where a full output is noticed (before_allocation)");
    line.number("--input-buffer", crossbar.input_buffer, "Flits of an input buffer", 5, 4096);
    line.number("--output-buffer", crossbar.output_buffer, "Flits of an output buffer", 5, 4096);
    line.number("--latency", crossbar.latency, "Cycles from grant to output buffer", 1, 100);
    line.number("--receiver-stalls", receiver_stalls,
                "Chance that a receiver withholds its acceptance for a cycle", 0.0, 0.95);
    line.number("--warm-up", warm_up, "Cycles before the measurement");
    line.number("--cycles", cycles, "Measured cycles", 1, 100'000'000);
    line.number("--expect", expect, "Fails unless the last throughput is this, within 0.02", 0.0,
                1.0);
    line.flag("--csv", csv, "Comma-separated values");
    line.flag("--speed", speed, "Prints crossbar cycles per second of CPU time");
    // Random accesses draw their own crossbars.
    for (const char* name : {"--load", "--inputs", "--outputs", "--flits", "--hotspot", "--slot",
                             "--allocator", "--iterations", "--speedup", "--output-check",
                             "--input-buffer", "--output-buffer", "--latency", "--receiver-stalls",
                             "--warm-up", "--cycles", "--expect", "--csv", "--speed"}) {
        line.needs(name, "--traffic");
    }
}

}  // namespace heddle::crossbar_traffic
