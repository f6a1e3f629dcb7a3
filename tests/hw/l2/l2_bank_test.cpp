// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// The L2 bank's time and its errors. Edge k lies at k ns; the tests act between edges.
#include "hw/l2/l2_bank.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <utility>
#include <vector>

#include "tests/hw/protocol/scripted_link.h"

namespace heddle {
namespace {

using protocol::memory_kind;
using protocol::memory_phase;
using protocol::memory_transaction;
using sc_core::SC_NS;
using sc_core::SC_PS;
using sc_core::sc_time;

struct rig {
    explicit rig(const l2_configuration& c) : bank("bank", domain, bank_id(0), c, status) {
        initiator.socket.bind(bank.network_socket);
        bank.memory_socket.bind(memory.socket);
        initiator.on_backward = [this](tlm::tlm_generic_payload&, memory_phase& phase, sc_time&) {
            heard.emplace_back(phase, now());
            return phase == memory_phase::begin_response ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
        };
        memory.on_forward = [this](tlm::tlm_generic_payload& p, tlm::tlm_phase&, sc_time&) {
            p.set_response_status(memory_status);
            ++memory_requests;
            return tlm::TLM_COMPLETED;
        };
        wait(500);
    }
    static std::uint64_t now() { return sc_core::sc_time_stamp().value() / 1000; }
    static void wait(double ps) { sc_core::sc_start(ps, SC_PS); }
    memory_transaction& make(memory_kind kind, std::uint64_t address, unsigned length = 4) {
        memory_transaction& t = *pool.make();
        t.prepare(kind, address, length);
        return t;
    }
    /// Half an edge after the last one; returns whether it was accepted in the call.
    bool send(memory_transaction& t) {
        memory_phase phase = memory_phase::begin_request;
        sc_time delay = sc_core::SC_ZERO_TIME;
        return initiator.socket->nb_transport_fw(t, phase, delay) == tlm::TLM_UPDATED;
    }
    tlm::tlm_response_status status_of(memory_transaction& t) {
        EXPECT_TRUE(send(t));
        wait(100000);
        return t.get_response_status();
    }

    protocol::memory_pool pool{"pool"};
    clock_domain domain{"clock", frequency::megahertz(1000)};
    run_status status;
    protocol::testing::scripted_initiator<protocol::memory_link> initiator{"initiator"};
    l2_bank bank;
    protocol::testing::scripted_target<protocol::base_link> memory{"memory"};
    std::vector<std::pair<memory_phase, std::uint64_t>> heard;
    tlm::tlm_response_status memory_status = tlm::TLM_OK_RESPONSE;
    unsigned memory_requests = 0;
};

l2_configuration with(std::uint32_t hit_latency, std::uint32_t queue = 8) {
    l2_configuration c;
    c.banks = 1;
    c.size = 16 * 128;
    c.hit_latency = hit_latency;
    c.queue = queue;
    return c;
}

TEST(l2_bank, store_is_acknowledged_hit_latency_after_the_edge_that_sees_it) {
    rig r(with(7));
    ASSERT_TRUE(r.send(r.make(memory_kind::store, 0x100)));  // 0.5 ns, seen at edge 1
    r.wait(7400);
    EXPECT_TRUE(r.heard.empty()) << "blocked at edge 7";
    r.wait(200);
    EXPECT_THAT(r.heard, ::testing::ElementsAre(std::make_pair(memory_phase::begin_response, 8U)));
}

TEST(l2_bank, accesses_overlap_one_a_cycle) {
    rig r(with(5));
    for (unsigned i = 0; i < 3; ++i) {
        ASSERT_TRUE(r.send(r.make(memory_kind::store, 128 * i)));
    }
    r.wait(20000);
    std::vector<std::uint64_t> times;
    for (const auto& [phase, at] : r.heard) {
        times.push_back(at);
    }
    EXPECT_THAT(times, ::testing::ElementsAre(6, 7, 8));
}

TEST(l2_bank, full_queue_withholds_end_request) {
    rig r(with(5, 1));
    EXPECT_TRUE(r.send(r.make(memory_kind::store, 0)));
    EXPECT_FALSE(r.send(r.make(memory_kind::store, 0))) << "the queue has one entry";
    r.wait(20000);
    ASSERT_EQ(r.heard.size(), 3U);
    EXPECT_EQ(r.heard[0], std::make_pair(memory_phase::end_request, std::uint64_t{1}))
        << "the first one has left the queue at edge 1";
}

TEST(l2_bank, miss_through_early_completion_is_answered) {
    rig r(with(5));
    EXPECT_EQ(r.status_of(r.make(memory_kind::load, 0x100)), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(r.memory_requests, 1U);
    // seen 1, memory answers in the call at 1, seen 2, replayed, answered 5 later
    EXPECT_EQ(r.heard.back(), std::make_pair(memory_phase::begin_response, std::uint64_t{7}));
    EXPECT_TRUE(r.bank.empty());
}

TEST(l2_bank, illegal_request_is_answered_and_reported_and_writes_nothing) {
    rig r(with(5));
    memory_transaction& t = r.make(memory_kind::atomic, 0x102);
    t.access().operation = isa::opcode::amoadd_w;
    t.access().atomic_count = 1;
    t.access().launch = protocol::launch_id(3);
    EXPECT_EQ(r.status_of(t), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_THAT(
        r.status.text(),
        ::testing::AllOf(::testing::HasSubstr("bank"), ::testing::HasSubstr("0x102"),
                         ::testing::HasSubstr("launch 3"), ::testing::HasSubstr("misaligned")));
    EXPECT_EQ(r.memory_requests, 0U);
    EXPECT_EQ(r.bank.counts().errors, 1U);
}

TEST(l2_bank, error_of_memory_reaches_the_load_and_run_status) {
    rig r(with(5));
    r.memory_status = tlm::TLM_ADDRESS_ERROR_RESPONSE;
    EXPECT_EQ(r.status_of(r.make(memory_kind::load, 0x100)), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_THAT(r.status.text(), ::testing::HasSubstr("memory answered TLM_ADDRESS_ERROR"));
}

TEST(l2_bank, debug_goes_to_the_line_and_else_to_memory) {
    rig r(with(5));
    memory_transaction& t = r.make(memory_kind::store, 0x100);
    std::memset(t.data(), 7, 4);
    EXPECT_EQ(r.status_of(t), tlm::TLM_OK_RESPONSE);
    r.memory.on_debug = [](tlm::tlm_generic_payload& p) {
        std::memset(p.get_data_ptr(), 9, p.get_data_length());
        return p.get_data_length();
    };
    std::uint8_t data[8] = {};
    tlm::tlm_generic_payload p;
    p.set_read();
    p.set_address(0xfe);
    p.set_data_ptr(data);
    p.set_data_length(8);
    EXPECT_EQ(r.initiator.socket->transport_dbg(p), 8U);
    EXPECT_THAT(data, ::testing::ElementsAre(9, 9, 7, 7, 7, 7, 9, 9));
    r.memory.on_debug = [](tlm::tlm_generic_payload&) { return 0U; };
    EXPECT_EQ(r.initiator.socket->transport_dbg(p), 0U) << "memory's refusal is passed on";
}

}  // namespace
}  // namespace heddle
