// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// What the load-store unit does for the log of private memory.
#include <gmock/gmock.h>

#include "tests/hw/smx/lsu_fixture.h"

namespace heddle {
namespace {

constexpr std::uint32_t place = 0x20000010;  // in the private window

class lsu_log : public lsu_fixture {
protected:
    lsu_log() {
        lsu_rig_options options;
        options.log = &log;
        build(options);
    }
    std::size_t store(std::uint32_t match, std::uint32_t value, bool transactional) {
        return access(match, warp, 0b11, at(place), at(value), {}, [=](memory_instruction& m) {
            m.transactional = transactional;
            m.transaction = warp;
        });
    }
    std::uint32_t word() {
        const auto read = access(encoding::lw, warp, 0b01, at(place));
        settle();
        return results[read].value[0];
    }

    static constexpr unsigned warp = 2;
    private_log log{8, 1};
};

/// Only the bytes that a store has written get their old values.
TEST_F(lsu_log, a_store_of_a_transaction_logs_what_it_overwrites) {
    const std::uint32_t stores[] = {encoding::sb, encoding::sh, encoding::sw};
    const std::uint32_t written[] = {0x112233aa, 0x1122aaaa, 0xaaaaaaaa};
    const std::uint32_t restored[] = {0x55555544, 0x55553344, 0x11223344};
    for (unsigned n = 0; n < 3; ++n) {
        store(encoding::sw, 0x11223344, false);
        settle();
        const auto logged = store(stores[n], 0xaaaaaaaa, true);
        settle();
        EXPECT_NE(results[logged].completed, 0U);
        EXPECT_EQ(word(), written[n]);
        store(encoding::sw, 0x55555555, false);
        settle();
        old_words words;
        ASSERT_TRUE(log.take(warp, 0b01, words));
        log.clear(warp);
        EXPECT_EQ(words.bytes, 1U << n);
        rig->unit().restore({protocol::launch_id(1), block_slot(0), 0}, access_owner(warp),
                            warp_slot(warp), words);
        rig->wake();
        EXPECT_EQ(rig->unit().outstanding_instructions(access_owner(warp)), 1U);
        EXPECT_EQ(word(), restored[n]);
        EXPECT_EQ(rig->unit().outstanding_instructions(access_owner(warp)), 0U);
    }
}

TEST_F(lsu_log, a_full_log_is_a_fault) {
    store(encoding::sw, 1, true);
    store(encoding::sw, 2, false);
    EXPECT_TRUE(faults.empty());
    store(encoding::sw, 3, true);
    settle();
    ASSERT_EQ(faults.size(), 1U);
    EXPECT_THAT(faults[0], testing::HasSubstr("more than 1 times (tm.private_log)"));
    EXPECT_EQ(word(), 2U);
}

/// Three instructions of a turn, each a store to private memory, come into a queue that is as full
/// as it may be before.
TEST(lsu_log_queue, has_room_for_two_of_each_instruction_of_a_turn) {
    constexpr unsigned depth = 2, together = 3;
    instruction_queue queue(depth, together, true), without(depth, together);
    std::uint64_t filled = 0;
    const auto fill = [&](unsigned instructions) {
        for (unsigned i = 0; i < instructions; ++i) {
            queue.next_slot().queued = filled++;
            queue.push();
        }
    };
    while (!queue.full()) {
        EXPECT_FALSE(without.full());
        fill(1);
        without.push();
    }
    EXPECT_TRUE(without.full());
    queue.pop();
    ASSERT_FALSE(queue.full());
    fill(2 * together);
    queue.next_slot().queued = filled;  // does not enter
    for (std::uint64_t n = 1; n < filled; ++n, queue.pop()) EXPECT_EQ(queue.head().queued, n);
    EXPECT_TRUE(queue.empty());
}

}  // namespace
}  // namespace heddle
