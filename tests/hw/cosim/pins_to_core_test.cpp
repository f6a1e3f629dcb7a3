// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// What the pins of an SMX have of the requests of a TLM SMX behind them.
#include "hw/cosim/pins/pins_to_core.h"

#include <gmock/gmock.h>

#include <memory>
#include <vector>

#include "hw/protocol/memory_access.h"
#include "tests/hw/cosim/core_bench.h"

namespace heddle::pins {
namespace {

using protocol::memory_kind;
using protocol::memory_transaction;
using testing::ElementsAre;

/// A TLM SMX is the test itself.
struct wrapped_core : pin_bench {
    wrapped_core() {
        smx.socket.bind(back.memory_socket);
        back.block_socket.bind(blocks.socket);
        smx.on_backward = [this](tlm::tlm_generic_payload& p, memory_phase& phase,
                                 sc_core::sc_time&) {
            if (phase == memory_phase::begin_response) {
                answered.push_back(&p);
                return tlm::TLM_COMPLETED;
            }
            accepted.push_back(&p);
            return tlm::TLM_ACCEPTED;
        };
        run_to(4);
    }
    memory_transaction& make(memory_kind kind, std::uint64_t address, unsigned length) {
        made.push_back(std::make_unique<memory_transaction>());
        made.back()->prepare(kind, address, length);
        made.back()->access().launch = launch_id(3);
        made.back()->access().warp = warp_slot(7);
        return *made.back();
    }
    /// True: accepted in the call.
    bool send(memory_transaction& request) {
        memory_phase phase = memory_phase::begin_request;
        sc_core::sc_time delay;
        return smx.socket->nb_transport_fw(request, phase, delay) == tlm::TLM_UPDATED;
    }
    void respond(std::uint64_t edge, std::uint32_t id, const core_row& row) {
        script.at(edge, [this, id, row] {
            pins.response.valid.write(true);
            pins.response.payload.id.write(id);
            pins.response.payload.data.write(row);
        });
        script.at(edge + 1, [this] { pins.response.valid.write(false); });
    }

    program_table programs;
    protocol::testing::scripted_initiator<protocol::memory_link> smx{"smx"};
    protocol::testing::scripted_target<protocol::block_link> blocks{"blocks"};
    pins_to_core back{"back", clock, pins, sm_id(5), programs};
    std::vector<std::unique_ptr<memory_transaction>> made;
    std::vector<tlm::tlm_generic_payload*> accepted, answered;
};

TEST(pins_to_core, an_atomic_of_some_lanes) {
    wrapped_core b;
    memory_transaction& request = b.make(memory_kind::atomic, 0x40000090, 24);
    request.access().operation = isa::opcode::amocas_w;
    request.access().atomic_count = 2;
    request.access().atomics[0] = {1, 0, 225, 11, 21, 0};
    request.access().atomics[1] = {31, 20, 255, 12, 22, 0};
    EXPECT_TRUE(b.send(request));
    b.run_to(6);
    const core_request_pins& p = b.pins.request.payload;
    ASSERT_TRUE(b.pins.request.valid.read());
    EXPECT_EQ(p.kind.read(), 2U);
    EXPECT_EQ(p.op.read(), 0x05U);
    EXPECT_EQ(p.launch.read(), 3U);
    EXPECT_EQ(p.warp.read(), 7U);
    EXPECT_EQ(p.address.read(), 0x40000080U);
    EXPECT_EQ(p.lanes.read(), 0x80000002U);
    EXPECT_EQ(p.words.read().range(9, 5).to_uint(), 4U);
    EXPECT_EQ(p.words.read().range(159, 155).to_uint(), 9U);
    EXPECT_EQ(p.data.read().get_word(1), 11U);
    EXPECT_EQ(p.data.read().get_word(31), 12U);
    EXPECT_EQ(p.compare.read().get_word(1), 21U);
    EXPECT_EQ(p.compare.read().get_word(31), 22U);

    b.script.at(8, [&b] { b.pins.request.ready.write(true); });
    core_row row;
    row.set_word(1, 111);
    row.set_word(31, 112);
    b.respond(10, p.id.read(), row);
    b.run_to(13);
    EXPECT_THAT(b.answered, ElementsAre(&request));
    EXPECT_EQ(request.access().atomics[0].result, 111U);
    EXPECT_EQ(request.access().atomics[1].result, 112U);
    EXPECT_EQ(report_catcher::text(), "");
}

TEST(pins_to_core, a_write_of_some_bytes) {
    wrapped_core b;
    memory_transaction& request = b.make(memory_kind::store, 0x40000084, 8);
    request.access().byte_mask = {0b00100001};
    request.data()[0] = 0xaa;
    request.data()[5] = 0xbb;
    EXPECT_TRUE(b.send(request));
    b.run_to(6);
    const core_request_pins& p = b.pins.request.payload;
    EXPECT_EQ(p.kind.read(), 1U);
    EXPECT_EQ(p.address.read(), 0x40000080U);
    line_beat::mask_bits mask;
    mask[4] = true;
    mask[9] = true;
    EXPECT_EQ(p.mask.read(), mask);
    EXPECT_EQ(p.data.read().get_word(1), 0xaaU);
    EXPECT_EQ(p.data.read().get_word(2), 0xbb00U);
}

/// One request more than the pins have ids: it is accepted when another has its answer.
TEST(pins_to_core, a_request_too_many_is_accepted_later) {
    wrapped_core b;
    for (std::uint32_t n = 0; n < core_request_ids; ++n) {
        EXPECT_TRUE(b.send(b.make(memory_kind::load, 0x40000000 + 128 * n, 128))) << n;
    }
    memory_transaction& last = b.make(memory_kind::load, 0x50000000, 128);
    EXPECT_FALSE(b.send(last));
    b.script.at(6, [&b] { b.pins.request.ready.write(true); });
    b.respond(80, 0, {});
    b.run_to(78);
    EXPECT_TRUE(b.accepted.empty());
    b.run_to(84);
    EXPECT_THAT(b.accepted, ElementsAre(&last));
    EXPECT_EQ(b.answered.size(), 1U);
}

/// A line that is asked for by a launch without a block here is answered at once, also if it is the
/// one request too many: an answer says that it was accepted.
TEST(pins_to_core, a_request_too_many_is_answered_instead) {
    wrapped_core b;
    for (std::uint32_t n = 0; n < core_request_ids; ++n) {
        EXPECT_TRUE(b.send(b.make(memory_kind::load, 0x40000000 + 128 * n, 128))) << n;
    }
    memory_transaction& last = b.make(memory_kind::instruction_fetch, 0x10000, 128);
    EXPECT_FALSE(b.send(last));
    b.run_to(12);
    EXPECT_THAT(b.answered, ElementsAre(&last));
    EXPECT_TRUE(b.accepted.empty());
}

}  // namespace
}  // namespace heddle::pins
