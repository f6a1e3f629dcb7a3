// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/smx_statistics.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <string>

namespace heddle {
namespace {

static_assert(std::size(scheduler_statistics) == cycle_cause_count);

double ratio(std::uint64_t part, std::uint64_t whole) {
    return static_cast<double>(part) / static_cast<double>(whole);
}

/// Every plain counter of `a` becomes operation(a, b).
template <class Operation>
void combine(smx_counts& a, const smx_counts& b, Operation operation) {
    const auto apply = [&](std::uint64_t& mine, std::uint64_t other) {
        mine = operation(mine, other);
    };
    for (std::size_t i = 0; i < cycle_cause_count; ++i) {
        apply(a.scheduler_cycles[i], b.scheduler_cycles[i]);
    }
    apply(a.resident_warp_cycles, b.resident_warp_cycles);
    apply(a.in_flight_warp_cycles, b.in_flight_warp_cycles);
    apply(a.active_cycles, b.active_cycles);
    apply(a.fetches, b.fetches);
    apply(a.fetch_misses, b.fetch_misses);
    apply(a.writeback_conflicts, b.writeback_conflicts);
    apply(a.reservation_fails, b.reservation_fails);
    apply(a.l1d_accesses, b.l1d_accesses);
    apply(a.l1d_misses, b.l1d_misses);
}

}  // namespace

void smx_counts::add(const smx_counts& other) {
    executed.add(other.executed);
    if (kernels.size() < other.kernels.size()) kernels.resize(other.kernels.size());
    for (std::size_t i = 0; i < other.kernels.size(); ++i) kernels[i].add(other.kernels[i]);
    combine(*this, other, std::plus<>());
}

void smx_counts::subtract(const smx_counts& earlier) {
    executed.subtract(earlier.executed);
    for (std::size_t i = 0; i < earlier.kernels.size(); ++i) {
        kernels[i].subtract(earlier.kernels[i]);
    }
    combine(*this, earlier, std::minus<>());
}

void smx_counts::leave_out(std::uint64_t cycles, unsigned schedulers) {
    std::uint64_t& idle = scheduler_cycles[static_cast<std::size_t>(cycle_cause::no_warp)];
    idle -= std::min(idle, cycles * schedulers);
}

std::uint64_t smx_counts::stall_cycles() const {
    std::uint64_t sum = 0;
    for (auto cause = static_cast<std::size_t>(cycle_cause::integer_busy);
         cause <= static_cast<std::size_t>(cycle_cause::reservation_fail); ++cause) {
        sum += scheduler_cycles[cause];
    }
    return sum;
}

void set_scheduler_cycles(statistics& into, const std::string& scope, const smx_counts& counts) {
    for (std::size_t cause = 0; cause < cycle_cause_count; ++cause) {
        into.set(scope + "." + scheduler_statistics[cause].name, counts.scheduler_cycles[cause]);
    }
}

void collect_smx(statistics& into, const std::string& scope, const smx_counts& counts,
                 std::uint64_t cycles, unsigned warps, unsigned lanes) {
    collect_execution(into, scope, counts.executed, lanes);
    into.declare(scope, smx_statistics);
    into.declare(scope, scheduler_statistics);
    const auto set = [&](const char* name, auto value) { into.set(scope + "." + name, value); };
    if (cycles != 0) {
        set("occupancy", ratio(counts.resident_warp_cycles, cycles) / warps);
    }
    if (counts.active_cycles != 0) {
        set("warps_in_flight", ratio(counts.in_flight_warp_cycles, counts.active_cycles));
    }
    set("active_cycles", counts.active_cycles);
    set("stall_cycles", counts.stall_cycles());
    set("fetches", counts.fetches);
    set("fetch_misses", counts.fetch_misses);
    set("writeback_conflicts", counts.writeback_conflicts);
    set_scheduler_cycles(into, scope, counts);
}

}  // namespace heddle
