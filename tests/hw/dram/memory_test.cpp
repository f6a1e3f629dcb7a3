// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "hw/dram/fixed_latency_memory.h"
#include "hw/protocol/memory_access.h"
#include "tests/hw/protocol/scripted_link.h"

namespace heddle {
namespace {

using protocol::memory_kind;
using sc_core::sc_time;

/// Edge k lies at k ns; the tests act between edges.
struct rig {
    explicit rig(const memory_configuration& c) : memory("memory", domain, c, 1) {
        initiator.socket.bind(memory.port_sockets[0]);
        initiator.on_backward = [this](tlm::tlm_generic_payload&, tlm::tlm_phase& phase, sc_time&) {
            const std::uint64_t now = sc_core::sc_time_stamp().value() / 1000;
            if (phase == tlm::END_REQ) {
                accepted.push_back(now);
                return tlm::TLM_ACCEPTED;
            }
            answered.push_back(now);
            return holds ? tlm::TLM_ACCEPTED : tlm::TLM_COMPLETED;
        };
        sc_core::sc_start(500, sc_core::SC_PS);
    }
    protocol::memory_transaction& make(memory_kind kind, std::uint64_t address, unsigned length) {
        protocol::memory_transaction& t = *pool.make();
        t.prepare(kind, address, length);
        return t;
    }
    tlm::tlm_sync_enum send(tlm::tlm_generic_payload& t, tlm::tlm_phase phase = tlm::BEGIN_REQ) {
        sc_time delay = sc_core::SC_ZERO_TIME;
        return initiator.socket->nb_transport_fw(t, phase, delay);
    }

    protocol::memory_pool pool{"pool"};
    clock_domain domain{"clock", frequency::megahertz(1000)};
    protocol::testing::scripted_initiator<protocol::base_link> initiator{"initiator"};
    fixed_latency_memory memory;
    std::vector<std::uint64_t> accepted, answered;
    bool holds = false;
};

TEST(fixed_latency_memory, answers_latency_and_transfer_after_the_edge_that_sees_the_request) {
    rig r({20, 32, 4});
    EXPECT_EQ(r.send(r.make(memory_kind::load, 0, 128)), tlm::TLM_UPDATED);
    sc_core::sc_start(24, sc_core::SC_NS);
    EXPECT_TRUE(r.answered.empty()) << "blocked at edge 24";
    sc_core::sc_start(1, sc_core::SC_NS);
    EXPECT_THAT(r.answered, ::testing::ElementsAre(1 + 20 + 4));
}

TEST(fixed_latency_memory, transfers_share_the_width_of_the_port) {
    rig r({20, 32, 4});
    for (unsigned i = 0; i < 3; ++i) {
        r.send(r.make(memory_kind::load, 128 * i, 128));
    }
    sc_core::sc_start(100, sc_core::SC_NS);
    EXPECT_THAT(r.answered, ::testing::ElementsAre(25, 29, 33));
    EXPECT_EQ(r.memory.counts().busy_cycles, 12U);
    EXPECT_EQ(r.memory.counts().pending_cycles, 33U - 1U);
    EXPECT_EQ(r.memory.counts().bytes_read, 384U);
}

TEST(fixed_latency_memory, full_port_withholds_end_req_until_an_access_has_left) {
    rig r({20, 32, 1});
    EXPECT_EQ(r.send(r.make(memory_kind::load, 0, 32)), tlm::TLM_UPDATED);
    EXPECT_EQ(r.send(r.make(memory_kind::load, 0, 32)), tlm::TLM_ACCEPTED);
    sc_core::sc_start(22, sc_core::SC_NS);
    EXPECT_TRUE(r.accepted.empty());
    sc_core::sc_start(100, sc_core::SC_NS);
    EXPECT_THAT(r.answered, ::testing::ElementsAre(22, 44));
    EXPECT_THAT(r.accepted, ::testing::ElementsAre(23));
}

TEST(fixed_latency_memory, held_response_blocks_the_next_one) {
    rig r({20, 32, 4});
    r.holds = true;
    protocol::memory_transaction& first = r.make(memory_kind::load, 0, 32);
    r.send(first);
    r.send(r.make(memory_kind::load, 0, 32));
    sc_core::sc_start(50, sc_core::SC_NS);  // 50.5 ns
    EXPECT_EQ(r.answered.size(), 1U);
    r.send(first, tlm::END_RESP);
    sc_core::sc_start(10, sc_core::SC_NS);
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
    protocol::memory_transaction& l = r.make(memory_kind::load, 64, 8);
    EXPECT_EQ(r.initiator.socket->transport_dbg(l), 8U);
    EXPECT_THAT(std::vector<std::uint8_t>(l.data(), l.data() + 8),
                ::testing::ElementsAre(1, 0, 3, 0, 5, 0, 7, 0));
}

TEST(fixed_latency_memory, illegal_accesses_are_refused_and_write_nothing) {
    rig r({1, 32, 4});
    const auto status = [&](protocol::memory_transaction& t) {
        sc_time delay = sc_core::SC_ZERO_TIME;
        r.initiator.socket->b_transport(t, delay);
        return t.get_response_status();
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
    EXPECT_EQ(r.memory.counts().writes, 1U);
    EXPECT_EQ(r.memory.counts().errors, 4U);
}

}  // namespace
}  // namespace heddle
