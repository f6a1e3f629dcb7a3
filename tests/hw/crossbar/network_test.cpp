// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "hw/crossbar/fixed_latency_network.h"
#include "hw/crossbar/fixed_latency_switch.h"
#include "models/base/random.h"
#include "tests/hw/protocol/scripted_link.h"

namespace heddle {
namespace {

using protocol::memory_kind;
using protocol::memory_phase;
using sc_core::sc_time;

// ---- the switch -------------------------------------------------------------------------------

std::vector<std::pair<unsigned, int>> deliver(fixed_latency_switch<int>& fabric,
                                              std::uint64_t edge) {
    std::vector<std::pair<unsigned, int>> out;
    fabric.arbitrate(edge);
    fabric.deliver(edge, [&](unsigned output, int item) {
        out.emplace_back(output, item);
        return true;
    });
    return out;
}

TEST(fixed_latency_switch, packet_leaves_latency_and_its_length_after_the_grant) {
    fixed_latency_switch<int> fabric(2, 2, 4, 5);
    fabric.push(0, 1, 42, 3, 10);
    for (std::uint64_t edge = 10; edge < 17; ++edge) {
        EXPECT_TRUE(deliver(fabric, edge).empty()) << edge;
    }
    EXPECT_EQ(fabric.next_due(16), 17U);
    EXPECT_THAT(deliver(fabric, 17), ::testing::ElementsAre(std::make_pair(1U, 42)));
    EXPECT_TRUE(fabric.empty());
}

TEST(fixed_latency_switch, outputs_serve_their_inputs_round_robin) {
    fixed_latency_switch<int> fabric(70, 1, 2, 1);
    for (const unsigned input : {69U, 3U, 64U}) {
        fabric.push(input, 0, static_cast<int>(input), 1, 0);
        fabric.push(input, 0, static_cast<int>(input), 1, 0);
    }
    std::vector<int> order;
    for (std::uint64_t edge = 0; edge < 10; ++edge) {
        for (const auto& [output, item] : deliver(fabric, edge)) {
            order.push_back(item);
        }
    }
    EXPECT_THAT(order, ::testing::ElementsAre(3, 64, 69, 3, 64, 69));
}

TEST(fixed_latency_switch, blocked_output_holds_queue_and_latency_packets) {
    fixed_latency_switch<int> fabric(1, 2, 2, 3);
    unsigned pushed = 0;
    for (std::uint64_t edge = 0; edge < 50; ++edge) {
        if (fabric.room(0) != 0) {
            fabric.push(0, 0, 1, 1, edge);
            ++pushed;
        }
        fabric.arbitrate(edge);
    }
    EXPECT_EQ(pushed, 2U + 3U + 2U) << "input queue, pipeline, output queue";
    EXPECT_EQ(fabric.next_due(50), fabric.never);
}

TEST(fixed_latency_switch, random_packets_arrive_once_and_in_order_of_each_pair) {
    random_stream random(1, "switch");
    fixed_latency_switch<int> fabric(5, 3, 2, 4);
    std::map<std::pair<unsigned, unsigned>, int> sent;
    std::map<std::pair<unsigned, unsigned>, int> seen;
    for (std::uint64_t edge = 0; edge < 20000; ++edge) {
        for (unsigned input = 0; input < 5 && edge < 19000; ++input) {
            const auto output = static_cast<unsigned>(random.below(3));
            if (fabric.room(input) != 0 && random.chance(0.4)) {
                const int number = sent[{input, output}]++;
                fabric.push(input, output, static_cast<int>(input) + 8 * number,
                            1 + static_cast<unsigned>(random.below(3)), edge);
            }
        }
        fabric.arbitrate(edge);
        fabric.deliver(edge, [&](unsigned output, int item) {
            if (random.chance(0.3)) {
                return false;
            }
            EXPECT_EQ(item / 8, (seen[{static_cast<unsigned>(item % 8), output}]++));
            return true;
        });
    }
    EXPECT_EQ(sent, seen);
    EXPECT_TRUE(fabric.empty());
}

// ---- the module -------------------------------------------------------------------------------

struct rig {
    explicit rig(const network_configuration& c)
        : network("network", domain, c, 2, 2, [](std::uint64_t address) {
              return static_cast<std::uint32_t>(address / 256 % 2);
          }) {
        for (unsigned i = 0; i < 2; ++i) {
            smx[i].socket.bind(network.smx_sockets[i]);
            network.bank_sockets[i].bind(bank[i].socket);
            bank[i].on_forward = [this, i](tlm::tlm_generic_payload& p, memory_phase& phase,
                                           sc_time&) {
                seen.emplace_back(i, p.get_address(), now());
                phase = memory_phase::end_request;
                return bank_accepts ? tlm::TLM_UPDATED : tlm::TLM_ACCEPTED;
            };
        }
        host.socket.bind(network.debug_socket);
        sc_core::sc_start(500, sc_core::SC_PS);
    }
    static std::uint64_t now() { return sc_core::sc_time_stamp().value() / 1000; }
    protocol::memory_transaction& send(unsigned from, memory_kind kind, std::uint64_t address,
                                       unsigned length) {
        protocol::memory_transaction& t = *pool.make();
        t.prepare(kind, address, length);
        memory_phase phase = memory_phase::begin_request;
        sc_time delay = sc_core::SC_ZERO_TIME;
        accepted = smx[from].socket->nb_transport_fw(t, phase, delay) == tlm::TLM_UPDATED;
        return t;
    }

    protocol::memory_pool pool{"pool"};
    clock_domain domain{"clock", frequency::megahertz(1000)};
    sc_core::sc_vector<protocol::testing::scripted_initiator<protocol::memory_link>> smx{"smx", 2};
    protocol::testing::scripted_initiator<protocol::memory_link> host{"host"};
    fixed_latency_network network;
    sc_core::sc_vector<protocol::testing::scripted_target<protocol::memory_link>> bank{"bank", 2};
    std::vector<std::tuple<unsigned, std::uint64_t, std::uint64_t>> seen;
    bool bank_accepts = true;
    bool accepted = false;
};

TEST(fixed_latency_network, request_takes_latency_and_the_cycles_of_what_it_carries) {
    rig r({10, 32, 8, 4});
    r.send(0, memory_kind::load, 0x100, 128);   // 8 bytes: 1 cycle, seen at 1
    r.send(1, memory_kind::store, 0x000, 128);  // 136 bytes: 5 cycles
    sc_core::sc_start(50, sc_core::SC_NS);
    EXPECT_THAT(r.seen, ::testing::ElementsAre(std::make_tuple(1U, 0x100U, 11U),
                                               std::make_tuple(0U, 0x000U, 15U)));
}

TEST(fixed_latency_network, response_finds_its_way_back_and_carries_the_data) {
    rig r({10, 32, 8, 4});
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
    EXPECT_THAT(back, ::testing::ElementsAre(21 + 10 + 4));
    EXPECT_TRUE(r.network.empty());
    t.release();
    EXPECT_EQ(r.pool.leak_report(), "");
}

TEST(fixed_latency_network, request_without_its_extension_is_refused) {
    rig r({10, 32, 8, 4});
    const protocol::testing::report_catcher reports;
    std::array<std::uint8_t, 4> data{};
    tlm::tlm_generic_payload plain;
    plain.set_read();
    plain.set_data_ptr(data.data());
    plain.set_data_length(4);
    plain.set_streaming_width(4);
    memory_phase phase = memory_phase::begin_request;
    sc_time delay = sc_core::SC_ZERO_TIME;
    EXPECT_EQ(r.smx[0].socket->nb_transport_fw(plain, phase, delay), tlm::TLM_COMPLETED);
    EXPECT_EQ(plain.get_response_status(), tlm::TLM_GENERIC_ERROR_RESPONSE);
    EXPECT_EQ(reports.reports().size(), 1U);
    sc_core::sc_start(50, sc_core::SC_NS);
    EXPECT_TRUE(r.network.empty());
    EXPECT_TRUE(r.seen.empty());
}

TEST(fixed_latency_network, blocked_bank_pushes_back_to_the_port) {
    rig r({1, 32, 8, 1});
    r.bank_accepts = false;
    unsigned taken = 0;
    for (unsigned i = 0; i < 20; ++i) {
        r.send(0, memory_kind::load, 0, 4);
        sc_core::sc_start(3, sc_core::SC_NS);
        if (!r.accepted) {
            break;
        }
        ++taken;
    }
    // on the link, output queue and pipeline (1 + 1), input queue
    EXPECT_EQ(taken, 4U);
    EXPECT_EQ(r.seen.size(), 1U);
    EXPECT_NE(r.network.waiting_for(), "");
}

TEST(fixed_latency_network, debug_access_is_split_where_the_bank_changes) {
    rig r({10, 32, 8, 4});
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
    EXPECT_THAT(data, ::testing::ElementsAre(1, 1, 1, 1, 2, 2, 2, 2));
    EXPECT_EQ(p.get_address(), 0xfcU) << "restored";
    EXPECT_EQ(p.get_data_ptr(), data);
    tlm::tlm_dmi dmi;
    EXPECT_FALSE(r.smx[0].socket->get_direct_mem_ptr(p, dmi));
}

}  // namespace
}  // namespace heddle
