// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/block_life/preempted_blocks.h"

#include "hw/base/report_error.h"

namespace heddle {

tlm::tlm_sync_enum preempted_blocks::preempt(protocol::kde_update& update) {
    if (update.event != protocol::kde_event::preempt ||
        !updates_.push(pool_ptr<protocol::kde_update>(&update))) {
        report_error(
            "heddle/smx/preempt_socket",
            owner_.part_name() + ": update of the SMX scheduler; legal: preempt, once a cycle");
    }
    return tlm::TLM_COMPLETED;
}

void preempted_blocks::take_updates() {
    while (updates_.ready() != nullptr) {
        const launch_id launch = updates_.pop()->launch;
        for (unsigned slot = 0; slot < blocks_.block_slots(); ++slot) {
            const block_table::block_context& block = blocks_.block(slot);
            if (block.dispatch && block.dispatch->launch == launch) actions_.tell_to_leave(slot);
        }
    }
}

std::uint64_t preempted_blocks::to_leave(bool& changed) {
    take_updates();
    const protocol::warp_mask before = warps_.held();
    std::uint64_t here = actions_.told_to_leave() & ~blocks_.slots_in(block_state::coming) &
                         ~blocks_.slots_in(block_state::leaving);
    // The scheduler hears of a block's start before it hears that the block has left.
    bits::for_each(here, [&](unsigned slot) {
        if (!blocks_.block(slot).announced) here &= ~bits::one(slot);
    });
    bits::for_each(here, [&](unsigned slot) {
        bits::for_each(blocks_.block(slot).warps & ~before, [&](unsigned warp) {
            if (blocks_.warp(warp).live != 0) warps_.hold(warp);
        });
    });
    changed |= warps_.held() != before;
    return here;
}

std::optional<protocol::block_outcome> preempted_blocks::reason(unsigned slot) const {
    if (!actions_.told_to_leave(slot)) return std::nullopt;
    return protocol::block_outcome::preempted;
}

bool preempted_blocks::stays(unsigned slot) {
    if (!actions_.told_to_leave(slot)) return false;
    actions_.forget_to_leave(slot);
    bits::for_each(blocks_.block(slot).warps, [&](unsigned warp) { warps_.go_on(warp); });
    return true;
}

}  // namespace heddle
