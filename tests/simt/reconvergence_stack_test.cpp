// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/simt/reconvergence_stack.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace heddle::simt {
namespace {

using testing::ElementsAre;

/// Entry as the thesis prints it: next PC, mask with thread 1 leftmost, reconvergence PC.
std::string text(const reconvergence_stack::entry& e) {
    std::string mask;
    for (unsigned lane = 0; lane < 4; ++lane) mask += (e.lanes >> lane & 1) != 0 ? '1' : '0';
    const auto name = [](std::uint32_t pc) {
        return pc == never ? std::string("-") : std::string(1, static_cast<char>(pc));
    };
    return name(e.next_pc) + "/" + mask + "/" + name(e.reconvergence_pc);
}

std::vector<std::string> text(const reconvergence_stack& stack) {
    std::vector<std::string> lines;
    for (const auto& e : stack.entries()) lines.push_back(text(e));
    return lines;
}

/// Mask from the thesis' notation: thread 1 leftmost.
constexpr lane_mask threads(const char* bits) {
    lane_mask mask = 0;
    for (unsigned lane = 0; bits[lane] != 0; ++lane) {
        if (bits[lane] == '1') mask |= lane_mask{1} << lane;
    }
    return mask;
}

transfer to_groups(transfer::kind what, const std::vector<lane_group>& groups) {
    transfer to;
    to.what = what;
    to.count = static_cast<unsigned>(groups.size());
    std::copy(groups.begin(), groups.end(), to.groups.begin());
    return to;
}

void part(reconvergence_stack& stack, const std::vector<lane_group>& groups,
          std::uint32_t reconvergence_pc) {
    transfer to = to_groups(transfer::kind::part, groups);
    to.reconvergence_pc = reconvergence_pc;
    stack.follow(to);
}

void branch(reconvergence_stack& stack, lane_mask taken, std::uint32_t target,
            std::uint32_t fall_through, std::uint32_t reconvergence_pc) {
    part(stack, {{fall_through, stack.top().lanes & ~taken}, {target, taken}}, reconvergence_pc);
}

void call(reconvergence_stack& stack, const std::vector<lane_group>& groups,
          std::uint32_t return_address) {
    transfer to = to_groups(transfer::kind::call, groups);
    to.return_address = return_address;
    stack.follow(to);
}

void ret(reconvergence_stack& stack, const std::vector<lane_group>& groups) {
    stack.follow(to_groups(transfer::kind::ret, groups));
}

/// Fung 2008, figure 3.1: A branches to B and F (reconvergence G), B to C and D (E).
TEST(reconvergence_stack, thesis_figure_3_1) {
    reconvergence_stack stack;
    stack.reset('A', threads("1111"));
    EXPECT_THAT(text(stack), ElementsAre("A/1111/-"));
    branch(stack, threads("1110"), 'B', 'F', 'G');
    EXPECT_THAT(text(stack), ElementsAre("G/1111/-", "F/0001/G", "B/1110/G"));  // (c)
    branch(stack, threads("1000"), 'C', 'D', 'E');
    EXPECT_THAT(text(stack), ElementsAre("G/1111/-", "F/0001/G", "E/1110/G", "D/0110/E",
                                         "C/1000/E"));  // (d)
    stack.advance('E');
    EXPECT_THAT(text(stack), ElementsAre("G/1111/-", "F/0001/G", "E/1110/G", "D/0110/E"));
    stack.advance('E');
    EXPECT_THAT(text(stack), ElementsAre("G/1111/-", "F/0001/G", "E/1110/G"));  // (e)
    stack.advance('G');
    EXPECT_THAT(text(stack), ElementsAre("G/1111/-", "F/0001/G"));
    stack.advance('G');
    EXPECT_THAT(text(stack), ElementsAre("G/1111/-"));
}

TEST(reconvergence_stack, one_next_pc_overwrites_the_top) {
    reconvergence_stack stack;
    stack.reset(0, 0xf);
    stack.advance(4);
    EXPECT_EQ(stack.top().next_pc, 4u);
    EXPECT_EQ(stack.entries().size(), 1u);
}

TEST(reconvergence_stack, side_that_starts_at_the_reconvergence_point_is_not_pushed) {
    reconvergence_stack stack;
    stack.reset('A', threads("1111"));
    branch(stack, threads("1100"), 'R', 'B', 'R');  // if without else, taken skips the body
    EXPECT_THAT(text(stack), ElementsAre("R/1111/-", "B/0011/R"));
    stack.reset('A', threads("1111"));
    branch(stack, threads("1100"), 'B', 'R', 'R');
    EXPECT_THAT(text(stack), ElementsAre("R/1111/-", "B/1100/R"));
}

TEST(reconvergence_stack, loop_that_lanes_leave_one_by_one_does_not_grow) {
    reconvergence_stack stack;
    stack.reset('L', threads("1111"));
    branch(stack, threads("0111"), 'L', 'X', 'X');
    branch(stack, threads("0011"), 'L', 'X', 'X');
    branch(stack, threads("0001"), 'L', 'X', 'X');
    EXPECT_THAT(text(stack), ElementsAre("X/1111/-", "L/0001/X"));
    stack.advance('X');
    EXPECT_THAT(text(stack), ElementsAre("X/1111/-"));
}

TEST(reconvergence_stack, nested_entries_with_one_reconvergence_point_pop_together) {
    reconvergence_stack stack;
    stack.reset('A', threads("1111"));
    branch(stack, threads("1100"), 'B', 'C', 'R');
    branch(stack, threads("1000"), 'D', 'E', 'R');  // inner branch with the same post-dominator
    EXPECT_THAT(text(stack), ElementsAre("R/1111/-", "C/0011/R", "E/0100/R", "D/1000/R"));
    stack.advance('R');
    stack.advance('R');
    EXPECT_THAT(text(stack), ElementsAre("R/1111/-", "C/0011/R"));
}

TEST(reconvergence_stack, exit_removes_lanes_everywhere_and_drops_empty_entries) {
    reconvergence_stack stack;
    stack.reset('A', threads("1111"));
    branch(stack, threads("1110"), 'B', 'F', 'G');
    branch(stack, threads("1000"), 'C', 'D', 'E');
    stack.exit(threads("1000"));
    EXPECT_THAT(text(stack), ElementsAre("G/0111/-", "F/0001/G", "E/0110/G", "D/0110/E"));
    stack.exit(threads("0110"));
    EXPECT_THAT(text(stack), ElementsAre("G/0001/-", "F/0001/G"));
    stack.exit(threads("0001"));
    EXPECT_TRUE(stack.empty());
}

/// The call comes just before the point where its caller waits for others.
TEST(reconvergence_stack, exit_in_a_called_function_lets_the_others_reconverge) {
    reconvergence_stack stack;
    stack.reset('A', threads("1111"));
    branch(stack, threads("1100"), 'B', 'C', 'R');
    call(stack, {{'f', threads("1000")}, {'g', threads("0100")}}, 'R');
    ret(stack, {{'R', threads("0100")}});
    EXPECT_THAT(text(stack), ElementsAre("R/1111/-", "C/0011/R", "R/1100/R", "f/1000/R"));
    stack.exit(threads("1000"));
    EXPECT_THAT(text(stack), ElementsAre("R/0111/-", "C/0011/R"));
}

TEST(reconvergence_stack, call_returns_to_its_caller) {
    reconvergence_stack stack;
    stack.reset('A', threads("1111"));
    const lane_group f{'f', threads("1111")};
    call(stack, {f}, 'B');
    EXPECT_THAT(text(stack), ElementsAre("B/1111/-", "f/1111/B"));
    const lane_group back{'B', threads("1111")};
    ret(stack, {back});
    EXPECT_THAT(text(stack), ElementsAre("B/1111/-"));
    EXPECT_EQ(stack.top().depth, 0u);
}

TEST(reconvergence_stack, branch_that_ends_with_its_function_meets_in_the_caller) {
    reconvergence_stack stack;
    stack.reset('A', threads("1111"));
    const lane_group f{'f', threads("1111")};
    call(stack, {f}, 'B');
    branch(stack, threads("1000"), 'g', 'h', program::function_exit);
    EXPECT_THAT(text(stack), ElementsAre("B/1111/-", "h/0111/B", "g/1000/B"));
    const lane_group early{'B', threads("1000")};
    ret(stack, {early});
    EXPECT_THAT(text(stack), ElementsAre("B/1111/-", "h/0111/B"));
    const lane_group late{'B', threads("0111")};
    ret(stack, {late});
    EXPECT_THAT(text(stack), ElementsAre("B/1111/-"));
    EXPECT_EQ(stack.top().depth, 0u);
}

/// An inner activation that returns to the same address must not end the outer one.
TEST(reconvergence_stack, recursion_through_one_call_site) {
    reconvergence_stack stack;
    stack.reset('A', threads("1111"));
    const lane_group all{'f', threads("1111")};
    call(stack, {all}, 'B');
    branch(stack, threads("1100"), 'c', 'e', program::function_exit);  // 1100 recurse, 0011 leave
    const lane_group inner{'f', threads("1100")};
    call(stack, {inner}, 'R');
    const lane_group innermost{'f', threads("1100")};
    call(stack, {innermost}, 'R');
    EXPECT_THAT(text(stack),
                ElementsAre("B/1111/-", "e/0011/B", "R/1100/B", "R/1100/R", "f/1100/R"));
    const lane_group back{'R', threads("1100")};
    ret(stack, {back});
    EXPECT_THAT(text(stack), ElementsAre("B/1111/-", "e/0011/B", "R/1100/B", "R/1100/R"));
    ret(stack, {back});
    EXPECT_THAT(text(stack), ElementsAre("B/1111/-", "e/0011/B", "R/1100/B"));
    const lane_group out{'B', threads("1100")};
    ret(stack, {out});
    EXPECT_THAT(text(stack), ElementsAre("B/1111/-", "e/0011/B"));
}

TEST(reconvergence_stack, indirect_call_runs_each_function_and_meets_after_it) {
    reconvergence_stack stack;
    stack.reset('A', threads("1111"));
    const std::vector<lane_group> groups = {{'f', threads("1010")}, {'g', threads("0101")}};
    call(stack, groups, 'B');
    EXPECT_THAT(text(stack), ElementsAre("B/1111/-", "f/1010/B", "g/0101/B"));
    const lane_group from_g{'B', threads("0101")};
    ret(stack, {from_g});
    const lane_group from_f{'B', threads("1010")};
    ret(stack, {from_f});
    EXPECT_THAT(text(stack), ElementsAre("B/1111/-"));
}

TEST(reconvergence_stack, indirect_tail_call_meets_where_the_caller_goes_on) {
    reconvergence_stack stack;
    stack.reset('A', threads("1111"));
    const lane_group f{'f', threads("1111")};
    call(stack, {f}, 'B');
    const std::vector<lane_group> groups = {{'g', threads("1010")}, {'h', threads("0101")}};
    part(stack, groups, program::function_exit);
    EXPECT_THAT(text(stack), ElementsAre("B/1111/-", "g/1010/B", "h/0101/B"));
}

TEST(reconvergence_stack, jump_table_meets_at_its_post_dominator) {
    reconvergence_stack stack;
    stack.reset('A', threads("1111"));
    const std::vector<lane_group> cases = {
        {'b', threads("1000")}, {'R', threads("0100")}, {'c', threads("0011")}};
    part(stack, cases, 'R');
    EXPECT_THAT(text(stack), ElementsAre("R/1111/-", "b/1000/R", "c/0011/R"));
    stack.advance('R');
    stack.advance('R');
    EXPECT_THAT(text(stack), ElementsAre("R/1111/-"));
}

/// A smashed return address: nothing is lost, and the lanes that return properly meet again.
TEST(reconvergence_stack, return_to_several_places) {
    reconvergence_stack stack;
    stack.reset('A', threads("1111"));
    const lane_group f{'f', threads("1111")};
    call(stack, {f}, 'B');
    const std::vector<lane_group> targets = {{'B', threads("1110")}, {'X', threads("0001")}};
    ret(stack, targets);
    EXPECT_THAT(text(stack), ElementsAre("B/1111/-", "X/0001/B"));
}

TEST(reconvergence_stack, sides_that_never_meet_outside_of_any_call) {
    reconvergence_stack stack;
    stack.reset('A', threads("1111"));
    branch(stack, threads("1100"), 'B', 'C', program::function_exit);
    EXPECT_THAT(text(stack), ElementsAre("C/0011/-", "B/1100/-"));
    stack.exit(threads("1100"));
    EXPECT_THAT(text(stack), ElementsAre("C/0011/-"));
}

/// A transaction at B, in one side of a branch of A that meets at G.
reconvergence_stack in_transaction() {
    reconvergence_stack stack;
    stack.reset('A', threads("1111"));
    branch(stack, threads("1110"), 'B', 'F', 'G');
    stack.mark('B');
    return stack;
}

TEST(reconvergence_stack, losers_leave_the_entries_of_the_transaction_only) {
    reconvergence_stack stack = in_transaction();
    branch(stack, threads("1000"), 'D', 'C', 'E');
    stack.leave(threads("0100"));
    EXPECT_THAT(text(stack),
                ElementsAre("G/1111/-", "F/0001/G", "E/1010/G", "C/0010/E", "D/1000/E"));
    stack.leave(threads("1000"));
    EXPECT_THAT(text(stack), ElementsAre("G/1111/-", "F/0001/G", "E/0010/G", "C/0010/E"));
}

TEST(reconvergence_stack, side_that_all_have_left_while_they_waited_is_passed_over) {
    reconvergence_stack stack = in_transaction();
    branch(stack, threads("1000"), 'D', 'C', 'E');
    stack.leave(threads("0110"));
    EXPECT_THAT(text(stack),
                ElementsAre("G/1111/-", "F/0001/G", "E/1000/G", "C/0000/E", "D/1000/E"));
    stack.advance('E');
    EXPECT_THAT(text(stack), ElementsAre("G/1111/-", "F/0001/G", "E/1000/G"));
}

TEST(reconvergence_stack, transaction_that_all_have_lost_keeps_its_entry) {
    reconvergence_stack stack = in_transaction();
    branch(stack, threads("1000"), 'D', 'C', 'E');
    stack.leave(threads("1110"));
    EXPECT_THAT(text(stack), ElementsAre("G/1111/-", "F/0001/G", "E/0000/G"));
    stack.rewind(threads("0110"));
    EXPECT_THAT(text(stack), ElementsAre("G/1111/-", "F/0001/G", "B/0110/G"));
}

TEST(reconvergence_stack, lanes_that_wait_where_others_have_lost_go_on_behind_their_branch) {
    reconvergence_stack stack = in_transaction();
    branch(stack, threads("1000"), 'D', 'E', 'E');  // the others wait at E, where they meet
    EXPECT_THAT(text(stack), ElementsAre("G/1111/-", "F/0001/G", "E/1110/G", "D/1000/E"));
    stack.leave(threads("1000"));
    EXPECT_THAT(text(stack), ElementsAre("G/1111/-", "F/0001/G", "E/0110/G"));
    stack.release('H');
    EXPECT_THAT(text(stack), ElementsAre("G/1111/-", "F/0001/G", "H/1110/G"));
}

TEST(reconvergence_stack, committed_lanes_wait_until_the_others_have_committed) {
    reconvergence_stack stack = in_transaction();
    stack.rewind(threads("0100"));
    EXPECT_THAT(text(stack), ElementsAre("G/1111/-", "F/0001/G", "B/0100/G"));
    stack.rewind(threads("1010"));  // any of those that have begun
    EXPECT_THAT(text(stack), ElementsAre("G/1111/-", "F/0001/G", "B/1010/G"));
    stack.release('G');  // the transaction was the end of its side
    EXPECT_THAT(text(stack), ElementsAre("G/1111/-", "F/0001/G"));
}

TEST(reconvergence_stack, transaction_ends_at_its_own_depth_only) {
    reconvergence_stack stack = in_transaction();
    EXPECT_TRUE(stack.at_mark());
    branch(stack, threads("1000"), 'D', 'C', 'E');
    EXPECT_FALSE(stack.at_mark());
    stack.advance('E');
    stack.advance('E');
    EXPECT_TRUE(stack.at_mark());
    call(stack, {{'X', threads("1110")}}, 'Y');
    EXPECT_FALSE(stack.at_mark());
    ret(stack, {{'Y', threads("1110")}});
    EXPECT_TRUE(stack.at_mark());
    stack.advance('G');  // out of the side in which it began
    EXPECT_FALSE(stack.at_mark());
}

}  // namespace
}  // namespace heddle::simt
