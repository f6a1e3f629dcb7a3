// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// mto, motrr, motrr_recency and the Recency Register, cycle by cycle on hand-written traces.
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "hw/smx/warp_scheduler/recency_register.h"
#include "tests/hw/smx/selection_fixture.h"

namespace heddle {
namespace {

using fixture = selection_fixture;
using ::testing::ElementsAre;

TEST(mto_policy, memory_first_then_the_oldest) {
    fixture f(selection_policies::key<memory_then_oldest>);
    f.start({3});
    f.start({1});
    f.start({2, 0});
    // By age: 3, 1, 0, 2.
    EXPECT_THAT(f.cycles({0b1111, 0b0111, 0b0101, 0b0100}), ElementsAre(3, 1, 0, 2));
    f.in.memory = 0b0101;
    EXPECT_THAT(f.cycles({0b1111, 0b1110, 0b1010, 0b0010}), ElementsAre(0, 2, 3, 1));
}

TEST(mto_policy, is_not_greedy) {
    fixture f(selection_policies::key<memory_then_oldest>);
    f.start({0});
    f.start({1});
    EXPECT_THAT(f.cycles({0b10, 0b11, 0b11}), ElementsAre(1, 0, 0));
    f.in.memory = 0b11;
    EXPECT_THAT(f.cycles({0b10, 0b11}), ElementsAre(1, 0));
}

TEST(motrr_policy, memory_by_age_computation_by_turns) {
    fixture f(selection_policies::key<memory_then_round_robin>);
    f.start({3});
    f.start({0, 1, 2});
    EXPECT_THAT(f.cycles(std::vector<std::uint64_t>(5, 0b1111)), ElementsAre(0, 1, 2, 3, 0));
    // Turns go on from the last issued warp, also if that was a memory instruction.
    f.in.memory = 0b0100;
    EXPECT_THAT(f.cycles({0b0111}), ElementsAre(2));
    f.in.memory = 0;
    EXPECT_THAT(f.cycles({0b1111, 0b1111}), ElementsAre(3, 0));
    f.in.memory = 0b1101;
    EXPECT_THAT(f.cycles({0b1111, 0b0111, 0b0110, 0b0010}), ElementsAre(3, 0, 2, 1));
}

/// What the memory pipeline does not take is not issuable: the cycle goes to a computation.
class memory_first : public ::testing::TestWithParam<selection_policy> {};

TEST_P(memory_first, a_stalled_memory_pipeline_falls_through_in_the_same_cycle) {
    fixture f(GetParam());
    f.start({0, 1, 2, 3});
    f.in.memory = 0b0011;
    EXPECT_EQ(f.cycle(0b1111), 0U);
    EXPECT_EQ(f.cycle(0b1100), 2U) << "all of 0 to 3 are ready, the pipeline takes nothing";
    EXPECT_EQ(f.cycle(0b1110), 1U);
}

TEST_P(memory_first, a_new_warp_in_an_old_slot_is_the_youngest) {
    fixture f(GetParam());
    f.start({0, 1, 2});
    f.in.memory = 0b111;
    EXPECT_EQ(f.cycle(0b111), 0U);
    f.cycle(0, 0b001, 0b001);
    EXPECT_THAT(f.cycles({0b111, 0b101, 0b001}), ElementsAre(1, 2, 0));
}

INSTANTIATE_TEST_SUITE_P(policies, memory_first,
                         ::testing::Values(selection_policies::key<memory_then_oldest>,
                                           selection_policies::key<memory_then_round_robin>,
                                           selection_policies::key<memory_then_recent>),
                         [](const auto& tested) {
                             return std::to_string(static_cast<unsigned>(tested.param));
                         });

/// Warps that all run `program`, C = computation and M = memory instruction, each depending on the
/// one before, on a scheduler of unlimited resources. Who issues in each cycle, '.' = nobody.
std::string run(selection_policy policy, const std::string& program, unsigned warps) {
    constexpr unsigned computation = 3, memory = 8;  // cycles until the next instruction may issue
    fixture f(policy);
    f.cycle(0, (std::uint64_t{1} << warps) - 1);
    std::vector<std::size_t> at(warps);
    std::vector<std::size_t> ready(warps);
    std::string issued;
    for (std::size_t cycle = 0, left = warps * program.size(); left != 0; ++cycle) {
        std::uint64_t issuable = 0;
        f.in.memory = 0;
        for (unsigned w = 0; w < warps; ++w) {
            if (at[w] == program.size() || ready[w] > cycle) continue;
            issuable |= slots_of({w});
            if (program[at[w]] == 'M') f.in.memory |= slots_of({w});
        }
        const unsigned w = f.cycle(issuable);
        issued += w == none ? '.' : static_cast<char>('0' + w);
        if (w == none) continue;
        ready[w] = cycle + (program[at[w]++] == 'M' ? memory : computation);
        --left;
    }
    return issued;
}

/// The shape of Fig. 3 of Kim, Kim, Kim 2019: (a) gto, (b) memory first, then oldest, (c) memory
/// first, then round robin. Four warps, two computations, a load, a computation. (a) and (b) let
/// warp 3 wait for its first turn until the others have loaded: its load is alone at the end, with
/// (a) later than with (b), where it is not held up by warp 0's last computation. With (c) it loads
/// right after the others.
TEST(memory_first_policy, figure_3) {
    EXPECT_EQ(run(selection_policies::key<greedy_then_oldest>, "CCMC", 4),
              "0120120123..3.0123.......3");
    EXPECT_EQ(run(selection_policies::key<memory_then_oldest>, "CCMC", 4),
              "0120120123..3.0312.....3");
    EXPECT_EQ(run(selection_policies::key<memory_then_round_robin>, "CCMC", 4),
              "01230120123..3.012...3");
}

TEST(recency_register, counts_the_completions_of_others) {
    recency_register r;
    for (unsigned w = 0; w < 4; ++w) r.started(w);
    EXPECT_EQ(r.counter(0), 63U);
    EXPECT_EQ(r.recent(), 0U);
    r.completed(1);
    EXPECT_EQ(r.counter(1), 0U);
    EXPECT_EQ(r.counter(0), 63U);
    r.completed(2);
    r.completed(2);
    EXPECT_EQ(r.counter(1), 2U);
    EXPECT_EQ(r.counter(2), 0U);
    EXPECT_EQ(r.recent(), 0b0110U);
}

TEST(recency_register, counters_saturate_at_63) {
    recency_register r;
    for (unsigned w = 0; w < 8; ++w) r.started(w);
    r.completed(0);
    for (unsigned i = 1; i <= 62; ++i) r.completed(1);
    EXPECT_EQ(r.counter(0), 62U);
    r.completed(1);
    EXPECT_EQ(r.counter(0), 63U);
    r.completed(1);
    EXPECT_EQ(r.counter(0), 63U);
    EXPECT_EQ(r.counter(1), 0U);
    EXPECT_EQ(r.recent(), 0b11U) << "saturated, but the group of 4 has room";
}

TEST(recency_register, the_group_is_half_of_the_active_warps) {
    recency_register r;
    for (unsigned w = 0; w < 7; ++w) r.started(w);
    for (unsigned w = 0; w < 7; ++w) r.completed(w);
    EXPECT_EQ(r.recent(), 0b111'0000U);
    r.completed(0);
    EXPECT_EQ(r.recent(), 0b110'0001U) << "4 had the largest counter";
    r.started(7);  // 8 active: 4 may stay, but nobody comes back
    EXPECT_EQ(r.recent(), 0b110'0001U);
    EXPECT_EQ(r.counter(7), 63U);
    r.completed(1);
    EXPECT_EQ(r.recent(), 0b110'0011U);
    r.gone(5);  // 7 active: 3 may stay, and 5 is out itself
    EXPECT_EQ(r.recent(), 0b100'0011U);
    r.gone(2);  // 6 active: 3
    EXPECT_EQ(r.recent(), 0b100'0011U);
    r.gone(3);  // 5 active: 2; the counters are 0: 1, 1: 0, 6: 2
    EXPECT_EQ(r.recent(), 0b000'0011U);
    r.gone(0);
    r.gone(4);  // 3 active: 1
    EXPECT_EQ(r.recent(), 0b000'0010U);
    r.gone(6);
    r.gone(7);  // 1 active: never below 1
    EXPECT_EQ(r.recent(), 0b000'0010U);
    r.gone(1);
    EXPECT_EQ(r.recent(), 0U);
}

TEST(recency_register, of_equal_counters_the_highest_slot_goes) {
    recency_register r;
    for (unsigned w = 0; w < 6; ++w) r.started(w);
    for (const unsigned w : {4U, 0U, 2U}) r.completed(w);
    for (unsigned i = 0; i < 70; ++i) r.completed(2);
    EXPECT_EQ(r.recent(), 0b01'0101U);
    EXPECT_EQ(r.counter(0), 63U);
    EXPECT_EQ(r.counter(4), 63U);
    r.gone(5);  // 5 active: 2
    EXPECT_EQ(r.recent(), 0b00'0101U) << "4 completed before 0, but that is forgotten";
}

TEST(recency_register, the_completing_warp_stays) {
    recency_register r;
    r.started(0);
    r.started(63);
    r.completed(0);
    EXPECT_EQ(r.recent(), slots_of({0}));
    r.completed(63);  // one may stay: 63, although it is the highest slot
    EXPECT_EQ(r.recent(), slots_of({63}));
}

TEST(recency_register, a_new_warp_starts_afresh) {
    recency_register r;
    for (unsigned w = 0; w < 4; ++w) r.started(w);
    r.completed(1);
    r.gone(1);
    EXPECT_EQ(r.recent(), 0U);
    r.completed(1);  // of the warp that has gone
    EXPECT_EQ(r.recent(), 0U);
    EXPECT_EQ(r.counter(0), 63U);
    r.started(1);
    EXPECT_EQ(r.counter(1), 63U);
    EXPECT_EQ(r.recent(), 0U);
}

TEST(motrr_recency_policy, the_recency_group_goes_first_among_computations) {
    fixture f(selection_policies::key<memory_then_recent>);
    f.start({0, 1, 2, 3, 4, 5});
    EXPECT_THAT(f.cycles({0b111111, 0b111111}), ElementsAre(0, 1)) << "without group: by turns";
    f.complete({0, 5});
    EXPECT_THAT(f.cycles(std::vector<std::uint64_t>(4, 0b111111)), ElementsAre(5, 0, 5, 0));
    EXPECT_THAT(f.cycles({0b011110, 0b011110}), ElementsAre(1, 2)) << "nobody of the group can";
    f.in.memory = 0b001000;
    EXPECT_THAT(f.cycles({0b111111, 0b110111}), ElementsAre(3, 5)) << "memory before the group";
}

TEST(motrr_recency_policy, a_completion_counts_from_the_next_cycle_on) {
    fixture f(selection_policies::key<memory_then_recent>);
    f.start({0, 1, 2, 3});
    f.in.memory_done = 0b1000;
    EXPECT_THAT(f.cycles({0b1111, 0b1111}), ElementsAre(0, 3));
}

TEST(motrr_recency_policy, completions_of_one_cycle_count_from_the_lowest_slot) {
    fixture f(selection_policies::key<memory_then_recent>);
    f.start({0, 1, 2, 3});
    f.in.memory_done = 0b0111;  // two of four may stay: 0 is the first to go
    f.cycle(0);
    EXPECT_THAT(f.cycles(std::vector<std::uint64_t>(3, 0b1111)), ElementsAre(1, 2, 1));
}

TEST(motrr_recency_policy, the_group_shrinks_with_the_active_warps) {
    fixture f(selection_policies::key<memory_then_recent>);
    f.start({0, 1, 2, 3, 4, 5});
    f.complete({1, 3, 5});
    f.end({0, 2});  // four are left: 1, whose completion is the oldest, leaves the group
    EXPECT_THAT(f.cycles(std::vector<std::uint64_t>(3, 0b111010)), ElementsAre(3, 5, 3));
    f.end({5});
    EXPECT_THAT(f.cycles(std::vector<std::uint64_t>(2, 0b011010)), ElementsAre(3, 3));
}

TEST(motrr_recency_policy, a_completion_with_the_slots_new_warp_was_the_old_ones) {
    fixture f(selection_policies::key<memory_then_recent>);
    f.start({0, 1, 2, 3});
    f.in.memory_done = 0b0100;
    f.cycle(0, 0b0100, 0b0100);
    EXPECT_THAT(f.cycles({0b1111, 0b1111, 0b1111}), ElementsAre(0, 1, 2));
}

}  // namespace
}  // namespace heddle
