// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/simt/transfer.h"

namespace heddle::simt {

transfer jump_register(const control_site& at, const isa::instruction& i,
                       const std::uint32_t* targets) noexcept {
    transfer to;
    to.count = 0;
    for (lane_mask left = at.lanes; left != 0;) {
        const std::uint32_t target = targets[bits::first(left)];
        lane_mask same = 0;
        bits::for_each(left, [&](unsigned lane) {
            if (targets[lane] == target) same |= bits::one(lane);
        });
        if (!at.code.contains(target)) {
            to.set(transfer::kind::refused, target, same);
            return to;
        }
        to.groups[to.count++] = {target, same};
        left &= ~same;
    }
    ++at.counts.branches;
    if (to.count > 1) ++at.counts.divergent_branches;
    if (i.is_call()) {
        to.what = transfer::kind::call;
        to.return_address = at.pc + 4;
    } else if (i.is_return()) {
        to.what = transfer::kind::ret;
    } else if (to.count == 1) {
        to.what = transfer::kind::together;
    } else {
        to.what = transfer::kind::part;
        to.reconvergence_pc = at.code.reconvergence[at.code.index(at.pc)];
    }
    return to;
}

}  // namespace heddle::simt
