// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/kmu/queue_picker.h"

#include <gtest/gtest.h>

#include "models/base/random.h"
#include "tests/hw/base/slot_rig.h"

namespace heddle {
namespace {

class picker_rig : public testing::Test {
protected:
    unsigned take(std::uint64_t ready) {
        const unsigned queue = picker->decide({ready}).queue;
        picker->clock_edge();
        return queue;
    }
    slot_rig rig;
    std::unique_ptr<queue_picker> picker = rig.tlm<queue_picker_traits>().make({}, "gpu.kmu");
};

TEST_F(picker_rig, gives_turns_in_the_order_of_the_queues) {
    EXPECT_EQ(take(0b1110), 1U);
    EXPECT_EQ(take(0b1110), 2U);
    EXPECT_EQ(take(0b1010), 3U);
    EXPECT_EQ(take(0b1110), 1U);
    EXPECT_EQ(take(0b0010), 1U) << "the only one, though it is not its turn";
}

TEST_F(picker_rig, goes_from_queue_63_to_queue_0) {
    constexpr std::uint64_t both = 0x8000'0000'0000'0001U;
    EXPECT_EQ(take(both), 0U) << "first after reset";
    EXPECT_EQ(take(both), 63U);
    EXPECT_EQ(take(both), 0U);
}

TEST_F(picker_rig, takes_at_the_clock_edge_only) {
    EXPECT_EQ(picker->decide({0b11}).queue, 0U);
    EXPECT_EQ(picker->decide({0b11}).queue, 0U);
    picker->clock_edge();
    EXPECT_EQ(picker->decide({0b11}).queue, 1U);
    picker->reset();
    EXPECT_EQ(picker->decide({0b11}).queue, 0U);
}

TEST_F(picker_rig, picks_like_a_walk_over_the_queues) {
    random_stream random(1, "queue_picker");
    unsigned last = 63;
    for (int step = 0; step < 20000; ++step) {
        const std::uint64_t ready = random.next() & random.next() & random.next();
        if (ready == 0) continue;
        unsigned expected = (last + 1) % 64;
        while ((ready >> expected & 1) == 0) expected = (expected + 1) % 64;
        ASSERT_EQ(picker->decide({ready}).queue, expected);
        if (random.chance(0.7)) {
            picker->clock_edge();
            last = expected;
        }
    }
}

}  // namespace
}  // namespace heddle
