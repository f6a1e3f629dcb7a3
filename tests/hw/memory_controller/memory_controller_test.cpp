// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/memory_controller/memory_controller.h"

#include <gmock/gmock.h>

#include <vector>

#include "hw/dram/command_checker.h"
#include "hw/dram/dram.h"
#include "tb/kit/tlm_slots.h"
#include "tests/hw/base/child_process.h"
#include "tests/hw/memory_controller/gf100_channel.h"
#include "tests/hw/protocol/base_rig.h"

namespace heddle {
namespace {

using protocol::memory_kind;
using sc_core::sc_time;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct rig : protocol::testing::base_rig {
    explicit rig(const memory_controller_configuration& c = gf100())
        : controller("controller", domain, c, {},
                     tlm_slots<request_scheduler_traits>(domain, status), status),
          checker("controller", c.timing, c.banks(), c.bank_groups) {
        controller.observe(checker);
        initiator.socket.bind(controller.request_socket);
        controller.dram_socket.bind(memory.channel_sockets[0]);
        start();
    }
    [[nodiscard]] std::uint64_t address(std::uint32_t bank, std::uint64_t row,
                                        std::uint32_t column = 0) const {
        return controller.decoder().encode({0, bank, column, row});
    }

    run_status status;
    dram memory{"memory", 1};
    memory_controller controller;
    command_checker checker;
};

/// Sent after edge e - 1, seen at edge e, answered at e + CL + burst (+ RCD (+ RP)).
TEST(memory_controller, isolated_reads_take_the_time_of_their_commands) {
    rig r;
    EXPECT_EQ(r.send(r.make(memory_kind::load, r.address(3, 7), 64)), tlm::TLM_UPDATED);
    rig::run(26);
    EXPECT_TRUE(r.answered.empty()) << "closed bank: blocked at edge 26";
    rig::run(1);
    EXPECT_THAT(r.answered, ElementsAre(27));
    rig::run(73);  // 100.5
    r.send(r.make(memory_kind::load, r.address(3, 7, 64), 64));
    rig::run(14);
    EXPECT_EQ(r.answered.size(), 1U) << "row hit: blocked at edge 114";
    rig::run(1);
    EXPECT_EQ(r.answered.back(), 115U);
    rig::run(85);  // 200.5
    r.send(r.make(memory_kind::load, r.address(3, 8), 64));
    rig::run(38);
    EXPECT_EQ(r.answered.size(), 2U) << "conflict: blocked at edge 238";
    rig::run(1);
    EXPECT_EQ(r.answered.back(), 239U);
    EXPECT_EQ(r.checker.violations(), 0U);
    EXPECT_EQ(r.checker.commands(), 6U);
}

/// Front and back end delay a read, and a second one behind it by nothing more.
TEST(memory_controller, front_and_back_end_take_their_time_and_overlap) {
    memory_controller_configuration c = gf100();
    c.front_latency = 30, c.back_latency = 40;
    rig r(c);
    r.send(r.make(memory_kind::load, r.address(3, 7), 64));
    rig::run(31);
    EXPECT_EQ(r.checker.commands(), 1U) << "it leaves the front end at edge 31";
    r.send(r.make(memory_kind::load, r.address(3, 7, 64), 64));  // 31.5
    rig::run(27 + 70 - 31 - 1);
    EXPECT_TRUE(r.answered.empty()) << "in the back end until edge 97";
    rig::run(1);
    EXPECT_THAT(r.answered, ElementsAre(27 + 70));
    rig::run(100);
    EXPECT_THAT(r.answered, ElementsAre(97, 32 + 30 + 14 + 40)) << "a row hit, 31 edges later";
}

/// The front end has room of its own: a burst of accesses is accepted at one a cycle, and answered
/// at the pace of the channel.
TEST(memory_controller, latency_of_front_and_back_end_costs_no_bandwidth) {
    std::vector<std::uint64_t> last;
    for (const std::uint32_t latency : {0U, 50U}) {
        const process_result result = run_in_child([latency](std::string& output) {
            memory_controller_configuration c = gf100();
            c.queue = 64;
            c.front_latency = latency, c.back_latency = latency;
            rig r(c);
            for (std::uint32_t i = 0; i < 60; ++i) {
                r.send(r.make(memory_kind::load, r.address(i % 8, 1, 64 * (i / 8)), 64));
                rig::run(1);
            }
            rig::run(400);
            output = std::to_string(r.answered.back());
            return r.answered.size() == 60 ? 0 : 1;
        });
        ASSERT_EQ(result.exit_code, 0) << result.output;
        last.push_back(std::stoull(result.output));
    }
    EXPECT_EQ(last[1], last[0] + 100);
}

TEST(memory_controller, a_write_is_answered_when_its_data_have_passed) {
    rig r;
    r.send(r.make(memory_kind::store, r.address(0, 1), 64));
    rig::run(100);
    EXPECT_THAT(r.answered, ElementsAre(1 + 12 + 4 + 2));
}

TEST(memory_controller, an_access_is_cut_into_atoms) {
    rig r;
    r.send(r.make(memory_kind::load, r.address(0, 1), 128));
    rig::run(100);
    EXPECT_THAT(r.answered, ElementsAre(1 + 12 + 3 + 12 + 2)) << "two bursts, CCDL apart";
    EXPECT_EQ(r.controller.counts().channel.reads, 2U);
    r.send(r.make(memory_kind::load, r.address(0, 1) + 60, 8));  // straddles two atoms
    rig::run(100);
    EXPECT_EQ(r.controller.counts().channel.reads, 4U);
    EXPECT_EQ(r.controller.counts().reads, 2U);
    EXPECT_EQ(r.controller.counts().bytes_read, 136U);
}

TEST(memory_controller, full_queue_withholds_end_req_until_an_access_has_left) {
    memory_controller_configuration c = gf100();
    c.queue = 2, c.write_high_watermark = 2, c.write_low_watermark = 1;
    rig r(c);
    EXPECT_EQ(r.send(r.make(memory_kind::load, 0, 64)), tlm::TLM_UPDATED);
    EXPECT_EQ(r.send(r.make(memory_kind::load, 64, 64)), tlm::TLM_UPDATED);
    EXPECT_EQ(r.send(r.make(memory_kind::load, 128, 64)), tlm::TLM_ACCEPTED);
    rig::run(12);
    EXPECT_TRUE(r.accepted.empty());
    rig::run(1);
    EXPECT_THAT(r.accepted, ElementsAre(13)) << "the first RD";
    rig::run(100);
    EXPECT_EQ(r.answered.size(), 3U);
}

TEST(memory_controller, held_response_blocks_the_next_one_and_in_the_end_the_commands) {
    memory_controller_configuration c = gf100();
    c.response_queue = 1;
    rig r(c);
    r.holds = true;
    protocol::memory_transaction& first = r.make(memory_kind::load, 0, 64);
    r.send(first);
    r.send(r.make(memory_kind::load, 64, 64));
    r.send(r.make(memory_kind::load, 128, 64));
    rig::run(200);  // 200.5
    EXPECT_THAT(r.answered, ElementsAre(27));
    EXPECT_EQ(r.controller.counts().channel.reads, 2U) << "one answered, one waits";
    EXPECT_THAT(r.controller.waiting_for(), HasSubstr("a response that nobody takes"));
    r.holds = false;
    r.send(first, tlm::END_RESP);
    rig::run(100);
    EXPECT_THAT(r.answered, ElementsAre(27, 201, 202 + 14));
    EXPECT_EQ(r.controller.waiting_for(), "");
}

TEST(memory_controller, one_place_for_responses_with_a_back_end_loses_none) {
    memory_controller_configuration c = gf100();
    c.response_queue = 1;
    c.back_latency = 90;  // places of its own, so that the bus has several data at a time
    rig r(c);
    for (std::uint64_t i = 0; i < 16; ++i) r.send(r.make(memory_kind::load, 64 * i, 64));
    rig::run(1000);
    EXPECT_EQ(r.answered.size(), 16U);
    EXPECT_EQ(r.controller.waiting_for(), "");
}

TEST(memory_controller, data_byte_enables_and_waiting_writes) {
    rig r;
    protocol::memory_transaction& store = r.make(memory_kind::store, 64, 8);
    std::uint8_t enables[2] = {TLM_BYTE_ENABLED, TLM_BYTE_DISABLED};
    for (unsigned i = 0; i < 8; ++i) store.data()[i] = static_cast<std::uint8_t>(i + 1);
    store.set_byte_enable_ptr(enables);
    store.set_byte_enable_length(2);
    r.send(store);
    rig::run(3);
    protocol::memory_transaction& look = r.make(memory_kind::load, 62, 8);
    EXPECT_EQ(r.initiator.socket->transport_dbg(look), 8U);
    EXPECT_THAT(std::vector<std::uint8_t>(look.data(), look.data() + 8),
                ElementsAre(0, 0, 1, 0, 3, 0, 5, 0))
        << "a debug read finds the write that waits";
    EXPECT_EQ(r.memory.traffic().writes, 0U);
    rig::run(100);
    EXPECT_EQ(r.memory.traffic().writes, 1U);
    protocol::memory_transaction& load = r.make(memory_kind::load, 64, 8);
    r.send(load);
    rig::run(100);
    EXPECT_THAT(std::vector<std::uint8_t>(load.data(), load.data() + 8),
                ElementsAre(1, 0, 3, 0, 5, 0, 7, 0));
}

TEST(memory_controller, blocking_transport_adds_the_time_of_a_closed_bank) {
    rig r;
    protocol::memory_transaction& store = r.make(memory_kind::store, 100, 4);
    store.data()[0] = 42;
    sc_time delay(3, sc_core::SC_NS);
    r.initiator.socket->b_transport(store, delay);
    EXPECT_EQ(delay, sc_time(3 + 12 + 4 + 2, sc_core::SC_NS));
    protocol::memory_transaction& load = r.make(memory_kind::load, 100, 64);
    delay = sc_core::SC_ZERO_TIME;
    r.initiator.socket->b_transport(load, delay);
    EXPECT_EQ(delay, sc_time(12 + 12 + 2 * 2, sc_core::SC_NS)) << "two atoms";
    EXPECT_EQ(load.data()[0], 42);
}

/// Status, report and silence of the memory, for both transports.
TEST(memory_controller, illegal_accesses_are_refused_named_and_change_nothing) {
    rig r;
    const std::uint64_t end = r.controller.decoder().bytes();
    const auto refused = [&](protocol::memory_transaction& t, const char* reason) {
        const std::uint64_t reports = r.status.report_count();
        const std::size_t answers = r.answered.size();
        r.send(t);
        rig::run(10);
        EXPECT_EQ(r.answered.size(), answers + 1) << reason;
        const tlm::tlm_response_status status = t.get_response_status();
        EXPECT_EQ(r.status.report_count(), reports + 1);
        EXPECT_THAT(r.status.messages().back(), HasSubstr(reason));
        EXPECT_THAT(r.status.messages().back(), HasSubstr("controller: write of "));
        t.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        sc_time delay = sc_core::SC_ZERO_TIME;
        r.initiator.socket->b_transport(t, delay);
        EXPECT_EQ(t.get_response_status(), status);
        EXPECT_EQ(delay, sc_core::SC_ZERO_TIME);
        return status;
    };
    EXPECT_EQ(refused(r.make(memory_kind::store, end, 4), "beyond the memory"),
              tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(refused(r.make(memory_kind::store, end - 4, 8), "beyond the memory"),
              tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(refused(r.make(memory_kind::store, ~std::uint64_t{0} - 3, 8), "beyond the memory"),
              tlm::TLM_ADDRESS_ERROR_RESPONSE);
    protocol::memory_transaction& streaming = r.make(memory_kind::store, 0, 8);
    streaming.set_streaming_width(4);
    EXPECT_EQ(refused(streaming, "streaming width"), tlm::TLM_BURST_ERROR_RESPONSE);
    protocol::memory_transaction& empty = r.make(memory_kind::store, 0, 0);
    EXPECT_EQ(refused(empty, "no data"), tlm::TLM_BURST_ERROR_RESPONSE);
    protocol::memory_transaction& enables = r.make(memory_kind::store, 0, 8);
    enables.set_byte_enable_ptr(enables.data());
    enables.set_byte_enable_length(0);
    EXPECT_EQ(refused(enables, "byte enables of length 0"), tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    EXPECT_EQ(r.memory.traffic().writes, 0U);
    EXPECT_EQ(r.controller.counts().errors, 12U);
    EXPECT_EQ(r.checker.commands(), 0U) << "no command went out";
    const std::uint64_t reports = r.status.report_count();
    r.send(r.make(memory_kind::store, end - 4, 4));
    rig::run(100);
    EXPECT_EQ(r.memory.traffic().writes, 1U) << "the last bytes are legal";
    EXPECT_EQ(r.status.report_count(), reports);
    EXPECT_EQ(r.status.kind(), error_kind::wrong_result);
}

TEST(memory_controller, refuses_address_masks_that_do_not_fit) {
    memory_controller_configuration c = gf100();
    c.bank_mask = 0xa100;
    run_status status;
    clock_domain domain("clock", frequency::megahertz(1000));
    EXPECT_THROW(memory_controller("controller", domain, c, {},
                                   tlm_slots<request_scheduler_traits>(domain, status), status),
                 configuration_error);
}

TEST(memory_controller, a_broken_initiator_is_reported) {
    rig r;
    protocol::testing::report_catcher catcher;
    r.send(r.make(memory_kind::load, 0, 64), tlm::END_RESP);
    r.send(r.make(memory_kind::load, 0, 64), tlm::END_RESP);
    r.send(r.make(memory_kind::load, 0, 64), tlm::END_RESP);
    EXPECT_THAT(catcher.ids(), ElementsAre(memory_controller_report::protocol));
}

}  // namespace
}  // namespace heddle
