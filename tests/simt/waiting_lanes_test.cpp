// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Which lanes of a reconvergence stack have waited all along.
#include <gtest/gtest.h>

#include "models/simt/reconvergence_stack.h"

namespace heddle::simt {
namespace {

/// Mask with lane 0 leftmost.
constexpr lane_mask lanes(const char* bits) {
    lane_mask mask = 0;
    for (unsigned lane = 0; bits[lane] != 0; ++lane) {
        if (bits[lane] == '1') mask |= lane_mask{1} << lane;
    }
    return mask;
}

void branch(reconvergence_stack& stack, lane_mask taken, std::uint32_t target,
            std::uint32_t fall_through, std::uint32_t reconvergence_pc) {
    transfer to;
    to.what = transfer::kind::part;
    to.count = 2;
    to.groups[0] = {fall_through, stack.top().lanes & ~taken};
    to.groups[1] = {target, taken};
    to.reconvergence_pc = reconvergence_pc;
    stack.follow(to);
}

/// Lanes spin at 'S' until they leave for 'R', as in a loop.
void leave_loop(reconvergence_stack& stack, lane_mask leaving) {
    branch(stack, stack.top().lanes & ~leaving, 'S', 'R', 'R');
}

TEST(waiting_lanes, tells_who_has_waited_all_along) {
    reconvergence_stack stack;
    stack.reset('A', lanes("1111"));
    EXPECT_EQ(stack.waited(), 0U);
    leave_loop(stack, lanes("1000"));
    EXPECT_EQ(stack.waited(), 0U) << "nobody has asked";
    stack.watch();
    EXPECT_EQ(stack.waited(), lanes("1000"));
    leave_loop(stack, lanes("0100"));
    EXPECT_EQ(stack.waited(), lanes("1000")) << "lane 1 has run since";
    branch(stack, lanes("0010"), 'B', 'S', 'M');
    EXPECT_EQ(stack.waited(), lanes("1000"));
    stack.watch();
    EXPECT_EQ(stack.waited(), lanes("1101"));
    stack.advance('M');  // lane 3 has its turn
    EXPECT_EQ(stack.waited(), lanes("1100"));
    stack.advance('M');
    EXPECT_EQ(stack.waited(), lanes("1100"));
    stack.advance('R');
    EXPECT_EQ(stack.waited(), 0U);
}

TEST(waiting_lanes, who_runs_has_not_waited_whatever_let_it_run) {
    const auto waiting = [] {
        reconvergence_stack stack;
        stack.reset('A', lanes("1111"));
        branch(stack, lanes("1000"), 'B', 'C', 'D');
        stack.watch();
        EXPECT_EQ(stack.waited(), lanes("0111"));
        return stack;
    };
    reconvergence_stack exits = waiting();
    exits.exit(lanes("1000"));
    EXPECT_EQ(exits.waited(), 0U);
    reconvergence_stack leaves = waiting();
    branch(leaves, 0, 'D', 'D', 'D');  // the branch of a loop: all leave
    EXPECT_EQ(leaves.waited(), 0U);
    reconvergence_stack moved = waiting();
    moved.restore(moved.entries());
    EXPECT_EQ(moved.waited(), 0U) << "it may have been elsewhere meanwhile";
    reconvergence_stack next = waiting();
    next.reset('A', lanes("1111"));
    EXPECT_EQ(next.waited(), 0U);
}

TEST(waiting_lanes, losers_of_a_transaction_have_waited_until_it_starts_again) {
    reconvergence_stack stack;
    stack.reset('A', lanes("1111"));
    branch(stack, lanes("1110"), 'B', 'C', 'D');
    stack.mark('B');
    branch(stack, lanes("1000"), 'E', 'F', 'G');
    stack.watch();
    EXPECT_EQ(stack.waited(), lanes("0111"));
    stack.leave(lanes("1000"));
    EXPECT_EQ(stack.waited(), lanes("0001"));
    stack.rewind(lanes("1000"));
    EXPECT_EQ(stack.waited(), lanes("0001"));
    stack.release('H');
    EXPECT_EQ(stack.waited(), lanes("0001"));
    stack.advance('D');
    EXPECT_EQ(stack.waited(), 0U);
}

}  // namespace
}  // namespace heddle::simt
