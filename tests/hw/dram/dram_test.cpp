// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/dram/dram.h"

#include <gtest/gtest.h>

#include "hw/protocol/base_access.h"
#include "tests/hw/protocol/scripted_link.h"

namespace heddle {
namespace {

using protocol::memory_kind;

TEST(dram, performs_in_the_call_and_shares_its_store_between_channels) {
    protocol::memory_pool pool("pool");
    dram memory("memory", 2);
    protocol::testing::scripted_initiator<protocol::base_link> first("first"), second("second");
    first.socket.bind(memory.channel_sockets[0]);
    second.socket.bind(memory.channel_sockets[1]);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);

    protocol::memory_transaction& store = *pool.make();
    store.prepare(memory_kind::store, dram::bytes - 8, 8);
    for (unsigned i = 0; i < 8; ++i) store.data()[i] = static_cast<std::uint8_t>(i + 1);
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    EXPECT_EQ(first.socket->nb_transport_fw(store, phase, delay), tlm::TLM_COMPLETED);
    EXPECT_TRUE(store.is_response_ok());
    EXPECT_EQ(delay, sc_core::SC_ZERO_TIME);

    protocol::memory_transaction& load = *pool.make();
    load.prepare(memory_kind::load, dram::bytes - 4, 4);
    second.socket->b_transport(load, delay);
    EXPECT_EQ(delay, sc_core::SC_ZERO_TIME);
    EXPECT_EQ(load.data()[0], 5);
    EXPECT_EQ(second.socket->transport_dbg(load), 4U);
    EXPECT_EQ(memory.traffic().reads, 1U) << "debug accesses are not counted";
    EXPECT_EQ(memory.traffic().writes, 1U);

    load.prepare(memory_kind::load, dram::bytes - 4, 8);
    first.socket->b_transport(load, delay);
    EXPECT_EQ(load.get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(memory.traffic().errors, 1U);
    tlm::tlm_dmi dmi;
    EXPECT_FALSE(first.socket->get_direct_mem_ptr(load, dmi));
}

}  // namespace
}  // namespace heddle
