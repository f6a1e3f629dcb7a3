// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/smx_statistics.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "hw/smx/tm/tm_statistics.h"

namespace heddle {

static_assert(std::size(scheduler_statistics) == cycle_cause_count);

void smx_counts::add(const smx_counts& other) {
    executed.add(other.executed);
    if (kernels.size() < other.kernels.size()) kernels.resize(other.kernels.size());
    for (std::size_t i = 0; i < other.kernels.size(); ++i) kernels[i].add(other.kernels[i]);
    for (std::size_t i = 0; i < cycle_cause_count; ++i) {
        issue_slots[i] += other.issue_slots[i];
    }
    for (std::size_t lanes = 0; lanes < sizes.size(); ++lanes) sizes[lanes] += other.sizes[lanes];
    add_counts(*this, other);
    add_counts(l1d, other.l1d);
    add_counts(constants, other.constants);
    add_counts(read_only, other.read_only);
}

void smx_counts::subtract(const smx_counts& earlier) {
    executed.subtract(earlier.executed);
    for (std::size_t i = 0; i < earlier.kernels.size(); ++i) {
        kernels[i].subtract(earlier.kernels[i]);
    }
    for (std::size_t i = 0; i < cycle_cause_count; ++i) {
        issue_slots[i] -= earlier.issue_slots[i];
    }
    for (std::size_t lanes = 0; lanes < sizes.size(); ++lanes) sizes[lanes] -= earlier.sizes[lanes];
    subtract_counts(*this, earlier);
    subtract_counts(l1d, earlier.l1d);
    subtract_counts(constants, earlier.constants);
    subtract_counts(read_only, earlier.read_only);
}

void smx_counts::leave_out(std::uint64_t cycles, unsigned schedulers, unsigned warp_slots) {
    std::uint64_t& idle = issue_slots[static_cast<std::size_t>(cycle_cause::no_warp)];
    idle -= std::min(idle, cycles * schedulers);
    warp_slot_cycles -= std::min(warp_slot_cycles, cycles * warp_slots);
}

std::uint64_t smx_counts::stall_cycles() const {
    std::uint64_t sum = 0;
    for (auto cause = static_cast<std::size_t>(cycle_cause::integer_busy);
         cause <= static_cast<std::size_t>(cycle_cause::writeback); ++cause) {
        sum += issue_slots[cause];
    }
    return sum;
}

void collect_transactions(statistics& into, const std::string& scope, const tm_counts& counts) {
    if (counts.attempts() == 0) return;
    declare_counted(into, scope, tm_statistics);
    set_counted(into, scope, tm_statistics, counts);
}

void set_scheduler_cycles(statistics& into, const std::string& scope, const smx_counts& counts) {
    for (std::size_t cause = 0; cause < cycle_cause_count; ++cause) {
        into.set(scope + "." + scheduler_statistics[cause].name, counts.issue_slots[cause]);
    }
}

void set_issue_sizes(statistics& into, const std::string& scope, const smx_counts& counts) {
    constexpr std::size_t bin = 4;
    histogram lanes = histogram::linear(bin, counts.sizes.size() / bin + 1);
    for (std::size_t n = 0; n < counts.sizes.size(); ++n) lanes.add(n, counts.sizes[n]);
    into.set(scope + "." + issue_size_statistics[0].name, lanes);
}

void collect_smx(statistics& into, const std::string& scope, const smx_counts& counts,
                 unsigned lanes) {
    collect_execution(into, scope, counts.executed, lanes);
    declare_counted(into, scope, smx_statistics);
    into.declare(scope, scheduler_statistics);
    set_counted(into, scope, smx_statistics, counts);
    set_scheduler_cycles(into, scope, counts);
    into.declare(scope, issue_size_statistics);
    set_issue_sizes(into, scope, counts);
}

}  // namespace heddle
