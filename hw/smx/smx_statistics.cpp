// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/smx_statistics.h"

namespace heddle {
namespace {

constexpr const char* cause_names[cycle_cause_count] = {"issued",    "unit_busy", "memory_stall",
                                                        "held_back", "memory",    "dependency",
                                                        "fetch",     "barrier",   "no_warp"};

double ratio(std::uint64_t part, std::uint64_t whole) {
    return static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

void smx_counts::add(const smx_counts& other) {
    executed.add(other.executed);
    if (kernels.size() < other.kernels.size()) kernels.resize(other.kernels.size());
    for (std::size_t i = 0; i < other.kernels.size(); ++i) kernels[i].add(other.kernels[i]);
    for (std::size_t i = 0; i < scheduler_cycles.size(); ++i) {
        scheduler_cycles[i] += other.scheduler_cycles[i];
    }
    resident_warp_cycles += other.resident_warp_cycles;
    active_cycles += other.active_cycles;
    in_flight_warp_cycles += other.in_flight_warp_cycles;
    fetches += other.fetches;
    fetch_misses += other.fetch_misses;
    writeback_conflicts += other.writeback_conflicts;
}

void collect_smx(statistics& into, const std::string& scope, const smx_counts& counts,
                 std::uint64_t cycles, unsigned warps, unsigned lanes) {
    collect_execution(into, scope, counts.executed, lanes);
    into.declare(scope, smx_statistics);
    const auto set = [&](const std::string& name, auto value) {
        into.set(scope + "." + name, value);
    };
    if (cycles != 0) set("occupancy", ratio(counts.resident_warp_cycles, cycles) / warps);
    set("active_cycles", counts.active_cycles);
    for (std::size_t cause = 0; cause < cycle_cause_count; ++cause) {
        set(std::string("scheduler_cycles.") + cause_names[cause], counts.scheduler_cycles[cause]);
    }
    const auto of = [&](cycle_cause cause) {
        return counts.scheduler_cycles[static_cast<std::size_t>(cause)];
    };
    if (counts.active_cycles != 0) {
        set("warps_in_flight", ratio(counts.in_flight_warp_cycles, counts.active_cycles));
    }
    set("stall_cycles", of(cycle_cause::unit_busy) + of(cycle_cause::memory_stall));
    set("fetches", counts.fetches);
    set("fetch_misses", counts.fetch_misses);
    set("writeback_conflicts", counts.writeback_conflicts);
}

}  // namespace heddle
