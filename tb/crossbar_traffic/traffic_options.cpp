// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "tb/crossbar_traffic/traffic_options.h"

#include <CLI/CLI.hpp>
#include <map>
#include <string>

namespace heddle::crossbar_traffic {

void traffic_options::add_to(CLI::App& app) {
    const std::map<std::string, pattern> patterns{{"uniform", pattern::uniform},
                                                  {"hotspot", pattern::hotspot},
                                                  {"permutation", pattern::permutation},
                                                  {"backlogged", pattern::backlogged}};
    const auto count = [](std::uint64_t low, std::uint64_t high) { return CLI::Range(low, high); };
    app.add_option_function<std::string>(
           "--traffic",
           [this, patterns](const std::string& name) {
               traffic = patterns.at(name);
               measure = true;
           },
           "Measures this traffic instead of checking random accesses")
        ->check(CLI::IsMember(patterns))
        ->type_name("PATTERN");
    app.add_option("--load", loads, "Offered loads, flits per input and cycle")
        ->check(CLI::Range(0.001, 1.0))
        ->delimiter(',')
        ->capture_default_str();
    app.add_option_function<std::uint32_t>(
           "--ports", [this](const std::uint32_t& n) { inputs = outputs = n; },
           "Inputs and outputs (16)")
        ->check(count(1, 128));
    app.add_option("--inputs", inputs, "Inputs")->check(count(1, 128))->capture_default_str();
    app.add_option("--outputs", outputs, "Outputs")->check(count(1, 128))->capture_default_str();
    app.add_option("--flits", flits, "Flits of a request")->check(count(1, 4));
    app.add_option("--hotspot", hotspot, "Share of hotspot traffic that goes to output 0")
        ->check(CLI::Range(0.0, 1.0));
    app.add_option_function<std::string>(
           "--allocator",
           [this](const std::string& name) { crossbar.allocator = *allocator_names.find(name); },
           "Allocator (input_first)")
        ->check(CLI::IsMember(allocator_names.names()))
        ->type_name("NAME");
    app.add_option("--iterations", crossbar.iterations, "Passes of pim and islip")
        ->check(count(1, 16));
    app.add_option("--speedup", crossbar.input_speedup, "Buffers of an input")->check(count(1, 8));
    app.add_option_function<std::string>(
           "--output-check",
           [this](const std::string& name) { crossbar.check = *output_check_names.find(name); },
           "Where a full output is noticed (before_allocation)")
        ->check(CLI::IsMember(output_check_names.names()))
        ->type_name("NAME");
    app.add_option("--input-buffer", crossbar.input_buffer, "Flits of an input buffer")
        ->check(count(5, 4096))
        ->capture_default_str();
    app.add_option("--output-buffer", crossbar.output_buffer, "Flits of an output buffer")
        ->check(count(5, 4096))
        ->capture_default_str();
    app.add_option("--latency", crossbar.latency, "Cycles from grant to output buffer")
        ->check(count(1, 100))
        ->capture_default_str();
    app.add_option("--receiver-stalls", receiver_stalls,
                   "Chance that a receiver withholds its acceptance for a cycle")
        ->check(CLI::Range(0.0, 0.95));
    app.add_option("--warm-up", warm_up, "Cycles before the measurement")->capture_default_str();
    app.add_option("--cycles", cycles, "Measured cycles")
        ->check(count(1, 100'000'000))
        ->capture_default_str();
    app.add_option("--expect", expect, "Fails unless the last throughput is this, within 0.02");
    app.add_flag("--csv", csv, "Comma-separated values");
    app.add_flag("--speed", speed, "Prints crossbar cycles per second of CPU time");
}

}  // namespace heddle::crossbar_traffic
