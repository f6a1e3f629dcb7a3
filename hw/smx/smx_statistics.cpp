// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/smx_statistics.h"

namespace heddle {
namespace {

constexpr const char* cause_names[cycle_cause_count] = {
    "issued", "unit_busy", "memory_stall", "memory", "dependency", "fetch", "barrier", "no_warp"};

double ratio(std::uint64_t part, std::uint64_t whole) {
    return static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

void collect_smx(statistics& into, const std::string& scope, const smx_counts& counts,
                 std::uint64_t cycles, unsigned warps, unsigned lanes) {
    into.declare(scope, smx_statistics);
    const auto set = [&](const std::string& name, auto value) {
        into.set(scope + "." + name, value);
    };
    const execution_counts& x = counts.executed;
    set("warp_instructions", x.warp_instructions);
    set("thread_instructions", x.thread_instructions);
    if (x.warp_instructions != 0) {
        set("warp_activity", ratio(x.thread_instructions, x.warp_instructions) / lanes);
    }
    if (cycles != 0) set("occupancy", ratio(counts.resident_warp_cycles, cycles) / warps);
    set("active_cycles", counts.active_cycles);
    set("branches", x.branches);
    set("divergent_branches", x.divergent_branches);
    set("memory_instructions", x.memory_instructions);
    set("barriers", x.barriers);
    set("blocks", x.blocks);
    for (std::size_t cause = 0; cause < cycle_cause_count; ++cause) {
        set(std::string("scheduler_cycles.") + cause_names[cause], counts.scheduler_cycles[cause]);
    }
    const auto of = [&](cycle_cause cause) {
        return counts.scheduler_cycles[static_cast<std::size_t>(cause)];
    };
    set("stall_cycles", of(cycle_cause::unit_busy) + of(cycle_cause::memory_stall));
    set("fetches", counts.fetches);
    set("fetch_misses", counts.fetch_misses);
    set("writeback_conflicts", counts.writeback_conflicts);
}

}  // namespace heddle
