// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Blocks and the home warps of their threads.
#include <array>

#include "tests/hw/smx/block_table_fixture.h"

namespace heddle {
namespace {

using block_table_test = block_table_fixture;

constexpr isa::lane_mask full = 0xffffffff;

TEST_F(block_table_test, a_block_takes_the_lowest_free_homes) {
    ASSERT_TRUE(start(1, 70));
    EXPECT_EQ(blocks.block(1).warps, 0b0111u);
    EXPECT_EQ(blocks.warp(0).live, full);
    EXPECT_EQ(blocks.warp(2).live, 0x3fu) << "70 = 32 + 32 + 6";
    EXPECT_EQ(blocks.warp(2).index, 2u);
    EXPECT_EQ(blocks.block(1).shared_base, 1024u);
    EXPECT_EQ(blocks.live_warps().level(), 3u);
    ASSERT_TRUE(start(0, 1));
    EXPECT_EQ(blocks.block(0).warps, 0b1000u);
    EXPECT_EQ(blocks.resident(), 0b1111u);
    EXPECT_FALSE(faults.stopped());
}

TEST_F(block_table_test, a_block_without_room_is_a_violated_invariant) {
    ASSERT_TRUE(start(0, 97));
    EXPECT_FALSE(start(1, 1)) << "no warp slot is free";
    EXPECT_TRUE(faults.stopped());
    EXPECT_EQ(status.kind(), error_kind::wrong_result);
    EXPECT_THAT(status.text(), testing::HasSubstr("no room for the block of 1 threads that was "
                                                  "dispatched to slot 1"));
}

TEST_F(block_table_test, a_barrier_waits_for_all_threads_that_have_not_ended) {
    ASSERT_TRUE(start(0, 64));
    EXPECT_EQ(blocks.arrive(in_place(0, full)), std::nullopt);
    EXPECT_TRUE(blocks.has_news());
    EXPECT_EQ(blocks.release_barriers(), 0u) << "warp 1 is elsewhere";
    EXPECT_FALSE(blocks.has_news());
    blocks.end_threads(in_place(1, 0xffff), 20);
    EXPECT_EQ(blocks.release_barriers(), 0u);
    blocks.end_threads(in_place(1, 0xffff0000), 30);
    EXPECT_EQ(blocks.release_barriers(), 0b11u) << "an end may complete a barrier";
    EXPECT_EQ(blocks.block(0).counts->barriers, 1u);
    EXPECT_EQ(blocks.arrive(in_place(0, full)), std::nullopt);
    EXPECT_EQ(blocks.release_barriers(), 0b11u);
}

TEST_F(block_table_test, part_of_a_warp_at_a_barrier_is_divergent) {
    ASSERT_TRUE(start(0, 32));
    const auto text = blocks.arrive(in_place(0, 0xf));
    ASSERT_TRUE(text);
    EXPECT_THAT(*text, testing::HasSubstr("divergent barrier"));
    EXPECT_EQ(blocks.block(0).counts->barriers, 0u);
}

TEST_F(block_table_test, a_block_ends_with_its_last_thread) {
    ASSERT_TRUE(start(1, 40));
    EXPECT_EQ(blocks.count_issue(in_place(0, full), 11), issue_number(1));
    EXPECT_EQ(blocks.count_issue(in_place(0, full), 12), issue_number(2));
    EXPECT_EQ(blocks.count_issue(in_place(1, 0xff), 13), issue_number(1));
    blocks.end_threads(in_place(0, full), 14);
    EXPECT_EQ(blocks.slots_in(block_state::draining), 0u);
    EXPECT_EQ(blocks.live_warps().level(), 1u);
    blocks.end_threads(in_place(1, 0xff), 15);
    EXPECT_EQ(blocks.slots_in(block_state::draining), 0b10u);
    const auto dispatch = blocks.end(1, 20);
    EXPECT_EQ(blocks.held_slots().sum(30) - blocks.live_warps().sum(30), 20U - 14 + 20 - 15);
    EXPECT_EQ(dispatch->warp_instructions, 3u);
    EXPECT_EQ(dispatch->outcome, protocol::block_outcome::completed);
    EXPECT_EQ(blocks.resident(), 0u);
    EXPECT_EQ(blocks.slots_in(block_state::draining), 0u);
    const execution_counts& counts = blocks.kernels()[0];
    EXPECT_EQ(counts.warp_instructions, 3u);
    EXPECT_EQ(counts.thread_instructions, 72u);
    EXPECT_EQ(counts.blocks, 1u);
    EXPECT_EQ(blocks.progress(), 2u) << "a start and an end";
}

TEST_F(block_table_test, a_block_leaves_and_comes_back_as_it_was) {
    ASSERT_TRUE(start(1, 96));
    blocks.count_issue(in_place(0, full), 11);
    blocks.end_threads(in_place(2, full), 12);
    const auto left = blocks.leave(1, protocol::block_outcome::suspended, 20);
    EXPECT_EQ(left->outcome, protocol::block_outcome::suspended);
    EXPECT_EQ(left->warp_instructions, 1u);
    EXPECT_EQ(blocks.resident(), 0u);
    EXPECT_EQ(blocks.live_warps().level(), 0u);
    EXPECT_EQ(blocks.kernels()[0].blocks, 0u);
    ASSERT_TRUE(start(0, 96));
    // Warp 0 waits at the barrier, warp 1 has two lanes left, warp 2 has ended.
    blocks.restore(0,
                   {{full, issue_number(7), true},
                    {0b11, issue_number(5), false},
                    {0, issue_number(9), false}},
                   30);
    EXPECT_EQ(blocks.live_warps().level(), 2u);
    EXPECT_EQ(blocks.block(0).threads.live(), 34u);
    EXPECT_EQ(blocks.block(0).threads.waiting(), 32u);
    EXPECT_EQ(blocks.count_issue(in_place(1, 0b11), 31), issue_number(6));
    EXPECT_EQ(blocks.arrive(in_place(1, 0b11)), std::nullopt);
    EXPECT_EQ(blocks.release_barriers(), 0b111u);
    blocks.end_threads(in_place(0, full), 33);
    blocks.end_threads(in_place(1, 0b11), 34);
    EXPECT_EQ(blocks.slots_in(block_state::draining), 0b1u);
}

TEST_F(block_table_test, a_start_is_announced_once) {
    ASSERT_TRUE(start(1, 32));
    blocks.can_issue(1);
    blocks.can_issue(1);
    EXPECT_EQ(blocks.take_announced(), 0b10u);
    EXPECT_EQ(blocks.take_announced(), 0u);
    blocks.can_issue(1);
    EXPECT_EQ(blocks.take_announced(), 0u);
}

TEST_F(block_table_test, a_group_of_several_homes_counts_and_ends_in_each) {
    ASSERT_TRUE(start(0, 96));
    (void)blocks.count_issue(in_place(1, full), 11);
    (void)blocks.count_issue(in_place(1, full), 12);
    // Pipeline lane 0: lane 5 of warp 0; lane 1: lane 7 of warp 2; lane 2: lane 6 of warp 0.
    const std::array<std::uint16_t, 3> threads{5, 2 * 32 + 7, 6};
    thread_group group{0b111, 0x10000, 0, 0, threads.data()};
    EXPECT_EQ(blocks.count_issue(group, 13), issue_number(1));
    EXPECT_EQ(blocks.warp(0).last_issue, 13u);
    EXPECT_EQ(blocks.warp(1).last_issue, 12u);
    EXPECT_EQ(blocks.warp(2).issued, issue_number(1));
    EXPECT_EQ(blocks.kernels()[0].thread_instructions, 67u);
    blocks.end_threads(group, 14);
    EXPECT_EQ(blocks.warp(0).live, full & ~0x60u);
    EXPECT_EQ(blocks.warp(1).live, full);
    EXPECT_EQ(blocks.warp(2).live, full & ~0x80u);
    EXPECT_EQ(blocks.block(0).threads.live(), 93u);
}

TEST_F(block_table_test, faults_name_the_thread) {
    ASSERT_TRUE(start(0, 64));
    blocks.fault(1, 3, 0x10004, "a test");
    EXPECT_TRUE(faults.stopped());
    EXPECT_EQ(status.kind(), error_kind::kernel_fault);
    EXPECT_THAT(status.text(), testing::HasSubstr("thread (35,0,0)"));
    EXPECT_THAT(status.text(), testing::HasSubstr("SMX 3, warp slot 1"));
}

TEST(thread_group, visits_each_home_once_in_the_order_of_pipeline_lanes) {
    const std::array<std::uint16_t, 5> threads{64 + 1, 0, 32 + 4, 64 + 31, 3};
    std::vector<std::pair<unsigned, isa::lane_mask>> seen;
    const auto note = [&](unsigned warp, isa::lane_mask lanes) { seen.emplace_back(warp, lanes); };
    for_each_home({9, threads.data()}, 0b11011, 32, note);
    EXPECT_THAT(seen, testing::ElementsAre(std::pair(2u, isa::lane_mask{0x80000002}),
                                           std::pair(0u, isa::lane_mask{0b1001})));
    seen.clear();
    for_each_home({9, nullptr}, 0b100, 32, note);
    EXPECT_THAT(seen, testing::ElementsAre(std::pair(9u, isa::lane_mask{0b100})));
}

}  // namespace
}  // namespace heddle
