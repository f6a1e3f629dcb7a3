// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/lsu/private_log.h"

#include <gtest/gtest.h>

#include <memory>

namespace heddle {
namespace {

class private_log_test : public testing::Test {
protected:
    /// A store of `bytes` bytes by these lanes, as the load-store unit accepts it. Lane i stores
    /// `value` + i.
    queued_instruction& store(unsigned bytes, isa::lane_mask lanes, std::uint32_t value,
                              unsigned warp = 3) {
        instruction_ = isa::decode(bytes == 1 ? 0x00000023 : bytes == 2 ? 0x00001023 : 0x00002023);
        *m_ = {};
        m_->flight.instruction = &instruction_;
        m_->warp = warp_slot(warp);
        m_->transactional = true;
        m_->lanes = m_->left.in_private = lanes;
        bits::for_each(lanes, [&](unsigned lane) {
            m_->address[lane] = 0x100 + 4 * lane;
            m_->data[lane] = value + lane;
        });
        return *m_;
    }
    /// Adds a store, and tells what the load in its place finds: `old` + lane.
    void log_store(unsigned bytes, isa::lane_mask lanes, std::uint32_t old, unsigned warp = 3) {
        queued_instruction& m = store(bytes, lanes, 1000, warp);
        log.add(m);
        std::uint32_t values[protocol::maximum_lanes];
        for (unsigned lane = 0; lane < protocol::maximum_lanes; ++lane) values[lane] = old + lane;
        log.set_old(m.log, lanes, values);
    }

    private_log log{8, 2};

private:
    isa::instruction instruction_{};
    std::unique_ptr<queued_instruction> m_ = std::make_unique<queued_instruction>();
};

TEST_F(private_log_test, store_becomes_a_load_of_as_many_bytes_and_then_a_store_of_what_it_found) {
    const isa::opcode loads[] = {isa::opcode::lbu, isa::opcode::lhu, isa::opcode::lw};
    const isa::opcode stores[] = {isa::opcode::sb, isa::opcode::sh, isa::opcode::sw};
    for (unsigned n = 0; n < 3; ++n) {
        queued_instruction& m = store(1U << n, 0b1010, 50);
        log.add(m);
        EXPECT_EQ(m.flight.instruction->op, loads[n]);
        EXPECT_EQ(m.lanes, 0b1010U);
        EXPECT_FALSE(m.transactional);
        const std::uint32_t old[] = {0, 81, 0, 83};
        log.set_old(m.log, 0b1010, old);
        auto undo = std::make_unique<queued_instruction>();
        ASSERT_TRUE(log.take(3, 0b1000, *undo));
        EXPECT_EQ(undo->flight.instruction->op, stores[n]);
        EXPECT_EQ(undo->lanes, 0b1000U);
        EXPECT_EQ(undo->left.in_private, 0b1000U);
        EXPECT_EQ(undo->address[3], 0x10cU);
        EXPECT_EQ(undo->data[3], 83U);
        EXPECT_TRUE(log.empty(3));
        log.clear(3);
    }
}

TEST_F(private_log_test, newest_store_is_undone_first) {
    log_store(4, 0b11, 10);
    log_store(4, 0b01, 20);
    log_store(4, 0b01, 30, 4);  // of another warp
    auto undo = std::make_unique<queued_instruction>();
    ASSERT_TRUE(log.take(3, 0b11, *undo));
    EXPECT_EQ(undo->data[0], 20U);
    EXPECT_EQ(undo->lanes, 0b01U);
    ASSERT_TRUE(log.take(3, 0b11, *undo));
    EXPECT_EQ(undo->data[1], 11U);
    EXPECT_EQ(undo->lanes, 0b11U);
    EXPECT_TRUE(log.empty(3));
    EXPECT_FALSE(log.empty(4));
    EXPECT_FALSE(log.take(4, 0b10, *undo)) << "none of these lanes has stored";
}

TEST_F(private_log_test, limit_is_of_the_stores_of_each_lane) {
    log_store(4, 0b11, 0);
    EXPECT_TRUE(log.has_room(3, 0b11));
    log_store(4, 0b01, 0);
    EXPECT_FALSE(log.has_room(3, 0b01));
    EXPECT_TRUE(log.has_room(3, 0b10));
    EXPECT_FALSE(log.has_room(3, 0b11));
    EXPECT_TRUE(log.has_room(4, 0b01));
    log.clear(3);
    EXPECT_TRUE(log.has_room(3, 0b01));
}

}  // namespace
}  // namespace heddle
