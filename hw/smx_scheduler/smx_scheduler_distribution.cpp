// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Which launch goes first, and where its blocks go.
#include <utility>

#include "hw/smx_scheduler/smx_scheduler.h"

namespace heddle {

using protocol::block_dispatch;
using protocol::kde_event;
using protocol::kernel_launch;

void smx_scheduler::distribute_blocks() {
    placed_ = 0;
    while (placed_ < configuration_.blocks_per_cycle && !forked_.empty() && place_forked()) {
        ++placed_;
    }
    if (!forked_.empty()) return;
    while (placed_ < configuration_.blocks_per_cycle && any_returns() && place_returning()) {
        ++placed_;
    }
    while (placed_ < configuration_.blocks_per_cycle && select_launch() && place_block()) {
        ++placed_;
    }
}

bool smx_scheduler::select_launch() {
    if (!sscr_.valid() && !chain_->empty()) {
        const kde_chain::source next = chain_->head();
        if (next.group == null_group) {
            load_launch(next.kde);
        } else if (!groups_->chain().load(next.kde, next.group)) {
            return false;
        }
    }
    return sscr_.valid() && !is_held_up();
}

bool smx_scheduler::place_block() {
    if (sscr_.launch()->cooperative && !cooperation_.knows(sscr_.launch()->launch)) {
        begin_cooperation();
    }
    const block_resources& need = sscr_.launch()->per_block;
    block_limit limit = block_limit::none;
    if (const auto sm = accounts_.find(need); !sm) {
        limit = accounts_.limit(need);
    } else if (const auto region = find_region(need.threads / machine_.warp_size); !region) {
        limit = block_limit::private_memory;
    } else {
        dispatch_block(*sm, *region);
        return true;
    }
    has_no_room(*sscr_.launch(), limit);
    if (cooperation_.counts().groups() != 0 && limit != block_limit::handshake) {
        cooperation_.counts().waits(sscr_.launch()->launch, clocked::domain().edge());
    }
    return false;
}

/// A block of the launch has no place in this cycle.
void smx_scheduler::has_no_room(const kernel_launch& of, block_limit limit) {
    if (placed_ == 0) counts_.stalled(limit);
    if (limit != block_limit::handshake) make_room(of.priority);
}

/// The first regions that are free: as many as SMXs hold warps, beside those of blocks that will
/// come back.
std::optional<std::uint32_t> smx_scheduler::find_region(std::uint32_t warps) {
    return regions_.allocate(warps, resident_regions_ + suspended_regions_);
}

smx_scheduler::block_ptr smx_scheduler::next_block() {
    const launch_ptr launch = sscr_.launch();
    const block_ptr block = blocks_.make();
    block->launch = launch->launch;
    block->kde = sscr_.kde();
    block->group = sscr_.group();
    block->kernel = launch;
    block->block = sscr_.next_block();
    block->position = sscr_.position();
    return block;
}

void smx_scheduler::dispatch_block(sm_id sm, std::uint32_t region) {
    const block_ptr block = next_block();
    const kde_index kde = block->kde;
    block->invalidate_l1 = sscr_.visit(sm);
    place(block, sm, region);
    const bool of_group = block->group != null_group;
    kernels_.start_block(kde);
    if (of_group) groups_->chain().start_block(block->group);
    tell(kde_event::block_started, kde, block->block, of_group);
    send(*block);
    if (sscr_.advance()) exhaust(*block);
}

/// The block has its place on an SMX.
void smx_scheduler::place(const block_ptr& block, sm_id sm, std::uint32_t region) {
    block->sm = sm;
    block->slot = accounts_.take(sm, block->kernel->per_block);
    block->context = protocol::context_id(region);
    const bool cooperates = block->kernel->cooperative;
    if (cooperates) block->groups = cooperation_.groups(block->launch);
    if (block->saved.bytes == 0) {
        if (cooperates) cooperation_.placed(block->launch);
        counts_.dispatched(clocked::domain().edge(), accounts_.resident());
    } else {
        counts_.moved(clocked::domain().edge(), accounts_.resident());
    }
    if (preemption_) preemption_->placed(*block, clocked::domain().edge());
    waves_.changed(sm);
}

/// The last block of a launch has been distributed.
void smx_scheduler::exhaust(const block_dispatch& last) {
    cooperation_.counts().placed(last.launch, clocked::domain().edge());
    if (last.group != null_group) {
        chain_->advance(groups_->chain().exhaust(last.group));
        return;
    }
    kernels_.exhaust(last.kde);
    chain_->advance();
    tell(kde_event::blocks_exhausted, last.kde, last.block);
}

/// Whether a launch of higher priority may go before the one that is being distributed.
bool smx_scheduler::gives_way() const {
    if (!sscr_.valid() || sscr_.group() != null_group) return false;
    if (preemption_) return true;
    return sscr_.next_block() == 0 && !cooperation_.knows(sscr_.launch()->launch);
}

/// The launch that is being distributed goes on when its turn comes again.
void smx_scheduler::interrupt() {
    if (sscr_.next_block() != 0) interrupted_.emplace(sscr_.kde(), sscr_);
    sscr_.unload();
}

void smx_scheduler::load_launch(kde_index kde) {
    const auto found = interrupted_.find(kde);
    if (found == interrupted_.end()) return sscr_.load(kernels_.kernel(kde), kde);
    sscr_ = std::move(found->second);
    interrupted_.erase(found);
}

/// Blocks that come back go before the launch that is being distributed.
bool smx_scheduler::is_held_up() const {
    const returning_block* const next = returning_.next();
    return next != nullptr && next->block->kernel->priority >= sscr_.launch()->priority;
}

}  // namespace heddle
