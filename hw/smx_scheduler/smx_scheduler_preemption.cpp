// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Preemption: blocks leave for a launch of higher priority, and come back.
#include <algorithm>
#include <utility>

#include "hw/smx_scheduler/smx_scheduler.h"

namespace heddle {

using protocol::block_dispatch;
using protocol::kde_event;
using protocol::kde_phase;

/// The launch that is being distributed has no room.
void smx_scheduler::make_room() {
    if (!preemption_ || preemption_->leaving() != 0) return;
    const launch_ptr victim = preemption_->victim(sscr_.launch()->priority);
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
    for (auto each = others; each != forked_.end(); ++each) preemption_->keep(std::move(*each));
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
    preemption_->keep(std::move(again));
}

/// Blocks may come back now: no launch is left that has a higher priority.
bool smx_scheduler::any_returns() const {
    const block_dispatch* const next = preemption_ ? preemption_->next() : nullptr;
    return next != nullptr && kernels_.highest_priority() <= next->kernel->priority;
}

bool smx_scheduler::place_returning() {
    const block_dispatch& next = *preemption_->next();
    const block_resources& need = next.kernel->per_block;
    const auto sm = accounts_.find(need);
    if (!sm) return false;
    const std::uint32_t warps = need.threads / machine_.warp_size;
    std::uint32_t region = next.context.value();
    if (next.saved.bytes != 0) {
        suspended_regions_ -= warps;
    } else {
        const auto free = regions_.allocate(warps, resident_regions_ + suspended_regions_);
        if (!free) return false;
        region = *free;
    }
    const block_ptr block = preemption_->take();
    block->invalidate_l1 = true;
    place(block, *sm, region);
    send(*block);
    return true;
}

}  // namespace heddle
