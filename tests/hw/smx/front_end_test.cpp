// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Instruction buffers, L1I tags, warp formation.
#include <gmock/gmock.h>

#include "hw/smx/divergence/pdom.h"
#include "hw/smx/fetch/instruction_buffers.h"
#include "hw/smx/fetch/instruction_cache.h"
#include "models/base/error.h"
#include "models/program/kernel.h"

namespace heddle {
namespace {

using outcome = instruction_cache::outcome;

TEST(smx_buffers, hold_what_fits) {
    instruction_buffers buffers(2);
    EXPECT_TRUE(buffers.empty(7));
    EXPECT_EQ(buffers.room(7), 2u);
    buffers.fill(7, 2);
    EXPECT_EQ(buffers.room(7), 0u);
    EXPECT_TRUE(buffers.empty(8));
    buffers.take(7);
    EXPECT_EQ(buffers.count(7), 1u);
    buffers.flush(7);
    EXPECT_TRUE(buffers.empty(7));
}

/// Two sets of two lines of 64 bytes.
l1i_configuration small() {
    l1i_configuration c;
    c.size = 256;
    c.line = 64;
    c.ways = 2;
    c.mshrs = 2;
    return c;
}

TEST(smx_instruction_cache, merges_misses_and_refuses_when_full) {
    instruction_cache cache(small());
    EXPECT_EQ(cache.look_up(0x10004, 1), outcome::missed);
    EXPECT_EQ(cache.look_up(0x1003c, 2), outcome::merged);
    EXPECT_EQ(cache.look_up(0x10040, 3, false), outcome::full) << "the caller has no room";
    EXPECT_EQ(cache.look_up(0x10040, 3), outcome::missed);
    EXPECT_EQ(cache.look_up(0x10080, 4), outcome::full) << "both miss registers are taken";
    EXPECT_EQ(cache.fill(0x10000), 0b110u);
    EXPECT_EQ(cache.look_up(0x1003c, 2), outcome::hit);
    EXPECT_EQ(cache.look_up(0x10080, 4), outcome::missed);
    EXPECT_TRUE(cache.misses_pending());
    EXPECT_EQ(cache.fill(0x10040), 0b1000u);
    EXPECT_EQ(cache.fill(0x10080), 0b10000u);
    EXPECT_FALSE(cache.misses_pending());
}

TEST(smx_instruction_cache, replaces_the_line_that_was_used_longest_ago) {
    instruction_cache cache(small());
    for (const std::uint32_t line : {0x10000u, 0x10080u}) {  // both of set 0
        ASSERT_EQ(cache.look_up(line, 0), outcome::missed);
        cache.fill(line);
    }
    EXPECT_EQ(cache.look_up(0x10000, 0), outcome::hit);
    ASSERT_EQ(cache.look_up(0x10100, 0), outcome::missed);
    cache.fill(0x10100);
    EXPECT_EQ(cache.look_up(0x10000, 0), outcome::hit);
    EXPECT_EQ(cache.look_up(0x10080, 0), outcome::missed) << "was used before 0x10000";
}

TEST(smx_instruction_cache, invalidate_forgets_lines_but_not_misses) {
    instruction_cache cache(small());
    (void)cache.look_up(0x10000, 0);
    cache.fill(0x10000);
    (void)cache.look_up(0x10040, 5);
    cache.invalidate();
    EXPECT_EQ(cache.look_up(0x10000, 0), outcome::missed);
    EXPECT_EQ(cache.fill(0x10040), 0b100000u);
}

TEST(smx_formation, pdom_follows_the_stack) {
    const auto pdom = make_formation({4});
    warp_group group = pdom->start(2, 0x100, 0b1111);
    EXPECT_EQ(group.pc, 0x100u);
    EXPECT_EQ(group.lanes, 0b1111u);
    EXPECT_EQ(group.limit, simt::never);
    simt::transfer to;
    to.what = simt::transfer::kind::part;
    to.reconvergence_pc = 0x300;
    to.count = 2;
    to.groups[0] = {0x104, 0b1100};
    to.groups[1] = {0x200, 0b0011};
    group = pdom->follow(2, to).value();
    EXPECT_EQ(group.pc, 0x200u) << "the taken side runs first";
    EXPECT_EQ(group.lanes, 0b0011u);
    EXPECT_EQ(group.limit, 0x300u);
    const warp_group others = pdom->waiting(2, 0b1111);
    EXPECT_EQ(others.pc, 0x104u);
    EXPECT_EQ(others.lanes, 0b1100u);
    group = pdom->advance(2, 0x300);
    EXPECT_EQ(group.pc, 0x104u);
    EXPECT_EQ(group.lanes, 0b1100u);
    group = pdom->exit(2, 0b1100);
    EXPECT_EQ(group.pc, 0x300u) << "lanes that exit leave every entry";
    EXPECT_EQ(group.lanes, 0b0011u);
    EXPECT_EQ(pdom->waiting(2, 0b0011).lanes, 0u);
    EXPECT_EQ(pdom->exit(2, 0b0011).lanes, 0u);
}

TEST(smx_formation, a_recursive_call_has_no_limit_in_the_inner_activation) {
    const auto pdom = make_formation({1});
    (void)pdom->start(0, 0x100, 1);
    simt::transfer to;
    to.set(simt::transfer::kind::call, 0x400, 1);
    to.return_address = 0x104;
    EXPECT_EQ(pdom->follow(0, to)->limit, simt::never)
        << "the callee may pass its own return address in an inner activation";
    to.set(simt::transfer::kind::ret, 0x104, 1);
    EXPECT_EQ(pdom->follow(0, to)->pc, 0x104u);
}

}  // namespace
}  // namespace heddle
