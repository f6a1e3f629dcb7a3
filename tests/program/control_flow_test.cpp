// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <gtest/gtest.h>

#include "models/program/kernel.h"
#include "models/program/reconvergence.h"

namespace heddle::program {
namespace {

constexpr std::uint32_t base = 0x10000;

// A few encodings, offsets in bytes.
std::uint32_t beq(std::int32_t offset) {
    const auto o = static_cast<std::uint32_t>(offset);
    return 0x63u | 10u << 15 | 11u << 20 | ((o >> 11) & 1) << 7 | ((o >> 1) & 15) << 8 |
           ((o >> 5) & 63) << 25 | ((o >> 12) & 1) << 31;
}
std::uint32_t jal(unsigned rd, std::int32_t offset) {
    const auto o = static_cast<std::uint32_t>(offset);
    return 0x6fu | rd << 7 | (o & 0xff000u) | ((o >> 11) & 1) << 20 | ((o >> 1) & 1023) << 21 |
           ((o >> 20) & 1) << 31;
}
std::uint32_t jalr(unsigned rd, unsigned rs1, std::uint32_t imm = 0) {
    return 0x67u | rd << 7 | rs1 << 15 | imm << 20;
}
std::uint32_t auipc(unsigned rd) {
    return 0x17u | rd << 7;
}
constexpr std::uint32_t nop = 0x13, ret = 0x8067, exit_thread = 0x0400000b, barrier = 0x0000000b,
                        ebreak = 0x00100073;

struct analysed {
    code_text text;
    std::vector<function_graph> graphs;
    reconvergence_table table;
};

/// Functions are given as lists of words; they lie one behind the other.
analysed analyse(const std::vector<std::vector<std::uint32_t>>& functions,
                 const jump_tables& tables = {}) {
    analysed out;
    out.text.base = base;
    std::vector<function_range> ranges;
    for (const auto& words : functions) {
        const std::uint32_t start = out.text.end();
        for (const std::uint32_t word : words) {
            out.text.instructions.push_back(isa::decode(word));
        }
        ranges.push_back({"f" + std::to_string(ranges.size()), start, out.text.end()});
    }
    out.graphs = build_graphs(out.text, ranges, tables);
    out.table = find_reconvergence(out.text, out.graphs);
    return out;
}

TEST(control_flow, if_without_else) {
    const auto a = analyse({{beq(8), nop, nop, ret}});
    EXPECT_EQ(a.graphs[0].blocks.size(), 3u);
    EXPECT_EQ(a.table.target[0], base + 8);
    EXPECT_EQ(a.table.target[1], no_branch);
    EXPECT_TRUE(a.table.flags[2] & reconvergence_point);
    EXPECT_FALSE(a.table.flags[1] & reconvergence_point);
    EXPECT_TRUE(a.table.flags[0] & function_start);
    EXPECT_TRUE(a.table.flags[1] & block_start);
}

TEST(control_flow, early_return_meets_at_the_function_exit) {
    const auto a = analyse({{beq(8), ret, nop, ret}});
    EXPECT_EQ(a.table.target[0], function_exit);
}

TEST(control_flow, an_early_exit_is_not_waited_for) {
    const auto a = analyse({{beq(8), exit_thread, beq(8), nop, ret}});
    EXPECT_EQ(a.table.target[0], base + 8);
    EXPECT_EQ(a.table.target[2], base + 16);
}

/// if (...) return; barrier; if (...) nop; exit, where the compiler has merged both ways out.
TEST(control_flow, a_barrier_does_not_wait_for_threads_that_only_exit) {
    const auto a = analyse({{beq(20), barrier, beq(8), nop, nop, exit_thread}});
    EXPECT_EQ(a.table.target[0], base + 4) << "past this branch there is a barrier";
    EXPECT_EQ(a.table.target[2], base + 16);
    const auto without = analyse({{beq(20), nop, beq(8), nop, nop, exit_thread}});
    EXPECT_EQ(without.table.target[0], base + 20) << "where all exit together";
    const auto store_first = analyse({{beq(20), barrier, beq(8), nop, nop, nop, exit_thread}});
    EXPECT_EQ(store_first.table.target[0], base + 4) << "nor for threads that store before";
}

/// if (a) { if (b) return; nop; } barrier; exit: the inner branch has an exit of its own.
TEST(control_flow, a_return_in_an_arm_before_a_barrier) {
    const auto a = analyse({{beq(16), beq(8), exit_thread, nop, barrier, exit_thread}});
    EXPECT_EQ(a.table.target[0], base + 16) << "at the barrier";
    EXPECT_EQ(a.table.target[1], base + 12) << "behind the return";
}

/// The same in a function: who returns goes on to the caller's barrier, or to none.
TEST(control_flow, returns_count_when_the_caller_has_a_barrier_ahead) {
    const std::vector<std::uint32_t> callee{beq(16), beq(8), ret, nop, barrier, ret};
    const auto ahead = analyse({{jal(1, 12), barrier, exit_thread}, callee});
    EXPECT_EQ(ahead.table.target[3], function_exit);
    const auto none = analyse({{jal(1, 12), nop, exit_thread}, callee});
    EXPECT_EQ(none.table.target[3], base + 28);
    EXPECT_EQ(none.table.target[4], base + 24);
    const auto by_tail_call = analyse({{jal(1, 12), barrier, exit_thread}, {jal(0, 4)}, callee});
    EXPECT_EQ(by_tail_call.table.target[4], function_exit);
    const auto by_pointer = analyse({{jalr(1, 10), barrier, exit_thread}, callee});
    EXPECT_EQ(by_pointer.table.target[3], function_exit);
}

/// if (...) return; f(); where f, or what f calls, has the barrier.
TEST(control_flow, a_barrier_in_a_called_function_counts) {
    const std::vector<std::uint32_t> kernel{beq(12), jal(1, 16), nop, nop, exit_thread};
    const auto deep = analyse({kernel, {jal(0, 4)}, {barrier, ret}});
    EXPECT_EQ(deep.table.target[0], base + 4);
    const auto without = analyse({kernel, {jal(0, 4)}, {nop, ret}});
    EXPECT_EQ(without.table.target[0], base + 12);
}

/// if (a) { if (b) { store; return; } nop; } ballot; store; exit: only without a common way out
/// are votes treated as barriers are.
TEST(control_flow, a_vote_waits_for_those_who_can_come) {
    constexpr std::uint32_t ballot = 0x1400000b;
    const auto apart = analyse({{beq(16), beq(8), exit_thread, nop, ballot, exit_thread}});
    EXPECT_EQ(apart.table.target[0], base + 16);
    EXPECT_EQ(apart.table.target[1], base + 12);
    const auto together = analyse({{beq(20), nop, ballot, beq(-8), nop, nop, exit_thread}});
    EXPECT_EQ(together.table.target[0], base + 20);
    EXPECT_EQ(together.table.target[3], base + 16) << "who leaves the loop waits for the others";
}

/// for (...) { if (a) { if (b) return; nop; } ballot; } nop; exit: the return shares the exit.
TEST(control_flow, a_return_from_an_arm_in_a_loop_with_a_vote) {
    constexpr std::uint32_t ballot = 0x1400000b;
    const auto a = analyse({{nop, beq(12), beq(20), nop, ballot, beq(-16), nop, exit_thread}});
    EXPECT_EQ(a.table.target[1], base + 16) << "at the vote";
    EXPECT_EQ(a.table.target[2], base + 12) << "who returns runs to the end at once";
    EXPECT_EQ(a.table.target[5], base + 24) << "who leaves the loop waits behind it";
}

/// for (...) { offer_kill; if (a) return; if (b) nop; }: a call of cooperative kernels.
TEST(control_flow, cooperative_calls_are_barriers) {
    constexpr std::uint32_t offer_kill = 0x0000600b, groups = 0x0400600b;
    const auto a = analyse({{nop, offer_kill, beq(16), beq(-8), jal(0, -12), nop, exit_thread}});
    EXPECT_EQ(a.table.target[2], base + 12);
    const auto asks = analyse({{beq(12), groups, nop, nop, exit_thread}});
    EXPECT_EQ(asks.table.target[0], base + 12) << "the number of groups is no barrier";
}

/// Two ways lead into the loop, below its barrier's block: the loop ends at the barrier.
TEST(control_flow, a_closed_loop_ends_where_its_threads_meet) {
    // 0: if (a) goto 8; 4: nop; 8: nop; 12: barrier; if (b) exit; if (c) { nop; goto 4 } goto 12
    const auto a =
        analyse({{beq(8), nop, nop, barrier, beq(16), beq(-8), jal(0, -20), nop, exit_thread}});
    EXPECT_EQ(a.table.target[0], base + 8);
    EXPECT_EQ(a.table.target[4], base + 20);
    EXPECT_EQ(a.table.target[5], base + 12) << "at the barrier, by either way";
}

/// for (...) { if (a) { if (b) return; nop; } barrier; }, where the loop's end stores first.
TEST(control_flow, a_loop_that_threads_leave_one_by_one_begins_anew_together) {
    const auto a =
        analyse({{nop, beq(16), beq(20), nop, nop, barrier, beq(-20), nop, exit_thread}});
    EXPECT_EQ(a.table.target[1], base + 20) << "at the barrier";
    EXPECT_EQ(a.table.target[2], base + 12);
    EXPECT_EQ(a.table.target[6], base + 4);
}

/// for (...) { if (...) return; barrier; }, both ways out to the same exit.
TEST(control_flow, an_exit_from_a_loop_with_a_barrier_is_not_waited_for) {
    const auto a = analyse({{nop, beq(12), barrier, beq(-12), exit_thread}});
    EXPECT_EQ(a.table.target[1], base + 8) << "the barrier is ahead";
    EXPECT_EQ(a.table.target[3], base) << "who leaves the loop runs to its end";
}

/// for (...) { if (...) nop; barrier; }: the end of the loop is its only way out.
TEST(control_flow, a_loop_with_a_barrier_keeps_its_inner_meeting_points) {
    const auto a = analyse({{beq(8), nop, barrier, beq(-12), exit_thread}});
    EXPECT_EQ(a.table.target[0], base + 8);
    EXPECT_EQ(a.table.target[3], base);
}

/// for (...) { barrier; if (...) return; nop; }: others go on to the barrier of the next turn.
TEST(control_flow, an_exit_behind_the_barrier_of_a_loop_is_not_waited_for) {
    const auto a = analyse({{barrier, beq(16), nop, beq(-12), nop, exit_thread}});
    EXPECT_EQ(a.table.target[1], base + 8);
    EXPECT_EQ(a.table.target[3], base);
}

TEST(control_flow, a_tail_call_is_an_exit_edge) {
    // f0: if (…) goto f1; else return.
    const auto a = analyse({{beq(8), ret, jal(0, 4)}, {nop, ret}});
    EXPECT_EQ(a.table.target[0], function_exit);
    ASSERT_EQ(a.graphs[0].calls.size(), 1u);
    EXPECT_TRUE(a.graphs[0].calls[0].tail);
    EXPECT_EQ(a.graphs[0].calls[0].target, base + 12);
}

TEST(control_flow, a_branch_to_another_function_is_a_conditional_tail_call) {
    const auto a = analyse({{beq(12), nop, ret}, {ret}});
    EXPECT_EQ(a.table.target[0], function_exit);
    EXPECT_TRUE(a.graphs[0].calls.at(0).tail);
}

TEST(control_flow, auipc_jalr_pairs_are_direct) {
    // call f1; then tail call f1 by way of t1.
    const auto a = analyse({{auipc(1), jalr(1, 1, 16), auipc(6), jalr(0, 6, 8)}, {ret}});
    ASSERT_EQ(a.graphs[0].calls.size(), 2u);
    EXPECT_EQ(a.graphs[0].calls[0].target, base + 16);
    EXPECT_FALSE(a.graphs[0].calls[0].tail);
    EXPECT_EQ(a.graphs[0].calls[1].target, base + 16);
    EXPECT_TRUE(a.graphs[0].calls[1].tail);
}

TEST(control_flow, indirect_calls_have_no_target) {
    const auto a = analyse({{nop, jalr(1, 10), nop, jalr(0, 10)}});
    ASSERT_EQ(a.graphs[0].calls.size(), 2u);
    EXPECT_FALSE(a.graphs[0].calls[0].target);
    EXPECT_FALSE(a.graphs[0].calls[0].tail);
    EXPECT_FALSE(a.graphs[0].calls[1].target);
    EXPECT_TRUE(a.graphs[0].calls[1].tail);
    EXPECT_EQ(a.table.target[3], function_exit);
}

TEST(control_flow, what_follows_a_call_that_never_returns_is_no_successor) {
    // if (…) f1(); else nop; join; f1 exits the thread. The word behind the call is another arm.
    const auto a = analyse({{beq(12), jal(1, 24), ret, nop, beq(8), nop, ret}, {exit_thread}});
    EXPECT_FALSE(a.graphs[1].may_return);
    EXPECT_EQ(a.table.target[0], base + 12);
}

TEST(control_flow, recursion_without_an_end_never_returns) {
    const auto a = analyse({{jal(1, 0), ret}, {beq(8), jal(1, -4), ret}});
    EXPECT_FALSE(a.graphs[0].may_return);
    EXPECT_TRUE(a.graphs[1].may_return);
}

TEST(control_flow, a_trap_ends_the_thread) {
    const auto a = analyse({{beq(8), ebreak, nop, ret}});
    EXPECT_EQ(a.table.target[0], base + 8);
}

TEST(control_flow, an_endless_loop_is_not_waited_for) {
    const auto a = analyse({{beq(8), jal(0, 0), nop, ret}});
    EXPECT_EQ(a.table.target[0], base + 8);
}

TEST(control_flow, jump_tables_give_an_indirect_jump_its_targets) {
    const jump_tables tables{{base, {base + 8, base + 16}}};
    const auto a = analyse({{nop, jalr(0, 15), nop, jal(0, 8), nop, ret}}, tables);
    ASSERT_FALSE(a.graphs[0].blocks.empty());
    EXPECT_EQ(a.graphs[0].blocks[0].successors.size(), 2u);
    EXPECT_TRUE(a.graphs[0].calls.empty());
    EXPECT_EQ(a.table.target[1], base + 20);
}

TEST(control_flow, nested_divergence) {
    // if (a) { if (b) x; y; } z — and a loop around it all.
    const auto a = analyse({{beq(16), beq(8), nop, nop, beq(-16), ret}});
    EXPECT_EQ(a.table.target[0], base + 16);
    EXPECT_EQ(a.table.target[1], base + 12);
    EXPECT_EQ(a.table.target[4], base + 20);
}

}  // namespace
}  // namespace heddle::program
