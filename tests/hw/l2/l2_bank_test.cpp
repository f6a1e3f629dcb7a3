// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// The L2 bank's time and its errors. Edge k lies at k ns; the tests act between edges.
#include "hw/l2/l2_bank.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <utility>
#include <vector>

#include "hw/l2/line_operations.h"
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

memory_transaction& atomic_of(rig& r, unsigned lanes, unsigned words) {
    memory_transaction& t = r.make(memory_kind::atomic, 0, 128);
    t.access().operation = isa::opcode::amoadd_w;
    t.access().atomic_count = static_cast<std::uint8_t>(lanes);
    for (unsigned i = 0; i < lanes; ++i) {
        t.access().atomics[i] = {static_cast<std::uint8_t>(i),
                                 static_cast<std::uint8_t>(4 * (i % words)),
                                 static_cast<std::uint16_t>(i),
                                 1,
                                 0,
                                 0};
    }
    return t;
}

TEST(l2_bank, is_kept_by_bytes_lanes_and_words) {
    l2_configuration c = with(5);
    rig r(c);
    const auto cycles = [&](memory_transaction& t) { return bank_cycles(t, t.access(), c); };
    EXPECT_EQ(cycles(r.make(memory_kind::load, 0, 128)), 1U);
    c.port_bytes = 32;
    EXPECT_EQ(cycles(r.make(memory_kind::load, 0, 32)), 1U);
    EXPECT_EQ(cycles(r.make(memory_kind::store, 0, 36)), 2U);
    EXPECT_EQ(cycles(r.make(memory_kind::load, 0, 128)), 4U);
    EXPECT_EQ(cycles(atomic_of(r, 32, 1)), 1U) << "no limit";
    c.atomic_lanes = 8;
    EXPECT_EQ(cycles(atomic_of(r, 32, 32)), 4U);
    EXPECT_EQ(cycles(atomic_of(r, 33, 32)), 5U);
    c.atomic_interval = 1;
    EXPECT_EQ(cycles(atomic_of(r, 32, 32)), 4U);
    EXPECT_EQ(cycles(atomic_of(r, 32, 1)), 32U);
    EXPECT_EQ(cycles(atomic_of(r, 32, 4)), 8U);
    c.atomic_interval = 9;
    EXPECT_EQ(cycles(atomic_of(r, 32, 4)), 72U);
}

/// A line in two cycles: the answer to the first comes a cycle later, that to the second three.
TEST(l2_bank, a_narrow_port_keeps_the_bank_for_several_cycles) {
    l2_configuration c = with(5);
    c.port_bytes = 64;
    rig r(c);
    for (unsigned i = 0; i < 2; ++i) r.send(r.make(memory_kind::store, 128 * i, 128));
    r.wait(20000);
    ASSERT_EQ(r.heard.size(), 2U);
    EXPECT_EQ(r.heard[0].second, 1U + 5U + 1U);
    EXPECT_EQ(r.heard[1].second, 1U + 2U + 5U + 1U);
}

/// The bank does nothing else while its atomic unit works, and the answer comes so much later.
TEST(l2_bank, an_atomic_access_keeps_the_bank) {
    l2_configuration c = with(5);
    c.atomic_interval = 3;
    rig r(c);
    r.send(r.make(memory_kind::store, 0, 128));
    r.wait(20000);  // the line is there
    r.heard.clear();
    const std::uint64_t begin = rig::now();
    ASSERT_TRUE(r.send(atomic_of(r, 4, 1)));
    ASSERT_TRUE(r.send(r.make(memory_kind::load, 0)));
    r.wait(60000);
    ASSERT_EQ(r.heard.size(), 2U);
    EXPECT_EQ(r.heard[0].second - begin, 1U + 5U + 11U) << "four lanes of one word, 3 cycles each";
    EXPECT_EQ(r.heard[1].second - begin, 1U + 12U + 5U) << "a load waits for them";
    statistics out;
    r.bank.collect(out, "l2.0");
    EXPECT_EQ(std::get<std::uint64_t>(out.find("l2.0.busy_stall_cycles")->value), 11U);
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

/// What is wrong with a request, and how the bank says so.
struct refusal {
    void (*spoil)(memory_transaction&);
    tlm::tlm_response_status status;
    const char* reason;
};

void make_atomic(memory_transaction& t, unsigned offset) {
    t.set_command(tlm::TLM_IGNORE_COMMAND);
    t.access().kind = memory_kind::atomic;
    t.access().operation = isa::opcode::amoadd_w;
    t.access().atomic_count = 1;
    t.access().atomics[0] = {0, static_cast<std::uint8_t>(offset), 0, 1, 0, 0};
}

const refusal refusals[] = {
    {[](memory_transaction& t) { t.set_address(std::uint64_t{1} << 32); },
     tlm::TLM_ADDRESS_ERROR_RESPONSE, "memory ends at 4 GiB"},
    {[](memory_transaction& t) { t.set_address(0x140); }, tlm::TLM_ADDRESS_ERROR_RESPONSE,
     "another bank"},
    {[](memory_transaction& t) {
         make_atomic(t, 0);
         t.set_address(0x42);
     },
     tlm::TLM_ADDRESS_ERROR_RESPONSE, "a lane's word is misaligned"},
    {[](memory_transaction& t) { make_atomic(t, 2); }, tlm::TLM_ADDRESS_ERROR_RESPONSE,
     "a lane's word is misaligned"},
    {[](memory_transaction& t) { make_atomic(t, 4); }, tlm::TLM_BURST_ERROR_RESPONSE,
     "beyond the data length"},
    {[](memory_transaction& t) { t.set_address(0x7e); }, tlm::TLM_BURST_ERROR_RESPONSE,
     "crosses a line"},
    {[](memory_transaction& t) { t.set_streaming_width(3); }, tlm::TLM_BURST_ERROR_RESPONSE,
     "streaming width"},
    {[](memory_transaction& t) { t.set_data_length(0); }, tlm::TLM_BURST_ERROR_RESPONSE,
     "legal: 1 byte"},
    {[](memory_transaction& t) {
         t.set_byte_enable_ptr(t.data());
         t.set_byte_enable_length(4);
     },
     tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE, "it has byte enables"},
    {[](memory_transaction& t) { t.access().byte_mask = {}; }, tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE,
     "mask is empty"},
    {[](memory_transaction& t) { t.access().byte_mask[0] = 0x1f; },
     tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE, "mask is longer"},
    {[](memory_transaction& t) { t.set_read(); }, tlm::TLM_COMMAND_ERROR_RESPONSE,
     "does not fit its kind"},
};

TEST(l2_bank, illegal_requests_are_answered_named_and_change_nothing) {
    l2_configuration c = with(5);
    c.banks = 2;
    c.size *= 2;
    rig r(c);
    memory_transaction& before = r.make(memory_kind::store, 0x40, 64);
    std::memset(before.data(), 0x11, 64);
    EXPECT_EQ(r.status_of(before), tlm::TLM_OK_RESPONSE);
    std::uint64_t errors = 0;
    for (const refusal& each : refusals) {
        memory_transaction& t = r.make(memory_kind::store, 0x40);
        std::memset(t.data(), 0x22, 4);
        t.access().launch = protocol::launch_id(3);
        each.spoil(t);
        const std::size_t answers = r.heard.size();
        EXPECT_EQ(r.status_of(t), each.status) << each.reason;
        EXPECT_EQ(r.heard.size(), answers + 1) << "answered once";
        EXPECT_EQ(r.bank.counts().errors, ++errors) << each.reason;
        EXPECT_THAT(
            r.status.messages().back(),
            ::testing::AllOf(::testing::StartsWith("bank: "), ::testing::HasSubstr("launch 3"),
                             ::testing::HasSubstr(each.reason)));
        memory_transaction& after = r.make(memory_kind::load, 0x40, 64);
        EXPECT_EQ(r.status_of(after), tlm::TLM_OK_RESPONSE) << "the bank goes on";
        EXPECT_THAT(std::vector<std::uint8_t>(after.data(), after.data() + 64),
                    ::testing::Each(0x11))
            << each.reason;
    }
    EXPECT_EQ(r.memory_requests, 0U);
    EXPECT_EQ(r.status.kind(), error_kind::wrong_result);
    EXPECT_TRUE(r.bank.empty());
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

TEST(l2_bank, debug_is_one_access_of_memory_while_the_bank_holds_nothing) {
    rig r(with(5));
    std::vector<unsigned> lengths;
    unsigned refused = 0;
    r.memory.on_debug = [&](tlm::tlm_generic_payload& p) {
        if (p.get_data_length() > refused) return 0U;
        lengths.push_back(p.get_data_length());
        return p.get_data_length();
    };
    std::uint8_t data[512] = {};
    tlm::tlm_generic_payload p;
    p.set_write();
    p.set_address(0x40);
    p.set_data_ptr(data);
    p.set_data_length(512);
    refused = 512;
    EXPECT_EQ(r.initiator.socket->transport_dbg(p), 512U);
    EXPECT_THAT(lengths, ::testing::ElementsAre(512));
    refused = 128;
    lengths.clear();
    EXPECT_EQ(r.initiator.socket->transport_dbg(p), 512U) << "line by line, if memory wants it";
    EXPECT_THAT(lengths, ::testing::ElementsAre(64, 128, 128, 128, 64));
    EXPECT_EQ(p.get_response_status(), tlm::TLM_OK_RESPONSE);
    refused = 512;
    lengths.clear();
    EXPECT_EQ(r.status_of(r.make(memory_kind::store, 0x100)), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(r.initiator.socket->transport_dbg(p), 512U);
    EXPECT_THAT(lengths, ::testing::ElementsAre(64, 128, 128, 128, 64)) << "a line is here";
}

}  // namespace
}  // namespace heddle
