// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <gmock/gmock.h>

#include "hw/smx/divergence/formation.h"

namespace heddle {
namespace {

/// The lanes of a group part into those below `taken` and the others; they meet at `join`.
simt::transfer branch(std::uint32_t pc, std::uint32_t join, isa::lane_mask lanes,
                      isa::lane_mask taken) {
    simt::transfer to;
    to.what = simt::transfer::kind::part;
    to.reconvergence_pc = join;
    to.count = 2;
    to.groups[0] = {pc + 4, lanes & ~taken};
    to.groups[1] = {pc + 8, lanes & taken};
    return to;
}

TEST(pdom_formation, goes_on_while_the_stack_has_entries) {
    const auto groups = make_formation({2, 5});
    (void)groups->start(1, 0x100, 0xff);
    // Each branch adds two entries.
    const auto first = groups->follow(1, branch(0x100, 0x800, 0xff, 0xf));
    ASSERT_TRUE(first);
    EXPECT_EQ(first->lanes, 0xfU);
    const auto second = groups->follow(1, branch(0x108, 0x700, 0xf, 0x3));
    ASSERT_TRUE(second) << "five entries are there";
    EXPECT_EQ(second->lanes, 0x3U);
    EXPECT_FALSE(groups->follow(1, branch(0x110, 0x600, 0x3, 0x1)));
    (void)groups->start(0, 0x100, 0xff);
    EXPECT_TRUE(groups->follow(0, branch(0x100, 0x800, 0xff, 0xf))) << "each warp has its own";
}

TEST(pdom_formation, has_room_again_when_groups_have_met) {
    const auto groups = make_formation({1, 3});
    (void)groups->start(0, 0x100, 0xff);
    for (std::uint32_t pc = 0x100; pc < 0x1000; pc += 0x100) {
        ASSERT_TRUE(groups->follow(0, branch(pc, pc + 0x100, 0xff, 0xf)));
        (void)groups->advance(0, pc + 0x100);
        EXPECT_EQ(groups->advance(0, pc + 0x100).lanes, 0xffU);
    }
}

TEST(pdom_formation, has_no_limit_without_a_number) {
    const auto groups = make_formation({1, 0});
    (void)groups->start(0, 0, 0xff);
    simt::transfer call;
    for (std::uint32_t depth = 1; depth < 5000; ++depth) {
        call.set(simt::transfer::kind::call, 0x100, 0xff);
        call.return_address = 8 * depth;
        ASSERT_TRUE(groups->follow(0, call));
    }
}

}  // namespace
}  // namespace heddle
