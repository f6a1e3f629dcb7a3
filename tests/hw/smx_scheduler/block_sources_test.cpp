// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Room for blocks, and what a launch is to the scheduler from its first block to its last one.
#include <gmock/gmock.h>

#include "hw/smx_scheduler/chain/launch_progress.h"
#include "hw/smx_scheduler/placement/block_room.h"
#include "hw/smx_scheduler/placement/region_allocator.h"

namespace heddle {
namespace {

TEST(region_places, count_whole_runs_below_the_limit) {
    region_allocator regions(16);
    EXPECT_EQ(regions.places(3, 16), 5U);
    EXPECT_EQ(regions.places(3, 8), 2U);
    ASSERT_EQ(regions.allocate(2, 16), 0U);
    ASSERT_EQ(regions.allocate(4, 16), 2U);
    ASSERT_EQ(regions.allocate(2, 16), 6U);
    ASSERT_TRUE(regions.release(2, 4));
    // Free: 2 to 5, 8 to 15.
    EXPECT_EQ(regions.places(3, 16), 3U) << "pieces are not joined";
    EXPECT_EQ(regions.places(3, 9), 1U) << "a run that ends behind the limit counts up to it";
    EXPECT_EQ(regions.places(3, 8), 1U) << "a run that begins at the limit does not count";
    EXPECT_EQ(regions.places(4, 2), 0U);
}

TEST(launch_progress, tells_the_first_warp_and_the_last_block) {
    launch_progress progress;
    const launch_id launch(7);
    EXPECT_FALSE(progress.starts(launch)) << "it has not begun";
    progress.begin(launch, kde_index(3), 2);
    EXPECT_EQ(progress.entry(launch), kde_index(3));
    EXPECT_TRUE(progress.starts(launch));
    EXPECT_FALSE(progress.starts(launch));
    progress.fork(launch, 1);
    EXPECT_FALSE(progress.block_ended(launch));
    progress.suspended(launch);
    EXPECT_FALSE(progress.block_ended(launch));
    const auto over = progress.block_ended(launch);
    ASSERT_TRUE(over);
    EXPECT_TRUE(over->any_suspended);
    EXPECT_EQ(over->kde, kde_index(3));
    EXPECT_FALSE(progress.knows(launch));
}

/// One SMX with two block slots and four warps.
class block_room_test : public testing::Test {
protected:
    block_room_test() {
        machine.smx_count = 1;
        machine.warp_size = 32;
        machine.smx.max_blocks = 2;
        machine.smx.max_threads = 128;
        block.kernel = launches.make();
        block.kernel->per_block.threads = 64;
    }
    protocol::block_dispatch placed(block_room& room) {
        protocol::block_dispatch made;
        static_cast<protocol::launched_block&>(made) = block;
        const block_room::answer found = room.take(block);
        EXPECT_TRUE(found.at);
        made.sm = found.at->sm;
        made.slot = found.at->slot;
        made.context = found.at->context;
        room.ready(made.sm);
        return made;
    }

    pool<protocol::kernel_launch> launches{"launches"};
    machine_configuration machine;
    protocol::launched_block block;
};

TEST_F(block_room_test, a_block_that_comes_back_keeps_its_private_memory) {
    block_room room(machine, true);
    protocol::block_dispatch first = placed(room);
    EXPECT_EQ(first.context.value(), 0U);
    first.outcome = protocol::block_outcome::suspended;
    EXPECT_TRUE(room.leave(first));
    EXPECT_EQ(room.places(block.kernel->per_block), 2U) << "others have as much as before";
    EXPECT_EQ(placed(room).context.value(), 2U);
    block.resumed = true;
    block.context = first.context;
    EXPECT_EQ(placed(room).context.value(), 0U);
    EXPECT_EQ(room.take(block).lacks, block_limit::blocks);
}

TEST_F(block_room_test, the_end_of_a_block_frees_its_private_memory) {
    block_room room(machine, true);
    protocol::block_dispatch first = placed(room);
    first.outcome = protocol::block_outcome::completed;
    EXPECT_TRUE(room.leave(first));
    EXPECT_FALSE(room.leave(first)) << "it is not there any more";
    EXPECT_EQ(placed(room).context.value(), 0U);
}

}  // namespace
}  // namespace heddle
