// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Testbench of the thread pool under random divergent threads: no thread is lost or there twice,
// every group is legal, and calls that may be left out change nothing. thread_ledger.h lists the
// checks.
#include <iostream>
#include <string>

#include "hw/protocol/instrumentation.h"
#include "hw/smx/thread_pool/dwf/warp_policies.h"
#include "hw/smx/thread_pool/formation_configurations.h"
#include "hw/smx/thread_pool/formations.h"
#include "hw/smx/thread_pool/thread_pool.h"
#include "tb/kit/testbench.h"
#include "tb/thread_pool/thread_stream.h"

namespace {

using namespace heddle;
using namespace heddle::thread_pool_tb;

struct pool_options {
    stream_options stream;
    smx_configuration smx;
    part_configurations formations = formation_configurations();
    unsigned warp_size = 32;
    bool scarce = false;  ///< pool, heap and LUTs that overflow
    bool random = false;  ///< any configuration

    pool_options() {
        smx.formation = formations::key<dwf_former>;
        smx.issue_interval = 4;
    }
    dwf_configuration& dwf() { return formations.of<dwf_configuration>(); }
    [[nodiscard]] const dwf_configuration& dwf() const {
        return formations.of<dwf_configuration>();
    }
};

void make_scarce(dwf_configuration& dwf) {
    dwf.pool_entries = 16;
    dwf.lut_entries = 4;
    dwf.lut_ways = 2;
    dwf.policies.of<heap_configuration>() = {5, 3, 3};
    dwf.overflow_latency = 30;
    dwf.patience = 2000;
}

void make_random(pool_options& options, random_stream random) {
    const unsigned sizes[] = {8, 16, 32, 64};
    options.warp_size = sizes[random.below(4)];
    options.smx.issue_interval = random.chance(0.3) ? 1 : options.warp_size / 8;
    options.stream.codes = static_cast<unsigned>(5 + random.below(200));
    options.stream.warps_per_block = static_cast<unsigned>(1 + random.below(8));
    options.stream.warps = options.stream.warps_per_block * 3;
    if (random.chance(0.4)) {
        options.stream.memory = 5000;
        options.stream.blocks = 6;
    }
    dwf_configuration& dwf = options.dwf();
    dwf.policy = warp_policies::all()[random.below(warp_policies::all().size())];
    dwf.lane_aware = random.chance(0.5);
    dwf.swizzling = static_cast<lane_swizzling>(random.below(3));
    dwf.home_lanes = random.chance(0.5) ? home_lane_count::warp : home_lane_count::pipeline;
    dwf.bank_conflicts = random.chance(0.7);
    dwf.infinite_resources = random.chance(0.2);
    options.scarce = !dwf.infinite_resources && random.chance(0.5);
}

std::string description_of(const pool_options& options) {
    const dwf_configuration& dwf = options.dwf();
    std::string text = row_of(options.smx.formation).name;
    if (options.smx.formation == formations::key<dwf_former>) {
        text += " " + warp_policies::name(dwf.policy) +
                (dwf.infinite_resources ? ", infinite" : "") + (options.scarce ? ", scarce" : "") +
                (dwf.lane_aware ? ", lane aware" : "") +
                (dwf.swizzling == lane_swizzling::swap ? ", swap" : "") +
                (dwf.swizzling == lane_swizzling::rotate ? ", rotate" : "") +
                (dwf.home_lanes == home_lane_count::pipeline ? ", pipeline lanes" : "");
    }
    return text + ", warps of " + std::to_string(options.warp_size) + " in " +
           std::to_string(options.smx.issue_interval) + " clocks";
}

void run_pool(testbench& bench, pool_options options) {
    if (options.random) make_random(options, bench.random("configuration"));
    if (options.scarce) make_scarce(options.dwf());
    std::cout << description_of(options) << "\n";
    const unsigned threads = options.stream.warps * options.warp_size;
    const random_codes codes(bench.random("codes"), options.stream.codes);
    const pool_description description{options.smx, options.dwf(), codes.needs, options.warp_size,
                                       threads};
    const thread_pool_setting setting{options.smx, options.formations, options.warp_size, threads};
    clock_domain core("core", frequency::megahertz(650), bench.domain_options());
    thread_pool every_turn("every_turn", setting, bench.waves());
    thread_pool when_needed("when_needed", setting, nullptr);
    thread_stream stream("stream", core, bench, options.stream,
                         {description, codes.program(), every_turn, when_needed});
    protocol::instrumentation links(true, bench.timeline());
    links.connect(stream.every_turn_socket, every_turn.socket, "every_turn");
    links.connect(stream.when_needed_socket, when_needed.socket, "when_needed");

    if (bench.run(core) != error_kind::none) return;
    links.report_lost();
    links.finish();
    const thread_ledger& ledger = stream.ledger();
    const bool overflows = options.scarce && !options.random;
    bench.check(!overflows || ledger.most_overflow() != 0, "no thread has overflowed");
    const std::uint64_t now = core.edge_count();
    statistics all;
    every_turn.collect(all, "thread_pool", now);
    std::cout << to_csv(all) << "lanes " << ledger.used_lanes() << " of " << ledger.offered_lanes()
              << "\ncalls left out " << stream.left_out() << "\ncycles " << now << "\n";
}

}  // namespace

int sc_main(int argc, char** argv) {
    pool_options options;
    testbench_description description;
    description.name = "thread_pool_tb";
    description.summary = "The thread pool under random divergent threads";
    description.add_options = [&](command_line& line) {
        stream_options& stream = options.stream;
        dwf_configuration& dwf = options.dwf();
        std::vector<std::pair<std::string, formation_policy>> on_pools;
        for (const formation_policy each : formations::all()) {
            if (row_of(each).on_pool) on_pools.emplace_back(formations::name(each), each);
        }
        line.choice("--formation", options.smx.formation, on_pools, "Who issues together");
        std::vector<std::pair<std::string, warp_policy_kind>> policies;
        for (const warp_policy_kind each : warp_policies::all()) {
            policies.emplace_back(warp_policies::name(each), each);
        }
        line.choice("--policy", dwf.policy, policies, "dwf.policy");
        line.flag("--infinite", dwf.infinite_resources, "dwf.infinite_resources");
        line.flag("--scarce", options.scarce,
                  "Pool, heap and LUTs of so few entries that they "
                  "overflow");
        line.flag("!--no-lane-aware", dwf.lane_aware, "No dwf.lane_aware");
        line.choice("--swizzling", dwf.swizzling,
                    {{"none", lane_swizzling::none},
                     {"swap", lane_swizzling::swap},
                     {"rotate", lane_swizzling::rotate}},
                    "dwf.swizzling");
        line.choice("--home-lanes", dwf.home_lanes,
                    {{"warp", home_lane_count::warp}, {"pipeline", home_lane_count::pipeline}},
                    "dwf.home_lanes");
        line.flag("--random-configuration", options.random, "Any configuration of dwf");
        line.number("--blocks", stream.blocks, "Blocks that run", 1, 100000);
        line.number("--length", stream.length, "Instructions of a thread", 1, 100000);
        line.number("--codes", stream.codes, "PCs", 1, 100000);
        line.number("--memory", stream.memory, "Most cycles that memory takes", 1, 5000);
    };
    return run_testbench(description, argc, argv,
                         [&](testbench& bench) { run_pool(bench, options); });
}
