// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/issue/outcome_follower.h"

namespace heddle {

void outcome_follower::follow(unsigned warp, const execution_outcome& outcome,
                              isa::lane_mask lanes) {
    using kind = execution_outcome::kind;
    warp_group& group = of_.paths.group(warp);
    switch (outcome.what) {
        case kind::goes_to:
            turned_ |= bits::one(warp);
            if (outcome.where.what == simt::transfer::kind::together) {
                return go_on(*formation_, warp, group, outcome.where.groups[0].pc);
            }
            if (const auto next = formation_->follow(warp, outcome.where)) {
                group = *next;
            } else {
                of_.blocks.fault(warp, bits::first(lanes), group.pc,
                                 full_stack_text(stack_entries_));
            }
            return;
        case kind::ends:
            group = formation_->exit(warp, lanes);
            (group.lanes != 0 ? turned_ : of_.events.ended) |= bits::one(warp);
            return;
        case kind::refused:
            return;
        case kind::waits_in_place:
            of_.waits.begin(outcome.reason, warp);
            return;
        case kind::waits_at_barrier:
            of_.waits.begin(wait_reason::barrier, warp);
            break;
        case kind::waits_for_accesses:
            fences_.wait(warp, of_.blocks.block(of_.blocks.warp(warp).block).warps, of_.lsu);
            break;
        case kind::waits_for_unit:
            of_.waits.begin(outcome.reason, warp);
            break;
        case kind::straight_on:
            break;
    }
    go_on(*formation_, warp, group, group.pc + 4);
}

}  // namespace heddle
