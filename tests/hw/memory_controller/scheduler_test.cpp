// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <gtest/gtest.h>

#include "hw/memory_controller/fifo_scheduler.h"
#include "hw/memory_controller/fr_fcfs_scheduler.h"
#include "hw/memory_controller/write_drain.h"

namespace heddle {
namespace {

using protocol::dram_command;

/// Four banks; bank 1 has row 5 open.
struct rig {
    rig() { timing.issue(dram_command::activate, 1, 5, 0); }
    request_queue::index add(std::uint32_t bank, std::uint64_t row, bool write = false,
                             std::uint64_t arrival = 0) {
        return queue.insert({0, bank, next_column++, row, arrival, write});
    }
    [[nodiscard]] request_queue::index pick(request_scheduler& policy, std::uint64_t free_banks,
                                            bool writing = false, std::uint64_t now = 100) const {
        scheduler_view view{queue, timing, free_banks, writing, now};
        return policy.pick(view);
    }
    protocol::dram_timing sheet;
    channel_timing timing{sheet, 4, 1};
    request_queue queue{16, 4};
    std::uint32_t next_column = 0;
};

memory_controller_configuration with_age_limit(std::uint64_t clocks) {
    memory_controller_configuration c;
    c.age_limit = clocks;
    return c;
}

TEST(fifo_scheduler, nothing_passes_the_oldest_even_to_a_free_bank) {
    rig r;
    fifo_scheduler fifo;
    const auto first = r.add(0, 1);
    const auto second = r.add(0, 2);
    const auto third = r.add(1, 5);
    EXPECT_EQ(r.pick(fifo, 0b0011), first);
    r.queue.set_dispatched(first, true);
    EXPECT_EQ(r.pick(fifo, 0b0010), request_queue::none) << "the oldest waits for bank 0";
    r.queue.remove(first);
    EXPECT_EQ(r.pick(fifo, 0b0011), second);
    r.queue.set_dispatched(second, true);
    EXPECT_EQ(r.pick(fifo, 0b0010), third) << "banks work in parallel";
}

TEST(fifo_scheduler, reads_and_writes_have_no_turns) {
    rig r;
    fifo_scheduler fifo;
    const auto write = r.add(2, 1, true);
    EXPECT_TRUE(fifo.in_order());
    EXPECT_EQ(r.pick(fifo, 0b0100, false), write);
}

TEST(fr_fcfs_scheduler, prefers_the_oldest_hit_then_the_oldest) {
    rig r;
    fr_fcfs_scheduler policy(with_age_limit(1000));
    const auto conflict = r.add(1, 9);
    const auto hit = r.add(1, 5);
    r.add(1, 5);
    const auto elsewhere = r.add(3, 2);
    r.add(3, 1);
    EXPECT_EQ(r.pick(policy, 0b0010), hit);
    EXPECT_EQ(r.pick(policy, 0b1000), elsewhere) << "a closed bank: the oldest";
    EXPECT_EQ(r.pick(policy, 0b1010, true), request_queue::none) << "no read in the writes' turn";
    r.queue.remove(hit);
    r.queue.remove(r.queue[conflict].bank_after);
    EXPECT_EQ(r.pick(policy, 0b0010), conflict);
}

TEST(fr_fcfs_scheduler, bounds_the_wait_of_conflicts) {
    rig r;
    fr_fcfs_scheduler policy(with_age_limit(50));
    const auto conflict = r.add(1, 9, false, 100);
    const auto hit = r.add(1, 5, false, 101);
    EXPECT_EQ(r.pick(policy, 0b0010, false, 150), hit);
    EXPECT_EQ(r.pick(policy, 0b0010, false, 151), conflict);
}

TEST(fr_fcfs_scheduler, leaves_blocked_accesses_alone) {
    rig r;
    fr_fcfs_scheduler policy(with_age_limit(1000));
    const auto write = r.queue.insert({0, 1, 7, 5, 0, true});
    r.queue.insert({0, 1, 7, 5, 1, false});
    EXPECT_EQ(r.pick(policy, 0b0010, false), request_queue::none) << "the read waits for the write";
    EXPECT_EQ(r.pick(policy, 0b0010, true), write);
}

TEST(write_drain, turns_at_its_watermarks) {
    rig r;
    write_drain drain(4, 2, 1000);
    const auto read = r.add(0, 1);
    for (unsigned i = 0; i < 3; ++i) r.add(1, 1, true);
    drain.decide(r.queue, 10);
    EXPECT_FALSE(drain.writing()) << "three writes wait, four turn";
    r.add(1, 1, true);
    drain.decide(r.queue, 10);
    EXPECT_TRUE(drain.writing());
    r.queue.remove(r.queue.oldest(1));
    drain.decide(r.queue, 10);
    EXPECT_TRUE(drain.writing()) << "three are left";
    r.queue.remove(r.queue.oldest(1));
    drain.decide(r.queue, 10);
    EXPECT_FALSE(drain.writing()) << "two are left, and a read waits";
    r.queue.remove(read);
    drain.decide(r.queue, 10);
    EXPECT_TRUE(drain.writing()) << "nothing else to do";
    r.add(0, 1);
    drain.decide(r.queue, 10);
    EXPECT_FALSE(drain.writing());
    EXPECT_EQ(drain.turns(), 2U);
}

TEST(write_drain, an_old_request_has_its_turn) {
    rig r;
    write_drain drain(8, 2, 100);
    const auto write = r.add(1, 1, true, 10);
    r.add(0, 1, false, 20);
    drain.decide(r.queue, 110);
    EXPECT_FALSE(drain.writing());
    drain.decide(r.queue, 111);
    EXPECT_TRUE(drain.writing());
    r.queue.remove(write);
    drain.decide(r.queue, 112);
    EXPECT_FALSE(drain.writing());
}

}  // namespace
}  // namespace heddle
