// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "hw/dram/fixed_latency_memory.h"
#include "models/base/random.h"
#include "tests/hw/protocol/base_rig.h"

namespace heddle {
namespace {

using protocol::memory_kind;
using sc_core::sc_time;

using protocol::testing::base_rig;

/// Sends loads at the edges 1, 2, ... themselves.
class sender final : public clocked {
public:
    sender(base_rig& to, unsigned loads) : clocked(to.domain, "sender"), to_(to), left_(loads) {}
    void evaluate() override {
        if (domain().edge() == 0 || left_ == 0) return;
        --left_;
        statuses.push_back(to_.send(to_.make(memory_kind::load, 0, 32)));
    }
    [[nodiscard]] activity update() override {
        return left_ != 0 ? activity::busy : activity::idle;
    }

    std::vector<tlm::tlm_sync_enum> statuses;

private:
    base_rig& to_;
    unsigned left_;
};

struct rig : base_rig {
    explicit rig(const memory_configuration& c, unsigned loads = 0)
        : memory("memory", domain, c, 1), sent(*this, loads) {
        initiator.socket.bind(memory.port_sockets[0]);
        start();
    }

    fixed_latency_memory memory;
    sender sent;
};

TEST(fixed_latency_memory, answers_latency_and_transfer_after_the_edge_that_sees_the_request) {
    rig r({20, 32, 4});
    EXPECT_EQ(r.send(r.make(memory_kind::load, 0, 128)), tlm::TLM_UPDATED);
    rig::run(24);
    EXPECT_TRUE(r.answered.empty()) << "blocked at edge 24";
    rig::run(1);
    EXPECT_THAT(r.answered, ::testing::ElementsAre(1 + 20 + 4));
}

TEST(fixed_latency_memory, transfers_share_the_width_of_the_port) {
    rig r({20, 32, 4});
    for (unsigned i = 0; i < 3; ++i) {
        r.send(r.make(memory_kind::load, 128 * i, 128));
    }
    rig::run(100);
    EXPECT_THAT(r.answered, ::testing::ElementsAre(25, 29, 33));
    EXPECT_EQ(r.memory.counts().busy_cycles, 12U);
    EXPECT_EQ(r.memory.counts().pending_cycles, 33U - 1U);
    EXPECT_EQ(r.memory.counts().bytes_read, 384U);
}

TEST(fixed_latency_memory, a_transfer_takes_whole_cycles) {
    rig r({20, 32, 4});
    r.send(r.make(memory_kind::load, 0, 40));
    rig::run(100);
    EXPECT_THAT(r.answered, ::testing::ElementsAre(1 + 20 + 2));
}

TEST(fixed_latency_memory, full_port_withholds_end_req_until_an_access_has_left) {
    rig r({20, 32, 1});
    EXPECT_EQ(r.send(r.make(memory_kind::load, 0, 32)), tlm::TLM_UPDATED);
    EXPECT_EQ(r.send(r.make(memory_kind::load, 0, 32)), tlm::TLM_ACCEPTED);
    rig::run(22);
    EXPECT_TRUE(r.accepted.empty());
    rig::run(100);
    EXPECT_THAT(r.answered, ::testing::ElementsAre(22, 44));
    EXPECT_THAT(r.accepted, ::testing::ElementsAre(23));
}

/// What has come at this edge takes a place, although it begins at the next one.
TEST(fixed_latency_memory, a_request_that_has_not_begun_has_its_place) {
    rig r({20, 32, 2}, 3);
    rig::run(5);
    EXPECT_THAT(r.sent.statuses,
                ::testing::ElementsAre(tlm::TLM_UPDATED, tlm::TLM_UPDATED, tlm::TLM_ACCEPTED));
}

TEST(fixed_latency_memory, held_response_blocks_the_next_one) {
    rig r({20, 32, 4});
    r.holds = true;
    protocol::memory_transaction& first = r.make(memory_kind::load, 0, 32);
    r.send(first);
    r.send(r.make(memory_kind::load, 0, 32));
    rig::run(50);  // 50.5 ns
    EXPECT_EQ(r.answered.size(), 1U);
    r.send(first, tlm::END_RESP);
    rig::run(10);
    EXPECT_THAT(r.answered, ::testing::ElementsAre(22, 51));
}

TEST(fixed_latency_memory, byte_enables_repeat_and_apply_to_both_commands) {
    rig r({1, 32, 4});
    protocol::memory_transaction& t = r.make(memory_kind::store, 64, 8);
    std::uint8_t enables[2] = {TLM_BYTE_ENABLED, TLM_BYTE_DISABLED};
    for (unsigned i = 0; i < 8; ++i) {
        t.data()[i] = static_cast<std::uint8_t>(i + 1);
    }
    t.set_byte_enable_ptr(enables);
    t.set_byte_enable_length(2);
    sc_time delay = sc_core::SC_ZERO_TIME;
    r.initiator.socket->b_transport(t, delay);
    EXPECT_EQ(t.get_response_status(), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(delay, sc_time(2, sc_core::SC_NS)) << "latency and one transfer cycle";
    EXPECT_EQ(r.memory.counts().changes, 1U);
    r.initiator.socket->b_transport(t, delay);
    EXPECT_EQ(r.memory.counts().changes, 1U) << "the same bytes again";
    protocol::memory_transaction& l = r.make(memory_kind::load, 64, 8);
    EXPECT_EQ(r.initiator.socket->transport_dbg(l), 8U);
    EXPECT_THAT(std::vector<std::uint8_t>(l.data(), l.data() + 8),
                ::testing::ElementsAre(1, 0, 3, 0, 5, 0, 7, 0));
}

/// Whole words, parts of words and none, at all places of enables of any length.
TEST(fixed_latency_memory, byte_enables_of_any_pattern_apply_byte_by_byte) {
    rig r({1, 32, 4});
    random_stream random(7, "enables");
    std::vector<std::uint8_t> expected(64);
    for (unsigned round = 1; round <= 300; ++round) {
        const auto length = static_cast<unsigned>(1 + random.below(64));
        std::vector<std::uint8_t> enables(1 + random.below(64));
        for (std::size_t i = 0; i < enables.size(); ++i) {
            const bool as_before = i % 4 != 0 && random.chance(0.9);
            const std::uint8_t anew = random.chance(0.5) ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED;
            enables[i] = as_before ? enables[i - 1] : anew;
        }
        protocol::memory_transaction& t = r.make(memory_kind::store, 64, length);
        const std::uint64_t changes = r.memory.counts().changes;
        bool changed = false;
        for (unsigned i = 0; i < length; ++i) {
            t.data()[i] = static_cast<std::uint8_t>(random.below(3));
            if (enables[i % enables.size()] == 0) continue;
            changed |= expected[i] != t.data()[i];
            expected[i] = t.data()[i];
        }
        t.set_byte_enable_ptr(enables.data());
        t.set_byte_enable_length(static_cast<unsigned>(enables.size()));
        sc_time delay = sc_core::SC_ZERO_TIME;
        r.initiator.socket->b_transport(t, delay);
        EXPECT_EQ(r.memory.counts().changes, changes + (changed ? 1 : 0)) << round;
        protocol::memory_transaction& l = r.make(memory_kind::load, 64, 64);
        EXPECT_EQ(r.initiator.socket->transport_dbg(l), 64U);
        ASSERT_EQ(std::vector<std::uint8_t>(l.data(), l.data() + 64), expected) << round;
    }
}

TEST(fixed_latency_memory, illegal_accesses_are_refused_and_write_nothing) {
    rig r({1, 32, 4});
    const auto status = [&](protocol::memory_transaction& t) {
        sc_time delay = sc_core::SC_ZERO_TIME;
        r.initiator.socket->b_transport(t, delay);
        const tlm::tlm_response_status blocking = t.get_response_status();
        t.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        const std::size_t answers = r.answered.size();
        r.send(t);
        rig::run(10);
        EXPECT_EQ(r.answered.size(), answers + 1) << "nothing is lost";
        EXPECT_EQ(t.get_response_status(), blocking);
        return blocking;
    };
    EXPECT_EQ(status(r.make(memory_kind::store, fixed_latency_memory::bytes, 4)),
              tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(status(r.make(memory_kind::store, fixed_latency_memory::bytes - 4, 8)),
              tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(status(r.make(memory_kind::store, fixed_latency_memory::bytes - 4, 4)),
              tlm::TLM_OK_RESPONSE);
    protocol::memory_transaction& streaming = r.make(memory_kind::store, 0, 8);
    streaming.set_streaming_width(4);
    EXPECT_EQ(status(streaming), tlm::TLM_BURST_ERROR_RESPONSE);
    protocol::memory_transaction& enables = r.make(memory_kind::store, 0, 8);
    enables.set_byte_enable_ptr(enables.data());
    EXPECT_EQ(status(enables), tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    EXPECT_EQ(r.memory.counts().writes, 2U) << "the legal one, both ways";
    EXPECT_EQ(r.memory.counts().errors, 8U);
}

}  // namespace
}  // namespace heddle
