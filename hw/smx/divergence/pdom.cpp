// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/divergence/pdom.h"

#include <utility>

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

std::optional<warp_group> pdom_formation::follow(unsigned warp, const simt::transfer& to) {
    stacks_[warp].follow(to);
    if (stack_entries_ != 0 && stacks_[warp].entries().size() > stack_entries_) return {};
    return top(warp);
}

warp_group pdom_formation::exit(unsigned warp, isa::lane_mask lanes) {
    stacks_[warp].exit(lanes);
    return top(warp);
}

void pdom_formation::save(unsigned warp, std::vector<std::uint32_t>& words) const {
    const auto& entries = stacks_[warp].entries();
    words.push_back(static_cast<std::uint32_t>(entries.size()));
    for (const simt::reconvergence_stack::entry& e : entries) {
        words.insert(words.end(), {e.next_pc, e.reconvergence_pc, e.depth, e.reconvergence_depth,
                                   static_cast<std::uint32_t>(e.lanes),
                                   static_cast<std::uint32_t>(e.lanes >> 32)});
    }
}

warp_group pdom_formation::restore(unsigned warp, const std::uint32_t* words) {
    std::vector<simt::reconvergence_stack::entry> entries(*words++);
    for (simt::reconvergence_stack::entry& e : entries) {
        e = {words[0], words[1], words[2], words[3], words[4] | isa::lane_mask{words[5]} << 32};
        words += 6;
    }
    stacks_[warp].restore(std::move(entries));
    return top(warp);
}

warp_group pdom_formation::leave(unsigned warp, isa::lane_mask lanes) {
    stacks_[warp].leave(lanes);
    return top(warp);
}

warp_group pdom_formation::rewind(unsigned warp, isa::lane_mask lanes) {
    stacks_[warp].rewind(lanes);
    return top(warp);
}

warp_group pdom_formation::release(unsigned warp, std::uint32_t pc) {
    stacks_[warp].release(pc);
    return top(warp);
}

warp_group pdom_formation::waiting(unsigned warp, isa::lane_mask live) const {
    const simt::lane_group others = stacks_[warp].waiting(live);
    return {others.pc, simt::never, others.lanes};
}

}  // namespace heddle
