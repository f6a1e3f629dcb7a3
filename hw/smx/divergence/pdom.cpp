// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/divergence/pdom.h"

#include <algorithm>

namespace heddle {

warp_group pdom_formation::top(unsigned warp) const {
    const simt::reconvergence_stack& stack = stacks_[warp];
    if (stack.empty()) return {};
    const auto& entry = stack.top();
    // While the call depths differ the top can't reconverge, whatever its PC.
    const bool same_depth = entry.depth == entry.reconvergence_depth;
    return {entry.next_pc, same_depth ? entry.reconvergence_pc : simt::never, entry.lanes};
}

warp_group pdom_formation::start(unsigned warp, std::uint32_t pc, isa::lane_mask lanes) {
    stacks_[warp].reset(pc, lanes);
    return top(warp);
}

warp_group pdom_formation::advance(unsigned warp, std::uint32_t pc) {
    stacks_[warp].advance(pc);
    return top(warp);
}

warp_group pdom_formation::branch(unsigned warp, isa::lane_mask taken, std::uint32_t target,
                                  std::uint32_t fall_through, std::uint32_t reconvergence_pc) {
    stacks_[warp].branch(taken, target, fall_through, reconvergence_pc);
    return top(warp);
}

warp_group pdom_formation::call(unsigned warp, const simt::lane_group* groups, unsigned count,
                                std::uint32_t return_address) {
    stacks_[warp].call(groups, count, return_address);
    return top(warp);
}

warp_group pdom_formation::ret(unsigned warp, const simt::lane_group* groups, unsigned count) {
    stacks_[warp].ret(groups, count);
    return top(warp);
}

warp_group pdom_formation::jump(unsigned warp, const simt::lane_group* groups, unsigned count,
                                std::uint32_t reconvergence_pc) {
    stacks_[warp].jump(groups, count, reconvergence_pc);
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
