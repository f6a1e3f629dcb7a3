// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/kmu/suspended_blocks.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

class suspended_blocks_test : public testing::Test {
protected:
    void add(std::uint32_t block, bool ready) {
        protocol::launched_block left;
        left.launch = launch->launch;
        left.kernel = launch;
        left.block = block;
        left.position = {block, 0, 0};
        left.context = protocol::context_id(block + 100);
        left.saved = {0xc800'0000, 64};
        blocks.add(left, ready);
    }

    pool<protocol::kernel_launch> launches{"launches"};
    pool_ptr<protocol::kernel_launch> launch = [this] {
        pool_ptr<protocol::kernel_launch> made = launches.make();
        made->launch = launch_id(3);
        made->grid = {9, 1, 1};
        made->block = {40, 1, 1};
        return made;
    }();
    suspended_blocks blocks;
};

TEST_F(suspended_blocks_test, come_back_when_their_children_have_ended_in_this_order) {
    add(4, false);
    add(5, false);
    add(6, true);
    blocks.children_ended(launch_id(3), 5);
    blocks.children_ended(launch_id(3), 7);  // not here
    blocks.children_ended(launch_id(4), 4);  // of another launch
    ASSERT_TRUE(blocks.ready());
    EXPECT_EQ(blocks.take().block, 6U);
    EXPECT_EQ(blocks.take().block, 5U);
    EXPECT_FALSE(blocks.ready());
    EXPECT_EQ(blocks.size(), 1U);
    blocks.children_ended(launch_id(3), 4);
    EXPECT_EQ(blocks.take().block, 4U);
    EXPECT_EQ(blocks.size(), 0U);
    EXPECT_EQ(blocks.peak(), 3U);
    EXPECT_EQ(blocks.count(), 3U);
    EXPECT_EQ(blocks.bytes(), 192U);
}

TEST_F(suspended_blocks_test, come_back_with_launch_place_and_state) {
    add(4, true);
    const protocol::launched_block back = blocks.take();
    EXPECT_EQ(back.kernel, launch);
    EXPECT_EQ(back.context, protocol::context_id(104));
    EXPECT_EQ(back.position, (dim3{4, 0, 0}));
    EXPECT_EQ(back.saved.bytes, 64U);
}

}  // namespace
}  // namespace heddle
