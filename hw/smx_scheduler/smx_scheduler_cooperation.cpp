// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Cooperative launches: what they start with, what is wanted of them, and what they may start.
#include <algorithm>

#include "hw/smx_scheduler/smx_scheduler.h"
#include "models/simt/special_registers.h"

namespace heddle {

using protocol::block_dispatch;
using protocol::kde_event;
using protocol::kernel_launch;

/// The next forked block goes to an SMX. There is room for it, but the SMX may not have started the
/// block that it got before.
bool smx_scheduler::place_forked() {
    const block_ptr block = forked_.front();
    const block_resources& need = block->kernel->per_block;
    const auto sm = accounts_.find(need);
    if (!sm) return false;
    const auto region = regions_.allocate(need.threads / machine_.warp_size,
                                          resident_regions_ + suspended_regions_);
    if (!region) return false;
    forked_.pop_front();
    block->invalidate_l1 = true;
    place(block, *sm, *region);
    send(*block);
    return true;
}

/// The blocks that a cooperative launch starts with are decided when there is room for the first.
void smx_scheduler::begin_cooperation() {
    const launch_ptr& launch = sscr_.launch();
    const std::uint32_t most = sscr_.blocks_left();
    std::uint32_t started = most;
    if (machine_.coop.enabled) {
        started = places(*launch, most);
        if (started == 0) return;
        const std::uint32_t kept = reserve_.places(launch->per_block);
        started = std::max(started, kept + 1) - kept;
        sscr_.shorten(started);
    }
    cooperation_.begin(launch, sscr_.kde(), started);
}

/// How many blocks of a launch could start now, at most `most`.
std::uint32_t smx_scheduler::places(const kernel_launch& of, std::uint32_t most) {
    const std::uint32_t warps = of.per_block.threads / machine_.warp_size;
    const std::uint32_t room = std::min(most, accounts_.places(of.per_block));
    std::vector<std::uint32_t> tried;
    while (tried.size() < room) {
        const auto region = regions_.allocate(warps, resident_regions_ + suspended_regions_);
        if (!region) break;
        tried.push_back(*region);
    }
    for (const std::uint32_t region : tried) (void)regions_.release(region, warps);
    return static_cast<std::uint32_t>(tried.size());
}

/// Blocks that those who come back, or the launch being distributed, have no room for, without
/// those that are about to end.
std::uint32_t smx_scheduler::wanted() const {
    if (any_returns()) {
        return lacking(*returning_.next()->block->kernel,
                       static_cast<std::uint32_t>(returning_.size()));
    }
    if (!sscr_.valid()) return 0;
    const kernel_launch& launch = *sscr_.launch();
    const bool begins = launch.cooperative && !cooperation_.knows(launch.launch);
    return lacking(launch, begins ? 1 : sscr_.blocks_left());
}

/// Of so many blocks of a launch, those without room.
std::uint32_t smx_scheduler::lacking(const kernel_launch& of, std::uint32_t blocks) const {
    // Where private memory is in pieces, room is not all that a block needs.
    const std::uint32_t room =
        counts_.stall() == block_limit::private_memory ? 0 : accounts_.places(of.per_block);
    const std::uint32_t coming = room + cooperation_.dying();
    return blocks - std::min(blocks, coming);
}

simt::cooperation_terms smx_scheduler::terms(const kernel_launch& of, std::uint32_t room) {
    simt::cooperation_terms terms;
    // A launch of higher priority does not ask: it takes.
    const bool preempts =
        preemption_ &&
        (highest_to_distribute() > of.priority ||
         (any_returns() && returning_.next()->block->kernel->priority > of.priority));
    terms.wanted = preempts ? 0 : wanted();
    const returning_block* const back = returning_.next();
    const bool stopped = (back != nullptr && back->block->kernel->priority >= of.priority) ||
                         (preemption_ && preemption_->stops(of.priority));
    if (!sscr_.valid() && chain_->empty() && forked_.empty() && !stopped && room != 0) {
        const std::uint32_t free = places(of, room + reserve_.places(of.per_block));
        terms.places = free - std::min(free, reserve_.places(of.per_block));
    }
    return terms;
}

void smx_scheduler::fork(const launch_ptr& of, kde_index kde, std::uint32_t first,
                         std::uint32_t count, const newcomer& origin) {
    // All blocks that it had may have been suspended, and the entry have been released.
    const bool in_entry = kernels_.kernel(kde) == of;
    for (std::uint32_t number = first; number < first + count; ++number) {
        const block_ptr block = blocks_.make();
        block->launch = of->launch;
        block->kde = in_entry ? kde : protocol::no_kde;
        block->kernel = of;
        block->block = number;
        block->position = simt::unflatten(number, of->grid);
        block->origin = origin;
        forked_.push_back(block);
        if (!in_entry) continue;
        // The entry has the block from now on, lest it be over before.
        kernels_.start_block(kde);
        tell(kde_event::block_started, kde, number, true);
    }
}

/// Whether the block that has ended is the last one of its launch.
bool smx_scheduler::was_last(const block_dispatch& block, bool killed) {
    if (block.kernel->cooperative) return cooperation_.block_ended(block.launch, killed);
    return ++block.kernel->blocks_ended == block.kernel->grid.count();
}

}  // namespace heddle
