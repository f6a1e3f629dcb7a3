// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx_scheduler/placement/preemption.h"

#include <gmock/gmock.h>

#include "hw/smx_scheduler/chain/fcfs_chain.h"
#include "hw/smx_scheduler/chain/launch_order.h"
#include "hw/smx_scheduler/placement/returning_blocks.h"

namespace heddle {
namespace {

using testing::ElementsAre;

/// A scheduler without SMXs: puts blocks where the test says.
class preemption_test : public testing::Test {
protected:
    using block_ptr = pool_ptr<protocol::block_dispatch>;

    preemption::launch_ptr launch(std::uint32_t id, std::uint32_t priority) {
        preemption::launch_ptr made = launches_.make();
        made->launch = launch_id(id);
        made->priority = priority;
        return made;
    }
    block_ptr place(const preemption::launch_ptr& of, std::uint32_t number, unsigned sm,
                    unsigned slot) {
        block_ptr block = blocks_.make();
        block->launch = of->launch;
        block->kernel = of;
        block->block = number;
        block->sm = sm_id(sm);
        block->slot = block_slot(slot);
        dut.placed(*block, edge++);
        return block;
    }
    /// The block leaves as it was told to.
    void leaves(const block_ptr& block) {
        block->outcome = protocol::block_outcome::preempted;
        block->saved = {0xc8000000, 400};
        returning.add(as_it_returns(*block), block->outcome);
        dut.left(*block, edge++);
    }
    /// The block leaves for a launch, all of whose blocks have been distributed.
    void leaves_for(const preemption::launch_ptr& high, const block_ptr& block) {
        ASSERT_TRUE(order.start(kde_index(0), high));
        order.chain().advance();
        (void)dut.tell(block->kernel, edge);
        leaves(block);
    }
    /// The next block goes back to its SMX.
    block_ptr comes_back() {
        block_ptr back = blocks_.make();
        static_cast<protocol::launched_block&>(*back) = *returning.first();
        EXPECT_TRUE(returning.placed(back->sm));
        dut.placed(*back, edge);
        return back;
    }
    void ends(const block_ptr& block) {
        block->outcome = protocol::block_outcome::completed;
        dut.left(*block, edge++);
    }

    pool<protocol::kernel_launch> launches_{"launches"};
    pool<protocol::block_dispatch> blocks_{"blocks"};
    launch_progress progress;
    launch_order order{std::make_unique<fcfs_chain>(4), 4, 3, progress, true};
    room_reserve reserve;
    preemption dut{3, 2, true};
    returning_blocks returning{order, dut, reserve};
    std::uint64_t edge = 100;
};

TEST_F(preemption_test, takes_the_launch_of_the_lowest_priority_that_is_lower) {
    const auto low = launch(1, 1);
    const auto high = launch(2, 3);
    const auto middle = launch(3, 2);
    EXPECT_FALSE(dut.victim(9));
    const block_ptr first = place(low, 0, 0, 0);
    (void)place(high, 0, 0, 1);
    (void)place(middle, 0, 1, 0);
    EXPECT_EQ(dut.victim(4), low);
    EXPECT_EQ(dut.victim(2), low);
    EXPECT_FALSE(dut.victim(1)) << "the same priority";
    ends(first);
    EXPECT_EQ(dut.victim(4), middle) << "the other has no block on an SMX";
}

TEST_F(preemption_test, takes_the_older_of_two_launches_of_one_priority) {
    const auto younger = launch(5, 1);
    const auto older = launch(4, 1);
    const block_ptr last = place(older, 0, 0, 0);
    (void)place(younger, 0, 1, 0);
    EXPECT_EQ(dut.victim(2), older);
    ends(last);
    EXPECT_EQ(dut.victim(2), younger);
}

/// A block that was placed while others were away is told, too.
TEST_F(preemption_test, counts_lost_time_from_the_first_telling) {
    const auto one = launch(1, 0);
    const std::vector<block_ptr> blocks{place(one, 0, 0, 0), place(one, 1, 1, 0)};
    edge = 1000;
    (void)dut.tell(one, edge);
    leaves(blocks[0]);
    leaves(blocks[1]);
    edge = 1200;
    const block_ptr back = comes_back();
    edge = 1300;
    (void)dut.tell(one, edge);  // the other is still away
    leaves(back);
    edge = 1500;
    (void)comes_back();
    edge = 1900;
    (void)comes_back();
    EXPECT_EQ(dut.counts().lost_time().samples(), 1U);
    EXPECT_EQ(dut.counts().lost_time().mean(), 900);
    EXPECT_EQ(dut.counts().launches(), 2U);
    EXPECT_EQ(dut.counts().blocks(), 3U);
}

/// A launch of priority 0 waits for the blocks of priority 1, and these for the end of a launch of
/// priority 2, whose group has joined behind that of priority 0.
TEST_F(preemption_test, blocks_come_back_before_a_group_that_stands_behind_who_waits_for_them) {
    const auto high = launch(1, 2);
    const auto low = launch(3, 0);
    leaves_for(high, place(launch(2, 1), 0, 0, 0));
    EXPECT_FALSE(returning.pending()) << "the highest launch runs";
    ASSERT_TRUE(order.start(kde_index(1), low));
    EXPECT_FALSE(returning.pending()) << "and has nothing to distribute";
    (void)order.chain().append(kde_index(0), group_index(agt_entry(0)));
    EXPECT_TRUE(returning.pending());
    order.chain().advance();
    EXPECT_FALSE(returning.pending()) << "the group is next";
}

/// The launch in front has the blocks' own priority: they go before it.
TEST_F(preemption_test, blocks_come_back_before_a_group_behind_a_launch_of_their_priority) {
    const auto high = launch(1, 2);
    leaves_for(high, place(launch(2, 1), 0, 0, 0));
    ASSERT_TRUE(order.start(kde_index(1), launch(3, 1)));
    (void)order.chain().append(kde_index(0), group_index(agt_entry(0)));
    EXPECT_TRUE(returning.pending());
}

TEST_F(preemption_test, tells_all_blocks_of_the_launch_and_no_others) {
    const auto one = launch(1, 0);
    const auto other = launch(2, 0);
    const block_ptr a = place(one, 0, 0, 0);
    const block_ptr b = place(other, 0, 0, 1);
    const block_ptr c = place(one, 1, 2, 1);
    (void)place(other, 1, 1, 0);
    EXPECT_THAT(dut.tell(one, edge), ElementsAre(sm_id(0), sm_id(2)));
    EXPECT_EQ(dut.leaving(), 2U);
    EXPECT_TRUE(dut.leaving(sm_id(0), block_slot(0)));
    EXPECT_TRUE(dut.leaving(sm_id(2), block_slot(1)));
    EXPECT_FALSE(dut.leaving(sm_id(0), block_slot(1)));
    ends(b);
    EXPECT_EQ(dut.leaving(), 2U);
    leaves(a);
    ends(c);  // before it could leave
    EXPECT_EQ(dut.leaving(), 0U);
    EXPECT_FALSE(dut.leaving(sm_id(0), block_slot(0)));
    EXPECT_EQ(dut.away(), 1U);
}

TEST_F(preemption_test, the_highest_priority_comes_back_first_and_then_who_left_first) {
    const auto low = launch(1, 0);
    const auto high = launch(2, 5);
    const std::vector<block_ptr> blocks{place(low, 0, 0, 0), place(low, 1, 0, 1),
                                        place(high, 0, 1, 0), place(high, 1, 1, 1)};
    (void)dut.tell(low, edge);
    leaves(blocks[1]);
    leaves(blocks[0]);
    (void)dut.tell(high, edge);
    leaves(blocks[2]);
    leaves(blocks[3]);
    EXPECT_TRUE(dut.stops(5));
    EXPECT_FALSE(dut.stops(6));
    for (const auto& [of, number] : {std::pair{2U, 0U}, {2U, 1U}, {1U, 1U}, {1U, 0U}}) {
        ASSERT_NE(returning.first(), nullptr);
        EXPECT_EQ(returning.first()->launch, launch_id(of));
        EXPECT_EQ(returning.first()->block, number);
        (void)comes_back();
        ++edge;
    }
    EXPECT_EQ(returning.first(), nullptr);
    EXPECT_EQ(dut.away(), 0U);
    EXPECT_FALSE(dut.stops(0));
}

TEST_F(preemption_test, counts_from_the_telling_to_the_last_that_leaves_and_returns) {
    const auto one = launch(1, 0);
    const std::vector<block_ptr> blocks{place(one, 0, 0, 0), place(one, 1, 1, 0)};
    edge = 1000;
    (void)dut.tell(one, edge);
    edge = 1040;
    leaves(blocks[0]);
    EXPECT_EQ(dut.counts().room_time().samples(), 0U);
    edge = 1100;
    leaves(blocks[1]);
    EXPECT_EQ(dut.counts().room_time().samples(), 1U);
    EXPECT_EQ(dut.counts().room_time().mean(), 100);
    edge = 1500;
    (void)comes_back();
    EXPECT_TRUE(dut.stops(0));
    edge = 1700;
    (void)comes_back();
    EXPECT_FALSE(dut.stops(0));
    EXPECT_EQ(dut.counts().lost_time().mean(), 700);
    EXPECT_EQ(dut.counts().launches(), 1U);
    EXPECT_EQ(dut.counts().blocks(), 2U);
}

}  // namespace
}  // namespace heddle
