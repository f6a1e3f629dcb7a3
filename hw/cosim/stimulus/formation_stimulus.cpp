// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <algorithm>
#include <utility>
#include <vector>

#include "hw/cosim/formation_ports.h"
#include "hw/cosim/stimulus/module_bench.h"
#include "hw/cosim/stimulus/random_control_flow.h"
#include "hw/cosim/stimulus/stimulus.h"

namespace heddle::cosim {

namespace {

/// Only a warp with entries has a top.
void counts(const formation_call& said, formation_call& counts) {
    counts.busy = false;
    const bool reads = said.operation == stack_operation::read;
    if (said.size != 0 && (!reads || said.index < said.size)) return;
    counts.at_mark = false;
    counts.limit = counts.entry_pc = counts.entry_reconvergence_pc = 0;
    counts.entry_depth = counts.entry_reconvergence_depth = 0;
    counts.entry_lanes = said.size == 0 ? ~isa::lane_mask{0} : 0;
}

/// Without an entry a warp starts, comes back from elsewhere, or has just returned from its kernel.
std::vector<std::pair<unsigned, unsigned>> without_entries() {
    std::vector<std::pair<unsigned, unsigned>> never;
    for (unsigned n = 0; n <= static_cast<unsigned>(stack_operation::release); ++n) {
        const auto operation = static_cast<stack_operation>(n);
        if (operation == stack_operation::start || operation == stack_operation::load ||
            operation == stack_operation::back) {
            continue;
        }
        never.emplace_back(n, 0);
    }
    return never;
}

}  // namespace

void drive_formation(const stimulus_target& to) {
    // Of a trace; seeds have them by turns.
    static constexpr unsigned sizes[] = {formation_call::most_entries, 24, 5};
    const unsigned entries = sizes[(to.seed + 2) % 3];
    port_coverage& coverage = to.coverage;
    coverage.expect("entries", 0);
    // Calls are as deep as stacks are high; PCs are even, but for that of nowhere.
    const unsigned deep = entries < 128 ? 0 : 6;
    for (const char* port :
         {"depth", "reconvergence_depth", "entry_depth", "entry_reconvergence_depth"}) {
        coverage.expect(port, deep);
    }
    for (const char* port :
         {"pc", "reconvergence_pc", "limit", "entry_pc", "entry_reconvergence_pc"}) {
        coverage.expect(port, 30);
    }
    coverage.expect("index", entries < 128 ? 0 : 6);
    coverage.expect("size", entries == 128 ? 8 : entries == 24 ? 5 : 3);
    const std::size_t states =
        coverage.declare({"operation x entries of the warp",
                          {"none", "read", "start", "advance", "part", "call", "back", "back_apart",
                           "group", "exit", "load", "mark", "leave", "rewind", "release"},
                          {"0", "1", "more"},
                          without_entries()});
    const auto seen = [&, states](slot_trace::step, const formation_call& call) {
        if (call.busy) return;
        coverage.add(states, static_cast<unsigned>(call.operation),
                     std::min<unsigned>(call.size, 2));
    };
    module_bench<formation_traits, formation_call> bench(formation_ports, counts, to, seen);
    constexpr unsigned warps = formation_call::most_warps, phase = 1000;
    const auto part = bench.make({warps, entries});
    // Few warps get high stacks; then all of them.
    for (const unsigned most : {3U, warps}) {
        random_control_flow driver(*part, most, entries, to.random);
        for (unsigned n = 0; n < to.steps / 2; ++n) {
            driver.step(n / phase % 2 != 0);
            bench.next_step();
            bench.expect_no_difference();
        }
    }
}

}  // namespace heddle::cosim
