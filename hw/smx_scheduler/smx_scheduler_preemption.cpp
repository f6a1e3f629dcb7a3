// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Blocks that come back, and preemption: blocks leave for a launch of higher priority.
#include <algorithm>
#include <utility>

#include "hw/smx_scheduler/smx_scheduler.h"

namespace heddle {

using protocol::block_dispatch;
using protocol::block_outcome;
using protocol::kde_event;
using protocol::kde_phase;

/// A launch of this priority has no room.
void smx_scheduler::make_room(std::uint32_t priority) {
    if (!preemption_ || preemption_->leaving() != 0) return;
    const launch_ptr victim = preemption_->victim(priority);
    if (victim) preempt(victim);
}

void smx_scheduler::preempt(const launch_ptr& launch) {
    for (const sm_id sm : preemption_->tell(launch, clocked::domain().edge())) {
        const update_ptr update = updates_.make();
        update->launch = launch->launch;
        update->kde = launch->kde;
        update->event = kde_event::preempt;
        kde_phase phase = kde_phase::update;
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        preempt_socket[static_cast<int>(sm.value())]->nb_transport_fw(*update, phase, delay);
    }
    cooperation_.preempt(launch->launch);
    // Blocks that it has forked, and that have not started, start behind the other launch.
    const auto others = std::stable_partition(
        forked_.begin(), forked_.end(),
        [&](const block_ptr& block) { return block->launch != launch->launch; });
    for (auto each = others; each != forked_.end(); ++each) {
        preemption_->goes_away(**each);
        returning_.add({std::move(*each), block_outcome::preempted});
    }
    forked_.erase(others, forked_.end());
}

/// The block comes back as a dispatch of its own.
void smx_scheduler::keep(const block_ptr& left) {
    block_ptr again = blocks_.make();
    again->launch = left->launch;
    again->kde = left->kde;
    again->group = left->group;
    again->kernel = left->kernel;
    again->block = left->block;
    again->position = left->position;
    again->context = left->context;
    again->saved = left->saved;
    again->origin = left->origin;
    preemption_->goes_away(*again);
    returning_.add({std::move(again), block_outcome::preempted});
}

/// The children of a suspended block have ended.
void smx_scheduler::take_return(const protocol::kde_update& update) {
    const block_ptr block = blocks_.make();
    block->launch = update.launch;
    block->kde = protocol::no_kde;
    block->kernel = update.kernel;
    block->block = update.suspended.block;
    block->position = update.suspended.position;
    block->context = update.suspended.context;
    block->saved = update.suspended.saved;
    returning_.add({block, block_outcome::suspended});
}

/// Of the launches with blocks to distribute; 0 without any.
std::uint32_t smx_scheduler::highest_to_distribute() const {
    if (sscr_.valid()) return sscr_.launch()->priority;
    return chain_->empty() ? 0 : kernels_.kernel(chain_->head().kde)->priority;
}

/// The next block may come back now. A preempted one waits until no launch of higher priority is
/// left, a suspended one for those that are being distributed.
bool smx_scheduler::any_returns() const {
    const returning_block* const next = returning_.next();
    if (next == nullptr) return false;
    const std::uint32_t priority = next->block->kernel->priority;
    if (next->left_as == block_outcome::preempted) {
        return std::max(kernels_.highest_priority(), preemption_->highest_priority()) <= priority;
    }
    return highest_to_distribute() <= priority;
}

bool smx_scheduler::place_returning() {
    const block_dispatch& next = *returning_.next()->block;
    const block_resources& need = next.kernel->per_block;
    const auto sm = accounts_.find(need);
    if (!sm) {
        has_no_room(*next.kernel, accounts_.limit(need));
        return false;
    }
    const std::uint32_t warps = need.threads / machine_.warp_size;
    // A block that has been on an SMX has kept its regions.
    std::uint32_t region = next.context.value();
    if (next.saved.bytes != 0) {
        suspended_regions_ -= warps;
    } else {
        const auto free = find_region(warps);
        if (!free) {
            has_no_room(*next.kernel, block_limit::private_memory);
            return false;
        }
        region = *free;
    }
    const returning_block back = returning_.take();
    if (back.left_as == block_outcome::preempted) {
        preemption_->comes_back(*back.block);
    } else if (back.block->kernel->cooperative) {
        reserve_.remove(need);
    }
    back.block->invalidate_l1 = true;
    place(back.block, *sm, region);
    send(*back.block);
    return true;
}

}  // namespace heddle
