// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Testbench of the SMX: runs compiled kernels on one SMX between a block source and a memory model
// with random latency and random stalls, and compares memory with the functional simulator, byte
// by byte.
#include <algorithm>
#include <chrono>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "hw/smx/warp_scheduler/selection_policies.h"
#include "models/base/error.h"
#include "models/base/random.h"
#include "tb/kit/paths.h"
#include "tb/kit/testbench.h"
#include "tb/smx/smx_bench.h"
#include "tb/smx/smx_cases.h"

namespace {

using namespace heddle;

struct smx_tb_options {
    std::string program = build_path("kernels/smx_tb.elf");
    std::string statistics;
    std::vector<std::string> cases;
    unsigned warp_size = 32;
    unsigned rounds = 1;
    bool random_configuration = false;
    bool fixed_memory = false;
    bool check_links = true;
    bool golden = true;
};

/// Anything legal, so that no value of the defaults is taken for granted.
void randomize(smx_bench_configuration& c, random_stream random) {
    const auto pick = [&](std::uint32_t low, std::uint32_t high) {
        return low + static_cast<std::uint32_t>(random.below(high - low + 1));
    };
    c.smx.schedulers = pick(1, 4);
    c.smx.issue_interval = random.chance(0.3) ? pick(2, 4) : 1;
    c.smx.barrel = random.chance(0.2);
    c.smx.instruction_buffer = pick(1, 4);
    c.smx.fetch_width = pick(1, 4);
    c.smx.branch_latency = pick(1, 9);
    c.smx.operand_latency = pick(0, 4);
    c.smx.register_banks = pick(1, 8);
    c.smx.writeback_ports = pick(1, 6);
    for (unit_configuration& unit : c.smx.units) {
        unit = {pick(1, 4), pick(1, 30), pick(1, 4)};
    }
    c.l1i.size = 128u << pick(2, 6);
    c.l1i.ways = pick(1, 2) == 1 ? 1 : 2;
    c.l1i.hit_latency = pick(1, 4);
    c.l1i.mshrs = pick(1, 4);
    c.l1d.cache_global = random.chance(0.5);
    c.scheduler.scheduler =
        static_cast<selection_policy>(random.below(selection_policies::all().size()));
    c.scheduler.policies.of<motrr_configuration>().classify =
        random.chance(0.5) ? memory_classification::opcode : memory_classification::last_window;
    c.scheduler.policies.of<two_level_configuration>().fetch_group = pick(1, 8);
    c.scheduler.policies.of<ccws_configuration>().throttle = pick(1, 50);
}

std::vector<smx_case> chosen(const smx_tb_options& options) {
    std::vector<smx_case> cases = smx_cases();
    if (options.cases.empty()) return cases;
    for (smx_case& each : failing_smx_cases()) cases.push_back(std::move(each));
    const auto unwanted = [&](const smx_case& each) {
        return std::count(options.cases.begin(), options.cases.end(), each.name) == 0;
    };
    cases.erase(std::remove_if(cases.begin(), cases.end(), unwanted), cases.end());
    if (cases.size() != options.cases.size()) {
        throw configuration_error("--case: no such case; the cases are those of tb/smx/smx_cases");
    }
    return cases;
}

void run(testbench& bench, const smx_tb_options& options) {
    smx_bench_configuration configuration;
    configuration.machine.warp_size = options.warp_size;
    configuration.machine.smx.max_blocks = 8;
    configuration.memory.seed = bench.options().seed;
    configuration.memory.stall_probability = bench.options().stall_probability;
    configuration.check_links = options.check_links;
    if (options.fixed_memory) configuration.memory.latency_spread = 0;
    if (options.random_configuration) randomize(configuration, bench.random("configuration"));
    smx_bench device(bench, configuration);
    std::vector<smx_case> cases;
    for (unsigned round = 0; round < options.rounds; ++round) {
        for (smx_case& each : chosen(options)) cases.push_back(std::move(each));
    }
    const auto started = std::chrono::steady_clock::now();
    const host_script script = together(std::move(cases));
    if (options.golden) {
        run_against_simulator(bench, device, options.program, script);
    } else {
        run_alone(device, options.program, script);
    }
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - started;
    const smx_counts counts = device.block().core().counts();
    std::cout << counts.executed.blocks << " blocks, " << counts.executed.warp_instructions
              << " warp instructions in " << device.domain().edge_count() << " cycles ("
              << device.domain().executed_edges() << " run), " << seconds.count() << " s\n";
    if (!options.statistics.empty()) {
        std::ofstream(options.statistics) << device.statistics_text();
    }
}

}  // namespace

int sc_main(int argc, char** argv) {
    smx_tb_options options;
    testbench_description description;
    description.name = "smx_tb";
    description.summary = "Kernels on one SMX against the functional simulator";
    description.add_options = [&](command_line& line) {
        line.words("--program", options.program, "Device program with the cases' kernels");
        line.repeated("--case", options.cases, "Run only these cases; repeatable");
        line.number_of("--warp-size", options.warp_size, "Threads of a warp", {8, 16, 32, 64});
        line.number("--rounds", options.rounds, "Run the cases as often as this");
        line.words("--stats", options.statistics, "Write the statistics to a file");
        line.flag("--random-configuration", options.random_configuration,
                  "Choose latencies, widths and sizes from the seed");
        line.flag("--fixed-memory", options.fixed_memory, "Memory answers in constant time");
        line.flag("!--no-golden", options.golden,
                  "Do not run the functional simulator: no comparison");
        line.flag("!--no-checkers", options.check_links, "Leave the protocol checkers out");
    };
    return run_testbench(description, argc, argv, [&](testbench& bench) { run(bench, options); });
}
