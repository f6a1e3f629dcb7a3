// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Testbench: runs of the whole machine, each with one fault on one link. Each must end with the
// right result, or with a checker's or the watchdog's word that names the link.
#include <CLI/CLI.hpp>
#include <array>
#include <exception>
#include <iostream>
#include <string>
#include <systemc>
#include <vector>

#include "models/base/configuration.h"
#include "models/base/error.h"
#include "models/base/random.h"
#include "tb/kit/paths.h"
#include "tb/link_faults/faulty_run.h"

namespace {

using namespace heddle;
using link_faults::fault;
using link_faults::fault_kind;
using link_faults::outcome;

constexpr const char* kind_names[] = {"none", "drop", "delay", "duplicate", "corrupt"};

struct fault_options {
    std::string config = "tiny";
    std::vector<std::string> settings;
    std::string workload = "histogram";
    std::vector<std::string> workload_options = {"n=512"};
    std::string mode = "flat";
    std::string links;  ///< only those with this in their names
    std::uint64_t seed = 1;
    std::uint64_t faults = 20;
    bool verbose = false;
};

/// A run without a fault tells which links there are, and how many calls each has.
using link_calls = std::vector<std::pair<std::pair<std::string, protocol::path>, std::uint64_t>>;

fault draw(random_stream random, const link_calls& calls) {
    const auto& [at, count] = calls[random.below(calls.size())];
    fault planned;
    planned.link = at.first;
    planned.via = at.second;
    planned.call = random.below(count);
    planned.kind = static_cast<fault_kind>(1 + random.below(4));
    constexpr std::uint64_t longest_delay = 200'000;  // ps: some 100 cycles
    planned.choice = 1 + random.below(longest_delay);
    return planned;
}

std::string text_of(const fault& f) {
    return std::string(kind_names[static_cast<std::size_t>(f.kind)]) + " of call " +
           std::to_string(f.call) + (f.via == protocol::path::forward ? " forward" : " backward") +
           " on " + f.link;
}

bool is_as_said(const outcome& o, const fault& planned) {
    return o.right || o.text.find(planned.link + "_") != std::string::npos;
}

int run(const fault_options& options) {
    link_faults::faulty_run what;
    parameter_list parameters(what.configuration);
    std::vector<std::string> settings = {"gpu.watchdog=20000"};
    settings.insert(settings.end(), options.settings.begin(), options.settings.end());
    load_configuration(parameters, {options.config, settings, {source_path("configs")}});
    what.workload = options.workload;
    for (const std::string& each : options.workload_options) {
        const std::size_t equals = each.find('=');
        if (equals == std::string::npos)
            throw configuration_error("--option " + each + ": NAME=VALUE");
        what.options[each.substr(0, equals)] = each.substr(equals + 1);
    }
    const workloads::chosen_mode mode = workloads::parse_mode(options.mode);
    what.mode = mode.mode;
    what.configuration.machine.launch.ideal = mode.ideal;
    what.max_cycles = 2'000'000;
    constexpr unsigned seconds = 60;
    const outcome clean = link_faults::run_apart(what, {}, seconds);
    if (!clean.right) {
        std::cerr << "link_faults_tb: the run fails without a fault: " << clean.text << '\n';
        return 1;
    }
    link_calls calls;
    for (const auto& each : clean.calls) {
        if (each.first.first.find(options.links) != std::string::npos) calls.push_back(each);
    }
    if (calls.empty())
        throw configuration_error("--links " + options.links + ": no link with calls");
    std::array<std::uint64_t, 5> right{};
    std::array<std::uint64_t, 5> named{};
    std::uint64_t failed = 0;
    for (std::uint64_t n = 0; n < options.faults; ++n) {
        const std::uint64_t seed = options.seed + n;
        const fault planned = draw(random_stream(seed, "link_faults"), calls);
        const outcome o = link_faults::run_apart(what, planned, seconds);
        const bool good = o.happened && is_as_said(o, planned);
        ++(o.right ? right : named)[static_cast<std::size_t>(planned.kind)];
        failed += good ? 0 : 1;
        if (good && !options.verbose) continue;
        std::cerr << "seed " << seed << ": " << text_of(planned) << ": "
                  << (good ? "" : "NOT AS SAID: ") << (o.right ? "right result\n" : o.text)
                  << (o.happened ? "" : " (the fault did not happen)") << '\n';
    }
    std::cout << options.config << ": " << options.faults << " faults on " << calls.size()
              << " ways of links, " << failed << " not as they should end\n";
    for (std::size_t kind = 1; kind < right.size(); ++kind) {
        std::cout << "  " << kind_names[kind] << ": " << named[kind] << " reported, " << right[kind]
                  << " right results\n";
    }
    return failed == 0 ? 0 : 1;
}

}  // namespace

int sc_main(int argc, char** argv) {
    fault_options options;
    CLI::App line("Runs with one fault on one link each", "link_faults_tb");
    line.add_option("--config", options.config, "Configuration: a name or a file");
    line.add_option("--set", options.settings, "Sets a parameter, KEY=VALUE; repeatable");
    line.add_option("--workload", options.workload, "What runs");
    line.add_option("--option", options.workload_options,
                    "Of the workload, NAME=VALUE; repeatable");
    line.add_option("--mode", options.mode, "Launch mode of the workload: flat, cdp, dtbl, ...");
    line.add_option("--links", options.links, "Faults only on links with this in their names");
    line.add_option("--seed", options.seed, "Of the first fault; the next ones follow");
    line.add_option("--faults", options.faults, "Number of runs");
    line.add_flag("--verbose", options.verbose, "Print how each run ends");
    CLI11_PARSE(line, argc, argv);
    try {
        return run(options);
    } catch (const std::exception& error) {
        std::cerr << "link_faults_tb: " << error.what() << '\n';
        return 2;
    }
}
