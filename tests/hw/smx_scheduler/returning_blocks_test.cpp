// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Blocks that leave an SMX and come back: suspended, preempted.
#include "tests/hw/smx_scheduler/returning_bench.h"

namespace heddle {
namespace {

using protocol::block_outcome;
using protocol::cooperation_request;
using protocol::kde_event;
using returning_bench::bench;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(returning_blocks, need_no_entry) {
    bench b;
    (void)b.ready(1, 0, 2, 32);
    b.done(0, block_outcome::suspended);
    b.done(1, block_outcome::suspended);
    EXPECT_EQ(b.count(kde_event::block_finished), 2U) << "the entry is released";
    (void)b.ready(2, 0, 1, 32);  // it is another one's
    const std::size_t before = b.told.size();
    b.return_block(*b.suspended[0]);
    b.return_block(*b.suspended[1]);
    b.run(5);
    EXPECT_THAT(b.sent(3), ElementsAre(std::pair(1U, 0U), std::pair(1U, 1U)));
    EXPECT_EQ(b.blocks[3]->kde, protocol::no_kde);
    EXPECT_EQ(b.blocks[3]->context, b.blocks[0]->context) << "its private memory";
    EXPECT_EQ(b.blocks[3]->saved.bytes, 400U);
    EXPECT_TRUE(b.blocks[3]->invalidate_l1);
    b.done(3);
    EXPECT_THAT(b.finished, IsEmpty());
    b.done(4);
    EXPECT_THAT(b.finished, ElementsAre(1));
    EXPECT_EQ(b.told.size(), before) << "no entry has heard of it";
    b.done(2);
    EXPECT_TRUE(b.dut.empty());
    EXPECT_THAT(protocol::testing::report_catcher::ids(), IsEmpty());
}

TEST(returning_blocks, go_before_launches_of_their_priority_and_behind_higher_ones) {
    bench b;
    (void)b.ready(1, 0, 1, 512);
    (void)b.ready(2, 1, 1, 512);
    b.done(0, block_outcome::suspended);
    (void)b.ready(3, 0, 1, 512);
    (void)b.ready(4, 2, 1, 512, false, 1);
    (void)b.ready(5, 3, 1, 512);
    b.return_block(*b.suspended[0]);
    b.run(5);
    EXPECT_EQ(b.blocks.size(), 3U) << "both SMXs are full";
    b.done(1);
    b.done(2);
    b.run(5);
    EXPECT_THAT(b.sent(3), ElementsAre(std::pair(4U, 0U), std::pair(1U, 0U)));
    b.done(3);
    b.run(5);
    EXPECT_THAT(b.sent(5), ElementsAre(std::pair(5U, 0U)));
}

TEST(returning_blocks, without_room_hold_up_who_comes_behind_them) {
    bench b;
    (void)b.ready(1, 0, 1, 512);
    b.done(0, block_outcome::suspended);
    (void)b.ready(2, 0, 2, 256);
    b.return_block(*b.suspended[0]);
    b.run(5);
    (void)b.ready(3, 1, 1, 32);
    ASSERT_EQ(b.blocks.size(), 3U) << "256 threads are free on each SMX";
    EXPECT_THAT(b.dut.waiting_for(),
                testing::HasSubstr("1 suspended blocks to come back; block 0 of launch 1 and all "
                                   "that come later wait for threads"));
    b.done(2);
    b.run(5);
    EXPECT_THAT(b.sent(3), ElementsAre(std::pair(1U, 0U), std::pair(3U, 0U)));
    EXPECT_EQ(b.blocks[3]->sm, b.blocks[2]->sm);
}

/// A launch that has begun with all that it can get would else wait for one that waits for it.
TEST(returning_blocks, of_cooperative_launches_keep_their_room) {
    bench b;
    (void)b.ready(1, 0, 5, 256, true);
    ASSERT_EQ(b.blocks.size(), 4U);
    b.done(2, block_outcome::suspended);
    b.done(3, block_outcome::suspended);
    (void)b.ready(2, 1, 4, 256, true);
    EXPECT_THAT(b.sent(4), ElementsAre(std::pair(2U, 0U))) << "the first block alone";
    b.done(4);
    EXPECT_EQ(b.call(0, cooperation_request::request_fork)->forked, 0U);
    b.return_block(*b.suspended[0]);
    b.return_block(*b.suspended[1]);
    b.run(5);
    EXPECT_THAT(b.sent(5), ElementsAre(std::pair(1U, 2U), std::pair(1U, 3U)));
}

/// The entry has been released, and is another launch's by now.
TEST(returning_blocks, fork_without_an_entry) {
    bench b;
    (void)b.ready(1, 0, 5, 256, true);
    ASSERT_EQ(b.blocks.size(), 4U);
    for (std::size_t i = 0; i < 4; ++i) b.done(i, block_outcome::suspended);
    (void)b.ready(2, 0, 1, 32);
    for (const auto& block : b.suspended) b.return_block(*block);
    b.run(5);
    ASSERT_EQ(b.blocks.size(), 8U) << "there is room for three";
    const std::size_t before = b.told.size();
    for (std::size_t i = 5; i < 8; ++i) b.done(i);
    ASSERT_EQ(b.blocks.size(), 9U);
    EXPECT_EQ(b.call(8, cooperation_request::request_fork)->forked, 1U);
    b.run(5);
    EXPECT_THAT(b.sent(9), ElementsAre(std::pair(1U, 4U)));
    EXPECT_EQ(b.blocks[9]->kde, protocol::no_kde);
    b.done(8);
    b.done(9);
    EXPECT_THAT(b.finished, ElementsAre(1));
    EXPECT_EQ(b.told.size(), before) << "nothing is said of the other launch";
    b.done(4);
    EXPECT_TRUE(b.dut.empty());
    EXPECT_THAT(protocol::testing::report_catcher::ids(), IsEmpty());
}

/// The SMXs have room, but have not started their last blocks: the launch has begun with the blocks
/// that fit, and none of them is on its way.
TEST(returning_blocks, that_were_preempted_wait_until_no_higher_launch_is_left) {
    bench b(true);
    (void)b.ready(1, 0, 2, 512);
    (void)b.ready(2, 1, 1, 256, false, 1);
    b.done(0, block_outcome::preempted);
    b.done(1, block_outcome::preempted);
    b.run(20);
    EXPECT_THAT(b.sent(2), ElementsAre(std::pair(2U, 0U))) << "the other SMX is empty";
    b.done(2);
    b.run(5);
    EXPECT_THAT(b.sent(3), ElementsAre(std::pair(1U, 0U), std::pair(1U, 1U)));
}

/// Regions of blocks that are away are not free, and are no more when they are back.
TEST(returning_blocks, give_back_the_room_of_their_private_memory) {
    bench b(true);
    for (unsigned time = 0; time < 40; ++time) {
        const std::size_t first = b.blocks.size();
        (void)b.ready(2 * time + 1, 0, 2, 512);
        (void)b.ready(2 * time + 2, 1, 1, 512, false, 1);
        b.done(first, block_outcome::preempted);
        b.done(first + 1, block_outcome::preempted);
        b.run(5);
        b.done(first + 2);
        b.run(5);
        ASSERT_EQ(b.blocks.size(), first + 5);
        b.done(first + 3);
        b.done(first + 4);
    }
    // There are 32 regions. Blocks of four warps have them all, and each second block is on the
    // same SMX: two that end make room for eight warps there, but not beside each other.
    const std::size_t fours = b.blocks.size();
    (void)b.ready(101, 0, 8, 128);
    ASSERT_EQ(b.blocks.size(), fours + 8);
    b.done(fours);
    b.done(fours + 2);
    (void)b.ready(102, 1, 1, 256);
    EXPECT_EQ(b.blocks.size(), fours + 8);
    b.done(fours + 1);
    b.run(5);
    ASSERT_EQ(b.blocks.size(), fours + 9);
    EXPECT_EQ(b.blocks.back()->context.value(), 0U);
}

}  // namespace
}  // namespace heddle
