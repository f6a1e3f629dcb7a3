// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx_scheduler/distribution/block_distribution.h"

#include <algorithm>

#include "models/device/device.h"

namespace heddle {

void block_distribution::cycle() {
    placed_ = 0;
    for (block_source* const from : from_) {
        while (placed_ < with_.blocks_per_cycle && place(*from)) ++placed_;
        if (from->promised() && !from->empty()) return;
    }
}

bool block_distribution::place(block_source& from) {
    const protocol::launched_block* const block = from.next();
    if (block == nullptr) return false;
    const block_room::answer found = with_.room.take(*block);
    if (found.at) {
        send(from, *block, *found.at);
        return true;
    }
    from.lacks(found.lacks);
    if (!from.promised()) has_no_room(*block, found.lacks);
    return false;
}

/// The next block of a source has its place. All messages to SMXs are filled here.
void block_distribution::send(block_source& from, const protocol::launched_block& next,
                              const block_room::place& at) {
    const pool_ptr<protocol::block_dispatch> block = blocks_.make();
    static_cast<protocol::launched_block&>(*block) = next;
    block->sm = at.sm;
    block->slot = at.slot;
    block->context = at.context;
    block->invalidate_l1 = from.placed(at.sm);
    if (block->kernel->cooperative && !block->resumed) {
        block->groups = with_.cooperation.groups(block->launch);
        with_.cooperation.placed(block->launch);
    }
    const std::uint64_t edge = with_.owner.domain().edge();
    const std::uint64_t resident = with_.room.accounts().resident();
    if (block->resumed) {
        with_.counts.moved(edge, resident);
    } else {
        with_.counts.dispatched(edge, resident);
        launch_times* const times = block->kernel->times;
        if (times != nullptr && !times->first_dispatch) times->first_dispatch = edge;
    }
    with_.preempted.placed(*block, edge);
    with_.waves.changed(at.sm);
    with_.smxs.dispatch(*block);
    from.sent();
}

void block_distribution::has_no_room(const protocol::launched_block& block, block_limit limit) {
    if (placed_ == 0) with_.counts.stalled(limit);
    if (limit == block_limit::handshake || with_.preempted.leaving() != 0) return;
    const preemption::launch_ptr victim = with_.preempted.victim(block.kernel->priority);
    if (victim) preempt(victim);
}

void block_distribution::preempt(const preemption::launch_ptr& launch) {
    const launch_id victim = launch->launch;
    for (const sm_id sm : with_.preempted.tell(launch, with_.owner.domain().edge())) {
        with_.smxs.preempt(sm, victim, with_.progress.entry(victim));
    }
    with_.cooperation.preempt(victim);
    // Blocks that it has forked, and that have not started, start behind the other launch.
    for (protocol::launched_block& block : with_.forked.remove(victim)) {
        with_.returning.add(std::move(block), protocol::block_outcome::preempted);
    }
}

bool block_distribution::goes_on() const {
    return placed_ != 0 && std::any_of(from_.begin(), from_.end(),
                                       [](const block_source* from) { return from->pending(); });
}

bool block_distribution::empty() const {
    return std::all_of(from_.begin(), from_.end(),
                       [](const block_source* from) { return from->empty(); });
}

}  // namespace heddle
