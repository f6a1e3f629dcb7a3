// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// What an SMX counts, and what it tells about a run that gets nowhere.
#include <fmt/format.h>

#include "hw/smx/shared_memory/shared_memory.h"
#include "hw/smx/smx_core.h"
#include "hw/smx/tm/smx_transactions.h"

namespace heddle {

smx_counts smx_core::counts(std::uint64_t now) const {
    smx_counts all;
    all.kernels = blocks_.kernels();
    for (const execution_counts& kernel : all.kernels) all.executed.add(kernel);
    for (std::size_t cause = 0; cause < cycle_cause_count; ++cause) {
        all.issue_slots[cause] = front_->account().total(static_cast<cycle_cause>(cause), now);
    }
    all.warp_slot_cycles = now * can_.warp_slots;
    all.resident_warp_cycles = blocks_.live_warps().sum(now);
    all.held_slot_cycles = blocks_.held_slots().sum(now);
    all.active_cycles = blocks_.live_warps().busy(now);
    all.watched_cycles = all.active_cycles;
    static_cast<front_counts&>(all) = front_->counts(now);
    all.line_accesses = lsu_.report().counters().line_accesses;
    all.line_instructions = lsu_.report().counters().line_instructions;
    all.l1d = lsu_.report().l1d(now);
    all.constants = lsu_.report().constants(now);
    all.read_only = lsu_.report().read_only(now);
    return all;
}

const code_profile* smx_core::profile() const {
    if (profile_) profile_->settle(domain().edge_count());
    return profile_.get();
}

void smx_core::collect_scheduler(statistics& into, const std::string& scope, unsigned s) const {
    const std::uint64_t now = domain().edge_count();
    const auto sum = [&](cycle_cause first, cycle_cause last) {
        std::uint64_t cycles = 0;
        for (auto cause = static_cast<unsigned>(first); cause <= static_cast<unsigned>(last);
             ++cause) {
            cycles += front_->account().total(s, static_cast<cycle_cause>(cause), now);
        }
        return cycles;
    };
    into.declare(scope, scheduler_cycle_statistics);
    into.set(scope + ".stall_cycles", sum(cycle_cause::integer_busy, cycle_cause::writeback));
    into.set(scope + ".wait_cycles", sum(cycle_cause::formation, cycle_cause::barrier));
}

void smx_core::collect(statistics& into, const std::string& scope,
                       std::uint64_t idle_cycles) const {
    const std::uint64_t now = domain().edge_count();
    smx_counts all = counts(now);
    all.leave_out(idle_cycles, configuration_.schedulers, can_.warp_slots);
    collect_smx(into, scope, all, lanes_);
    lsu_.report().collect(into, scope, now);
    collect_transactions(into, scope + ".tm", transactions(now));
}

tm_counts smx_core::transactions(std::uint64_t edge) const {
    tm_counts all = links_.transactions.counts(edge);
    if (!can_.transactions) return all;
    // A group of a pool has a table of any warp of its block, also of one that has ended.
    const unsigned for_each_slot = can_.transactions_at_once / can_.warp_slots;
    all.resident_cycles = can_.thread_pool ? blocks_.held_slots().sum(edge) * for_each_slot
                                           : blocks_.live_warps().sum(edge);
    return all;
}

std::uint64_t smx_core::progress() const noexcept {
    return blocks_.progress() + links_.memory_banks.counters().changes +
           lsu_.report().cache_counters().changes + links_.transactions.commits();
}

std::vector<std::string> smx_core::waiting_threads(
    const std::optional<std::uint64_t>& spinning_since) const {
    return front_->waiting(spinning_since);
}

void smx_core::watch_waiting() {
    front_->watch_waiting();
}

std::string smx_core::waiting_for() const {
    std::string text;
    const unsigned warps = bits::count(blocks_.resident());
    if (warps != 0) text = fmt::format("{} warps of resident blocks", warps);
    for (const std::function<std::string()>& each : waits_for_) {
        const std::string part = each();
        if (!part.empty()) text += (text.empty() ? "" : "; ") + part;
    }
    return text;
}

}  // namespace heddle
