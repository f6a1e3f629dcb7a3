// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Blocks that leave the SMX before their end, and come back: to wait for their children, or to make
// room for a launch of higher priority.
#include "hw/smx/smx_core.h"

namespace heddle {

using protocol::block_outcome;

bool smx_core::blocks_may_leave() const {
    return (launch_ != nullptr && launch_->waiting() != 0) || keeper_->busy();
}

/// A block whose live warps all wait for children, or for such warps at a barrier, leaves until its
/// children have ended. One that has been told to leave does so when all its warps have stopped.
void smx_core::suspend_blocks() {
    changed_ |= keeper_->stop_warps();
    const std::uint64_t parents = launch_ != nullptr ? launch_->waiting_blocks() : 0;
    bits::for_each((parents | keeper_->told()) & ~keeper_->slots(),
                   [&](unsigned slot) { try_to_leave(slot); });
    changed_ |= keeper_->cycle();
    if (const auto slot = keeper_->take_left()) suspended(*slot);
    if (const auto slot = keeper_->take_back()) resume(*slot);
}

void smx_core::try_to_leave(unsigned slot) {
    const block_table::block_context& block = blocks_.block(slot);
    if (block.running_warps == 0) return;  // it ends
    if (cooperation_ != nullptr && cooperation_->under_way(slot)) return;
    const protocol::warp_mask parents = launch_ != nullptr ? launch_->waiting() : 0;
    if (!drained(slot)) return;  // memory gets what it has written, and its warps do not rest
    if (!keeper_->may_leave(slot, parents | front_->keeper()->held())) return;
    if (!keeper_->leave(slot)) {
        // There is no room for its state: it goes on, and is as one that was not told to leave.
        if (!keeper_->told(slot)) return;
        changed_ = true;
        keeper_->let_go(slot);
        if (block.called) cooperation_->ask_again(slot);
        return;
    }
    changed_ = true;
    if (launch_ == nullptr) return;
    // Only the KMU knows on every SMX whether the children of a block have ended.
    if (launch_->has_children(*block.dispatch)) keeper_->forget(slot);
    launch_->leave(block.warps, edge_);
}

void smx_core::suspended(unsigned slot) {
    const block_table::block_context& block = blocks_.block(slot);
    if (observer_.get() != nullptr) observer_.get()->block_suspended(edge_, *block.dispatch);
    bits::for_each(block.warps, [&](unsigned warp) { front_->keeper()->leave(warp); });
    lsu_.discard_private(block.dispatch->context.value(), bits::count(block.warps));
    const auto why = keeper_->told(slot) ? block_outcome::preempted : block_outcome::suspended;
    keeper_->forget(slot);
    const pool_ptr<protocol::block_dispatch> left = blocks_.leave(slot, why, edge_);
    left->saved = keeper_->saved();
    send(*left, protocol::block_phase::done);
}

void smx_core::resume(unsigned slot) {
    changed_ = true;
    const std::vector<isa::lane_mask> live = keeper_->restore(slot, edge_);
    const block_table::block_context& block = blocks_.block(slot);
    if (block.called) cooperation_->ask_again(slot);
    if (observer_.get() == nullptr) return;
    observer_.get()->block_resumed(edge_, *block.dispatch, block.warps, live);
}

}  // namespace heddle
