// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/crossbar/crossbar.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "models/base/error.h"
#include "tb/kit/tlm_slots.h"
#include "tests/hw/protocol/scripted_link.h"

namespace heddle {
namespace {

using protocol::memory_kind;
using protocol::memory_phase;
using protocol::testing::report_catcher;
using sc_core::sc_time;
using testing::ElementsAre;
using testing::HasSubstr;

crossbar_configuration base() {
    crossbar_configuration c;
    c.latency = 10;
    c.input_buffer = c.output_buffer = 16;
    return c;
}

struct rig {
    explicit rig(const crossbar_configuration& c, bool no_sleep = false)
        : domain("clock", frequency::megahertz(1000), {nullptr, no_sleep}),
          bar("crossbar", domain, c,
              {2, 2, 128,
               [](std::uint64_t address) { return static_cast<std::uint32_t>(address / 256 % 4); }},
              tlm_slots<allocator_traits>(domain, status)) {
        for (unsigned i = 0; i < 2; ++i) {
            smx[i].socket.bind(bar.smx_sockets[i]);
            bar.bank_sockets[i].bind(bank[i].socket);
            bank[i].on_forward = [this, i](tlm::tlm_generic_payload& p, memory_phase& phase,
                                           sc_time&) {
                seen.emplace_back(i, p.get_address(), now());
                phase = answer;
                return bank_accepts ? tlm::TLM_UPDATED : tlm::TLM_ACCEPTED;
            };
        }
        host.socket.bind(bar.debug_socket);
        sc_core::sc_start(500, sc_core::SC_PS);
    }
    static std::uint64_t now() { return sc_core::sc_time_stamp().value() / 1000; }
    protocol::memory_transaction& send(unsigned from, memory_kind kind, std::uint64_t address,
                                       unsigned length) {
        protocol::memory_transaction& t = *pool.make();
        t.prepare(kind, address, length);
        t.access().sm = sm_id(from);
        memory_phase phase = memory_phase::begin_request;
        sc_time delay = sc_core::SC_ZERO_TIME;
        accepted = smx[from].socket->nb_transport_fw(t, phase, delay) == tlm::TLM_UPDATED;
        return t;
    }
    std::uint64_t count(const char* name) const {
        statistics values;
        bar.collect(values, "crossbar");
        return std::get<std::uint64_t>(values.find("crossbar.request." + std::string(name))->value);
    }

    protocol::memory_pool pool{"pool"};
    run_status status;
    clock_domain domain;
    sc_core::sc_vector<protocol::testing::scripted_initiator<protocol::memory_link>> smx{"smx", 2};
    protocol::testing::scripted_initiator<protocol::memory_link> host{"host"};
    crossbar bar;
    sc_core::sc_vector<protocol::testing::scripted_target<protocol::memory_link>> bank{"bank", 2};
    std::vector<std::tuple<unsigned, std::uint64_t, std::uint64_t>> seen;
    memory_phase answer = memory_phase::end_request;
    bool bank_accepts = true;
    bool accepted = false;
};

TEST(crossbar, request_takes_latency_and_a_cycle_for_each_further_flit) {
    rig r(base());
    r.send(0, memory_kind::load, 0x100, 128);   // 8 bytes: 1 flit, seen at 1
    r.send(1, memory_kind::store, 0x000, 128);  // 136 bytes: 5 flits
    sc_core::sc_start(50, sc_core::SC_NS);
    EXPECT_THAT(r.seen,
                ElementsAre(std::make_tuple(1U, 0x100U, 11U), std::make_tuple(0U, 0x000U, 15U)));
    EXPECT_EQ(r.count("messages"), 2U);
    EXPECT_EQ(r.count("flits"), 6U);
    EXPECT_EQ(r.count("bytes"), 8U + 136U);
}

TEST(crossbar, response_finds_its_way_back_and_carries_the_data) {
    rig r(base());
    std::vector<std::uint64_t> back;
    r.smx[1].on_backward = [&](tlm::tlm_generic_payload&, memory_phase& phase, sc_time&) {
        EXPECT_EQ(phase, memory_phase::begin_response);
        back.push_back(rig::now());
        return tlm::TLM_COMPLETED;
    };
    protocol::memory_transaction& t = r.send(1, memory_kind::load, 0x000, 128);
    sc_core::sc_start(20, sc_core::SC_NS);  // 20.5 ns
    memory_phase phase = memory_phase::begin_response;
    sc_time delay = sc_core::SC_ZERO_TIME;
    EXPECT_EQ(r.bank[0].socket->nb_transport_bw(t, phase, delay), tlm::TLM_UPDATED);
    sc_core::sc_start(50, sc_core::SC_NS);
    EXPECT_THAT(back, ElementsAre(21 + 10 + 4));
    EXPECT_TRUE(r.bar.empty());
    t.release();
    EXPECT_EQ(r.pool.leak_report(), "");
}

/// A bank need not accept a request that it answers. It may also do both.
TEST(crossbar, a_response_stands_for_the_acceptance_of_its_request) {
    rig r(base());
    r.bank_accepts = false;
    r.smx[0].on_backward = [](tlm::tlm_generic_payload&, memory_phase&, sc_time&) {
        return tlm::TLM_COMPLETED;
    };
    const auto say = [&](memory_phase phase, protocol::memory_transaction& t) {
        sc_time delay = sc_core::SC_ZERO_TIME;
        (void)r.bank[0].socket->nb_transport_bw(t, phase, delay);
    };
    protocol::memory_transaction& first = r.send(0, memory_kind::load, 0x000, 128);
    protocol::memory_transaction& second = r.send(0, memory_kind::load, 0x080, 128);
    sc_core::sc_start(30, sc_core::SC_NS);  // 30.5 ns
    ASSERT_EQ(r.seen.size(), 1U);
    say(memory_phase::begin_response, first);
    sc_core::sc_start(10, sc_core::SC_NS);
    ASSERT_EQ(r.seen.size(), 2U);
    EXPECT_EQ(std::get<2>(r.seen[1]), 31U);
    say(memory_phase::end_request, second);
    say(memory_phase::begin_response, second);
    sc_core::sc_start(50, sc_core::SC_NS);
    EXPECT_TRUE(r.bar.empty());
    EXPECT_EQ(r.count("stall_receiver"), 31 - std::get<2>(r.seen[0]) + 41 - 31);
    first.release();
    second.release();
    EXPECT_EQ(r.pool.leak_report(), "");
}

TEST(crossbar, atomics_carry_their_operands_there_and_their_results_back) {
    rig r(base());
    std::vector<std::uint64_t> back;
    r.smx[0].on_backward = [&](tlm::tlm_generic_payload&, memory_phase&, sc_time&) {
        back.push_back(rig::now());
        return tlm::TLM_COMPLETED;
    };
    protocol::memory_transaction& t = *r.pool.make();
    t.prepare(memory_kind::atomic, 0, 128);
    t.access().operation = isa::opcode::amocas_w;
    t.access().atomic_count = 12;  // 8 + 12 * 8 = 104 bytes: 4 flits; back 56: 2
    memory_phase phase = memory_phase::begin_request;
    sc_time delay = sc_core::SC_ZERO_TIME;
    r.smx[0].socket->nb_transport_fw(t, phase, delay);
    sc_core::sc_start(20, sc_core::SC_NS);
    EXPECT_THAT(r.seen, ElementsAre(std::make_tuple(0U, 0U, 1U + 10U + 3U)));
    phase = memory_phase::begin_response;
    r.bank[0].socket->nb_transport_bw(t, phase, delay);
    sc_core::sc_start(20, sc_core::SC_NS);
    EXPECT_THAT(back, ElementsAre(21 + 10 + 1));
}

TEST(crossbar, blocked_bank_pushes_back_to_the_port_and_sleep_counts_the_same) {
    std::uint64_t stalls[2] = {0, 0};
    crossbar_configuration c = base();
    c.latency = 1;
    c.input_buffer = c.output_buffer = 5;
    rig r(c);
    r.bank_accepts = false;
    unsigned taken = 0;
    for (unsigned i = 0; i < 20 && r.accepted == (i != 0); ++i) {
        r.send(0, memory_kind::store, 0, 4);
        taken += r.accepted ? 1 : 0;
        sc_core::sc_start(3, sc_core::SC_NS);
    }
    // one on the link; an output buffer of 5 takes none while the longest, 5, finds no room
    EXPECT_EQ(taken, 1U + 1U + 5U);
    EXPECT_EQ(r.seen.size(), 1U);
    EXPECT_THAT(r.bar.requests().waiting_for(),
                HasSubstr("6 messages under way, 1 inputs without credits; "
                          "not accepted behind output 0"));
    const std::uint64_t evaluations = r.domain.evaluations();
    stalls[0] = r.count("stall_output_full");
    sc_core::sc_start(1000, sc_core::SC_NS);
    EXPECT_EQ(r.domain.evaluations(), evaluations) << "it sleeps";
    stalls[1] = r.count("stall_output_full");
    EXPECT_EQ(stalls[1], stalls[0] + 1000) << "and counts";
}

TEST(crossbar, messages_that_wait_for_a_link_follow_each_other) {
    rig r(base());
    r.bank_accepts = false;
    protocol::memory_transaction& first = r.send(0, memory_kind::load, 0x000, 4);
    r.send(1, memory_kind::load, 0x020, 4);
    sc_core::sc_start(2, sc_core::SC_NS);
    r.send(0, memory_kind::load, 0x040, 4);
    sc_core::sc_start(28, sc_core::SC_NS);  // 30.5 ns: all have reached the output
    ASSERT_EQ(r.seen.size(), 1U);
    r.bank_accepts = true;
    memory_phase phase = memory_phase::end_request;
    sc_time delay = sc_core::SC_ZERO_TIME;
    r.bank[0].socket->nb_transport_bw(first, phase, delay);
    sc_core::sc_start(10, sc_core::SC_NS);
    ASSERT_EQ(r.seen.size(), 3U);
    EXPECT_EQ(std::get<2>(r.seen[1]), 31U);
    EXPECT_EQ(std::get<2>(r.seen[2]), 32U);
}

TEST(crossbar, address_of_no_bank_is_reported) {
    rig r(base());
    const report_catcher caught;
    r.send(0, memory_kind::load, 0x300, 4);
    EXPECT_THAT(report_catcher::text(),
                HasSubstr("heddle/crossbar/address: address 768 belongs to bank 3 of 2"));
}

TEST(crossbar, response_to_no_smx_is_reported) {
    rig r(base());
    const report_catcher caught;
    protocol::memory_transaction& t = r.send(0, memory_kind::load, 0, 4);
    sc_core::sc_start(20, sc_core::SC_NS);
    t.access().sm = sm_id(2);
    memory_phase phase = memory_phase::begin_response;
    sc_time delay = sc_core::SC_ZERO_TIME;
    r.bank[0].socket->nb_transport_bw(t, phase, delay);
    EXPECT_THAT(report_catcher::text(), HasSubstr("for an SMX that there is not"));
}

TEST(crossbar, message_beyond_the_longest_is_reported) {
    rig r(base());
    const report_catcher caught;
    protocol::memory_transaction& t = *r.pool.make();
    t.prepare(memory_kind::atomic, 0, 128);
    t.access().operation = isa::opcode::amocas_w;
    t.access().atomic_count = 32;  // 264 bytes
    memory_phase phase = memory_phase::begin_request;
    sc_time delay = sc_core::SC_ZERO_TIME;
    r.smx[0].socket->nb_transport_fw(t, phase, delay);
    EXPECT_THAT(report_catcher::text(), HasSubstr("heddle/crossbar/length: a message of 9 flits; "
                                                  "the longest has 5"));
}

TEST(crossbar, phases_of_the_other_path_are_reported) {
    rig r(base());
    const report_catcher caught;
    protocol::memory_transaction& t = r.send(0, memory_kind::load, 0, 4);
    memory_phase phase = memory_phase::end_request;
    sc_time delay = sc_core::SC_ZERO_TIME;
    r.smx[0].socket->nb_transport_fw(t, phase, delay);
    phase = memory_phase::begin_request;
    r.bank[0].socket->nb_transport_bw(t, phase, delay);
    r.answer = memory_phase::begin_response;  // in the call of the request
    sc_core::sc_start(30, sc_core::SC_NS);
    EXPECT_THAT(report_catcher::ids(),
                ElementsAre("heddle/crossbar/protocol", "heddle/crossbar/protocol",
                            "heddle/crossbar/protocol"));
}

TEST(crossbar, buffers_hold_the_longest_message_or_it_is_an_error) {
    for (const bool input : {true, false}) {
        crossbar_configuration c = base();
        (input ? c.input_buffer : c.output_buffer) = 4;
        run_status status;
        clock_domain domain(input ? "clock_a" : "clock_b", frequency::megahertz(1000));
        try {
            crossbar bar(input ? "a" : "b", domain, c, {2, 2, 128, nullptr},
                         tlm_slots<allocator_traits>(domain, status));
            FAIL() << "accepted";
        } catch (const configuration_error& error) {
            EXPECT_THAT(error.what(),
                        HasSubstr(std::string("crossbar.") + (input ? "input" : "output") +
                                  "_buffer = 4 flits, and the longest message has 5"));
        }
    }
}

TEST(crossbar, debug_access_is_split_where_the_bank_changes) {
    rig r(base());
    for (unsigned i = 0; i < 2; ++i) {
        r.bank[i].on_debug = [i](tlm::tlm_generic_payload& p) {
            std::memset(p.get_data_ptr(), static_cast<int>(i + 1), p.get_data_length());
            return p.get_data_length();
        };
    }
    std::uint8_t data[8] = {};
    tlm::tlm_generic_payload p;
    p.set_read();
    p.set_address(0xfc);
    p.set_data_ptr(data);
    p.set_data_length(8);
    EXPECT_EQ(r.host.socket->transport_dbg(p), 8U);
    EXPECT_THAT(data, ElementsAre(1, 1, 1, 1, 2, 2, 2, 2));
    EXPECT_EQ(p.get_address(), 0xfcU) << "restored";
    EXPECT_EQ(p.get_data_ptr(), data);
    p.set_address(0x1fc);
    EXPECT_EQ(r.host.socket->transport_dbg(p), 4U) << "beyond the banks";
    EXPECT_EQ(p.get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    tlm::tlm_dmi dmi;
    EXPECT_FALSE(r.smx[0].socket->get_direct_mem_ptr(p, dmi));
}

}  // namespace
}  // namespace heddle
