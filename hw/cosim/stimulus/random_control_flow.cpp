// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/cosim/stimulus/random_control_flow.h"

#include <algorithm>

#include "models/base/error.h"
#include "models/program/kernel.h"

namespace heddle::cosim {

using simt::transfer;

namespace {

void expect(bool holds, const char* what) {
    if (!holds)
        throw run_error(error_kind::wrong_result,
                        std::string("random control flow: another ") + what);
}

}  // namespace

void random_control_flow::step(bool up) {
    up_ = up;
    const auto warp = static_cast<unsigned>(random_.below(warps_.size()));
    warp_state& w = warps_[warp];
    if (w.stack.empty()) return start(warp);
    if (w.marked != 0) return transact(warp);
    switch (random_.below(up ? 200 : 16)) {
        case 0:
            return exit(warp);
        case 1:
            return mark(warp);
        case 2:
            return move(warp);
        default:
            return go(warp);
    }
}

void random_control_flow::expect_top(unsigned warp, const warp_group& group) {
    const simt::reconvergence_stack& stack = warps_[warp].stack;
    deepest = std::max(deepest, stack.entries().size());
    expect(group.lanes == (stack.empty() ? 0 : stack.top().lanes), "top: lanes");
    expect(group.pc == (stack.empty() ? 0 : stack.top().next_pc), "top: PC");
    expect(group.limit == (stack.empty() ? simt::never : stack.limit()), "top: limit");
    const simt::lane_group others = stack.waiting(~isa::lane_mask{0});
    const warp_group waiting = groups_.waiting(warp, ~isa::lane_mask{0});
    expect(waiting.lanes == others.lanes, "waiting group: lanes");
    expect(waiting.pc == others.pc, "waiting group: PC");
}

void random_control_flow::start(unsigned warp) {
    const isa::lane_mask lanes = random_.below(32) == 0 ? 0 : random_.next();
    warps_[warp] = {};
    warps_[warp].stack.reset(pc(), lanes);
    const std::uint32_t begin = lanes == 0 ? 0 : warps_[warp].stack.top().next_pc;
    expect_top(warp, groups_.start(warp, begin, lanes));
}

void random_control_flow::exit(unsigned warp) {
    const isa::lane_mask ends = warps_[warp].stack.top().lanes & random_.next();
    warps_[warp].stack.exit(ends);
    expect_top(warp, groups_.exit(warp, ends));
}

void random_control_flow::move(unsigned from) {
    const auto to = static_cast<unsigned>(random_.below(warps_.size()));
    if (warps_[to].marked != 0) return;
    std::vector<std::uint32_t> words;
    groups_.save(from, words);
    warps_[to] = warps_[from];
    expect_top(to, groups_.restore(to, words.data()));
    if (from != to) start(from);
    ++moves;
}

void random_control_flow::go(unsigned warp) {
    warp_state& w = warps_[warp];
    simt::reconvergence_stack after = w.stack;
    const std::uint32_t limit = w.stack.limit();
    transfer to;
    to.set(transfer::kind::together, random_.below(2) == 0 ? pc() : limit, w.stack.top().lanes);
    if (limit == simt::never || up_ || random_.below(3) == 0) to = any_transfer(w.stack);
    after.follow(to);
    if (after.entries().size() < w.marked) return;
    const bool straight = to.what == transfer::kind::together;
    const std::optional<warp_group> group =
        straight ? groups_.advance(warp, to.groups[0].pc) : groups_.follow(warp, to);
    expect(group.has_value() == (after.entries().size() <= entries_), "overflow");
    if (!group) {
        ++overflows;
        return start(warp);
    }
    w.stack = after;
    expect_top(warp, *group);
}

void random_control_flow::mark(unsigned warp) {
    warp_state& w = warps_[warp];
    const std::uint32_t begin = pc();
    w.marked = w.stack.entries().size();
    w.lanes = w.stack.top().lanes;
    w.stack.mark(begin);
    groups_.mark(warp, begin);
}

void random_control_flow::transact(unsigned warp) {
    warp_state& w = warps_[warp];
    expect(groups_.at_mark(warp) == w.stack.at_mark(), "mark");
    const isa::lane_mask some = w.lanes & random_.next();
    const std::uint64_t what = random_.below(12);
    if (what == 0) {
        const std::uint32_t on = pc();
        w.stack.release(on);
        w.marked = 0;
        ++commits;
        return expect_top(warp, groups_.release(warp, on));
    }
    if (what == 1 && some != 0) {
        w.stack.rewind(some);
        return expect_top(warp, groups_.rewind(warp, some));
    }
    if (what < 4 || w.stack.top().lanes == 0) {
        w.stack.leave(some);
        return expect_top(warp, groups_.leave(warp, some));
    }
    go(warp);
}

std::uint32_t random_control_flow::pc() {
    if (random_.below(1000) == 0) base_ = static_cast<std::uint32_t>(random_.next()) & 0x7ffffffcU;
    return base_ + static_cast<std::uint32_t>(4 * random_.below(6));
}

void random_control_flow::groups_of(transfer& to, isa::lane_mask lanes) {
    const auto first = pc();
    const std::uint64_t most = 1 + random_.below(4);
    to.count = 0;
    while (lanes != 0) {
        const bool last = to.count + 1 == most;
        const isa::lane_mask some = last ? lanes : lanes & random_.next();
        if (some == 0) continue;
        to.groups[to.count] = {first + 0x40 * (to.count % 2) + 4 * (to.count / 2), some};
        ++to.count;
        lanes &= ~some;
    }
}

transfer random_control_flow::any_transfer(const simt::reconvergence_stack& stack) {
    transfer to;
    const std::uint64_t what = random_.below(up_ ? 6 : 8);
    groups_of(to, stack.top().lanes);
    to.return_address = pc();
    to.reconvergence_pc = random_.below(3) == 0 ? program::function_exit : pc();
    if (what < 4) {
        to.what = transfer::kind::part;
    } else if (what < 6) {
        to.what = transfer::kind::call;
    } else {
        to.what = transfer::kind::ret;
        // Mostly to where the call was.
        if (what == 6) {
            to.set(transfer::kind::ret, stack.top().reconvergence_pc, stack.top().lanes);
        }
    }
    return to;
}

}  // namespace heddle::cosim
