// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/issue/warp_front.h"

#include <fmt/format.h>

#include <utility>

#include "models/simt/fault_text.h"
#include "models/simt/progress_text.h"

namespace heddle {

warp_front::warp_front(const smx_configuration& smx, const l1i_configuration& l1i,
                       const warp_scheduler_configuration& scheduler, unsigned warps,
                       std::unique_ptr<formation> groups, const scheduler_ports& ports,
                       memory_port& port, const front_parts& parts)
    : blocks_(parts.blocks),
      lsu_(parts.lsu),
      in_transactions_(parts.transactions.inside()),
      paths_(warps, smx.instruction_buffer),
      schedulers_(ports),
      issue_(smx, scheduler, warps, std::move(groups), schedulers_,
             {paths_, parts.table, parts.blocks, parts.executor, parts.lsu, parts.waits,
              parts.observer, in_transactions_}),
      front_end_(smx, l1i, warps, port, paths_, parts.table, parts.blocks) {
    tm_unit* const unit = parts.transactions.unit();
    if (unit == nullptr) return;
    transactions_.emplace(warp_transactions::parts{
        *unit,
        {parts.lanes, parts.registers, parts.blocks, parts.lsu, parts.observer},
        issue_.moves().groups(),
        paths_,
        issue_.moves(),
        front_end_,
        parts.waits});
    issue_.connect(*transactions_);
    parts.executor.attach(*transactions_, isa::instruction_class::transaction);
}

void warp_front::use_program(const program::kernel_code& code) {
    front_end_.forget_lines();
    issue_.use_program(code);
}

void warp_front::start(unsigned warp, std::uint32_t pc, isa::lane_mask lanes,
                       const program::kernel_code& code) {
    issue_.moves().start(warp, pc, lanes, code);
    front_end_.start(warp);
}

bool warp_front::cycle() {
    // (2) write-back, and what the front end waits for
    issue_.write_results();
    bool changed = front_end_.take_events(edge_);
    if (transactions_) changed |= transactions_->cycle(edge_);
    // (3) issue
    issue_.touch(front_end_.take_delivered());
    issue_.cycle();
    // (4) fetch and decode
    front_end_.issued(issue_.issued(), issue_.turned(), edge_);
    changed |= front_end_.cycle(edge_);
    issue_.touch(front_end_.take_delivered());
    return changed;
}

bool warp_front::accessing(unsigned warp) const {
    return !lsu_.is_idle(access_owner(warp));
}

bool warp_front::drained(unsigned block) const {
    for (protocol::warp_mask left = blocks_.block(block).warps; left != 0; left &= left - 1) {
        if (accessing(bits::first(left))) return false;
    }
    return true;
}

/// A transaction goes on until it has committed.
void warp_front::hold(unsigned warp) {
    if (bits::test(in_transactions_, warp)) return;
    issue_.moves().hold(warp);
}

bool warp_front::rests(unsigned warp) const {
    return !accessing(warp) && issue_.moves().rests(warp) && front_end_.may_redirect(warp);
}

void warp_front::leave(unsigned warp) {
    issue_.moves().leave(warp);
    front_end_.leave(warp);
}

void warp_front::come_back(unsigned warp, const std::uint32_t* words, bool at_barrier,
                           const program::kernel_code& code) {
    issue_.moves().come_back(warp, words, at_barrier, code);
    issue_.came_back(warp);
    front_end_.start(warp);
}

front_counts warp_front::counts(std::uint64_t edge) const {
    front_counts all;
    all.in_flight_warp_cycles = issue_.executing_warps().sum(edge);
    all.fetches = front_end_.fetches();
    all.fetch_misses = front_end_.misses();
    all.writeback_conflicts = issue_.results().conflicts();
    all.second_issues = issue_.second_issues();
    all.sizes = issue_.sizes().by_lanes();
    return all;
}

std::vector<std::string> warp_front::waiting(
    const std::optional<std::uint64_t>& spinning_since) const {
    std::vector<std::string> lines;
    bits::for_each(blocks_.resident(), [&](unsigned slot) {
        const bool spins = spinning_since && blocks_.warp(slot).last_issue >= *spinning_since;
        std::string line = waiting_text(slot, spins);
        if (!line.empty()) lines.push_back(std::move(line));
    });
    return lines;
}

void warp_front::watch_waiting() {
    bits::for_each(blocks_.resident(), [&](unsigned slot) { issue_.moves().groups().watch(slot); });
}

/// Empty if the warp has ended and only others keep its block.
std::string warp_front::waiting_text(unsigned slot, bool spins) const {
    const block_table::home_warp& w = blocks_.warp(slot);
    const block_table::block_context& block = blocks_.block(w.block);
    const warp_group& group = paths_.group(slot);
    const std::string line = simt::warp_text(block.kernel->name, block.identity.index, w.index);
    if (transactions_) {
        if (const std::string text = transactions_->waiting_text(slot); !text.empty()) {
            return line + text + " at " + simt::place_text(*block.image, group.pc);
        }
    }
    const unsigned writes = lsu_.outstanding_writes(access_owner(slot));
    if (group.lanes == 0) {
        if (writes == 0) return {};
        return line + fmt::format("has ended; {} stores are not acknowledged", writes);
    }
    const std::string doing =
        line + fmt::format("{} (last issue in cycle {})", issue_.doing(slot), w.last_issue);
    const warp_group others = issue_.moves().waiting_threads(slot, w.live);
    if (others.lanes == 0) return doing + " at " + simt::place_text(*block.image, group.pc);
    const simt::lane_group running{group.pc, group.lanes};
    const isa::lane_mask waited = spins ? issue_.moves().groups().waited(slot) & w.live : 0;
    if (waited == 0) {
        return doing + "; " +
               simt::divergence_text(*block.image, running, {others.pc, others.lanes});
    }
    const warp_group held = issue_.moves().waiting_threads(slot, waited);
    return doing + "; " + simt::simt_deadlock_text(*block.image, running, {held.pc, held.lanes});
}

}  // namespace heddle
