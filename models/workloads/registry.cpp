// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/workloads/registry.h"

#include <memory>
#include <string>

#include "models/base/data_folders.h"
#include "models/base/error.h"
#include "models/base/suggestion.h"
#include "models/inputs/input_file.h"
#include "models/program/image.h"
#include "models/workloads/workloads.h"

namespace heddle::workloads {
namespace {

/// Assigns what the user asked for and checks it.
std::unique_ptr<prepared_workload> configure(const workload& which,
                                             const workload_options& options) {
    auto prepared = which.prepare();
    auto values = options.values;
    values.insert(which.preset.begin(), which.preset.end());  // what the user gave stays
    for (const auto& [key, value] : values) {
        if (prepared->options().find(key) == nullptr) {
            throw configuration_error("workload " + which.name + " has no option '" + key + "'" +
                                      hint(key, prepared->options().keys()) +
                                      " (it has: " + joined(prepared->options().keys()) + ")");
        }
        prepared->options().assign_text(key, value, "option",
                                        "workload " + which.name + ", option " + key + "=" + value);
    }
    prepared->options().check_rules();
    if (!options.input.empty() && which.default_input.empty()) {
        throw configuration_error("workload " + which.name + " takes no input, but '" +
                                  options.input + "' was given");
    }
    if (options.mode != launch_mode::flat && !which.has_modes) {
        throw configuration_error("workload " + which.name +
                                  " launches nothing from its kernels; " + "legal: --mode flat");
    }
    return prepared;
}

}  // namespace

const std::vector<workload>& all_workloads() {
    static const std::vector<workload> table{
        amr(),     atax(),       audit(),      bandwidth(),  barrier(),  bfs(),    bfs_pockets(),
        bht(),     bicg(),       bitonic(),    black(),      children(), clr(),    color(),
        compute(), contrived(),  divergence(), fft(),        game(),     gc(),     histogram(),
        hmmer(),   ht(),         it(),         join(),       km(),       l_bfs(),  l_sssp(),
        laplace(), latency(),    launch(),     lbm(),        ledgers(),  lock(),   lps(),
        lu(),      matrix(),     mis(),        montecarlo(), mvt(),      octree(), octree_pockets(),
        p_sssp(),  pathfinder(), pre(),        reduction(),  regx(),     saxpy(),  sobolqrng(),
        sssp(),    stencil(),    throughput(), transpose(),  uts()};
    return table;
}

const workload* look_up(std::string_view name) {
    for (const auto* table : {&all_workloads(), &workload_aliases()}) {
        for (const auto& candidate : *table) {
            if (candidate.name == name) return &candidate;
        }
    }
    return nullptr;
}

const workload& find_workload(std::string_view name) {
    if (const workload* found = look_up(name); found != nullptr) return *found;
    std::vector<std::string> names;
    for (const auto& candidate : all_workloads()) names.push_back(candidate.name);
    const std::string list = joined(names);
    for (const auto& alias : workload_aliases()) names.push_back(alias.name);
    throw configuration_error("no workload '" + std::string(name) + "'" + hint(name, names) +
                              " (there are: " + list + ")");
}

std::string program_file(const workload& which) {
    if (!which.device_program.empty()) return which.device_program;
    return (data_folders_in_use().kernels / (which.program() + ".elf")).string();
}

void check_options(const workload& which, const workload_options& options) {
    (void)configure(which, options);
    if (!options.input.empty()) inputs::check_input(options.input, which.default_input);
}

workload_report run_workload(const workload& which, device& gpu, const workload_options& options) {
    const auto prepared = configure(which, options);
    const run_context context{which.program(), options.seed,
                              options.input.empty() ? which.default_input : options.input,
                              options.mode};
    gpu.load(std::make_shared<program::image>(program::image::load(program_file(which))));

    workload_report report;
    prepared->run(gpu, context, report);
    return report;
}

}  // namespace heddle::workloads
