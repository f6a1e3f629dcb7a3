// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/simt/reconvergence_stack.h"

#include <algorithm>

namespace heddle::simt {

void reconvergence_stack::reset(std::uint32_t pc, lane_mask lanes) {
    entries_.clear();
    waited_ = 0;
    marked_size_ = 0;
    if (lanes != 0) entries_.push_back({pc, never, 0, 0, lanes});
}

bool reconvergence_stack::pop_reconverged() {
    // Lanes may lose while they wait on the other side of a branch: then nobody goes there.
    const auto over = [&](const entry& top) {
        return reconverged(top) || (top.lanes == 0 && entries_.size() > marked_size_);
    };
    bool popped = false;
    for (; !entries_.empty() && over(entries_.back()); popped = true) entries_.pop_back();
    return popped;
}

void reconvergence_stack::push(const entry& e) {
    if (!reconverged(e)) entries_.push_back(e);
}

reconvergence_stack::entry reconvergence_stack::caller() const noexcept {
    const std::uint32_t depth = entries_.back().depth;
    for (auto e = entries_.rbegin(); e != entries_.rend(); ++e) {
        if (e->reconvergence_pc != never && e->reconvergence_depth < depth) return *e;
    }
    return {0, never, 0, 0, 0};  // outside of any call: nothing to return to
}

void reconvergence_stack::advance(std::uint32_t pc) {
    entries_.back().next_pc = pc;
    if (pop_reconverged()) settle();
}

void reconvergence_stack::follow(const transfer& to) {
    switch (to.what) {
        case transfer::kind::together:
            return advance(to.groups[0].pc);
        case transfer::kind::part:
            return part(to, to.reconvergence_pc);
        case transfer::kind::call:
            return call(to);
        case transfer::kind::ret:
            return ret(to);
        case transfer::kind::refused:
            return;
    }
}

void reconvergence_stack::part(const transfer& to, std::uint32_t reconvergence_pc) {
    entry& top = entries_.back();
    const std::uint32_t depth = top.depth;
    std::uint32_t reconvergence_depth = depth;
    if (reconvergence_pc == program::function_exit) {
        const entry call = caller();
        reconvergence_pc = call.reconvergence_pc;
        reconvergence_depth = call.reconvergence_depth;
    }
    unsigned first = 0;
    if (reconvergence_pc == never) {
        // The groups never meet: the top itself becomes the one that runs last.
        top.next_pc = to.groups[0].pc;
        top.lanes = to.groups[0].lanes;
        first = 1;
    } else {
        top.next_pc = reconvergence_pc;
        top.depth = reconvergence_depth;
        // In a loop the top already ends where this branch reconverges; it has no more to run.
        pop_reconverged();
    }
    for (unsigned g = first; g < to.count; ++g) {
        const lane_group& group = to.groups[g];
        push({group.pc, reconvergence_pc, depth, reconvergence_depth, group.lanes});
    }
    settle();
}

void reconvergence_stack::call(const transfer& to) {
    entry& top = entries_.back();
    top.next_pc = to.return_address;
    const std::uint32_t depth = top.depth;
    for (unsigned g = 0; g < to.count; ++g) {
        const lane_group& group = to.groups[g];
        entries_.push_back({group.pc, to.return_address, depth + 1, depth, group.lanes});
    }
}

void reconvergence_stack::ret(const transfer& to) {
    entry& top = entries_.back();
    if (top.depth > 0) --top.depth;
    if (to.count == 1) return advance(to.groups[0].pc);
    // Lanes return to several places only when a program has overwritten return addresses.
    part(to, top.depth == top.reconvergence_depth ? top.reconvergence_pc : never);
}

void reconvergence_stack::exit(lane_mask lanes) {
    for (entry& e : entries_) e.lanes &= ~lanes;
    const auto gone = [](const entry& e) { return e.lanes == 0; };
    entries_.erase(std::remove_if(entries_.begin(), entries_.end(), gone), entries_.end());
    pop_reconverged();
    settle();
}

void reconvergence_stack::mark(std::uint32_t pc) {
    marked_size_ = entries_.size();
    marked_ = entries_.back();
    marked_.next_pc = pc;
}

bool reconvergence_stack::at_mark() const noexcept {
    return entries_.size() == marked_size_ && top().depth == marked_.depth &&
           top().reconvergence_pc == marked_.reconvergence_pc;
}

void reconvergence_stack::leave(lane_mask lanes) {
    for (std::size_t e = marked_size_ - 1; e < entries_.size(); ++e) entries_[e].lanes &= ~lanes;
    while (entries_.size() > marked_size_ && (top().lanes == 0 || reconverged(top()))) {
        entries_.pop_back();
    }
    settle();
}

void reconvergence_stack::rewind(lane_mask lanes) {
    entries_.resize(marked_size_ - 1);
    entries_.push_back(marked_);
    entries_.back().lanes &= lanes;
    settle();
}

void reconvergence_stack::release(std::uint32_t pc) {
    rewind(marked_.lanes);
    marked_size_ = 0;
    advance(pc);
}

void reconvergence_stack::watch() {
    waited_ = 0;
    for (const entry& e : entries_) waited_ |= e.lanes;
    settle();
}

lane_group reconvergence_stack::waiting(lane_mask live) const {
    if (entries_.empty()) return {never, 0};
    const lane_mask others = live & ~top().lanes;
    // Lanes that wait are first found, from the top, in the entry that will take them on.
    const auto holder = std::find_if(entries_.rbegin(), entries_.rend(),
                                     [&](const entry& e) { return (e.lanes & others) != 0; });
    if (holder == entries_.rend()) return {never, 0};
    return {holder->next_pc, others};
}

}  // namespace heddle::simt
