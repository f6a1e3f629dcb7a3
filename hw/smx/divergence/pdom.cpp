// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/divergence/pdom.h"

namespace heddle {

warp_group pdom_formation::top(unsigned warp) const {
    const simt::reconvergence_stack& stack = stacks_[warp];
    if (stack.empty()) return {};
    return {stack.top().next_pc, stack.limit(), stack.top().lanes};
}

warp_group pdom_formation::start(unsigned warp, std::uint32_t pc, isa::lane_mask lanes) {
    stacks_[warp].reset(pc, lanes);
    return top(warp);
}

warp_group pdom_formation::advance(unsigned warp, std::uint32_t pc) {
    stacks_[warp].advance(pc);
    return top(warp);
}

warp_group pdom_formation::follow(unsigned warp, const simt::transfer& to) {
    stacks_[warp].follow(to);
    return top(warp);
}

warp_group pdom_formation::exit(unsigned warp, isa::lane_mask lanes) {
    stacks_[warp].exit(lanes);
    return top(warp);
}

warp_group pdom_formation::waiting(unsigned warp, isa::lane_mask live) const {
    const simt::lane_group others = stacks_[warp].waiting(live);
    return {others.pc, simt::never, others.lanes};
}

}  // namespace heddle
