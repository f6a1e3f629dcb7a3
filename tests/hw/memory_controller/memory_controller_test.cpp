// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/memory_controller/memory_controller.h"

#include <gmock/gmock.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <algorithm>
#include <vector>

#include "hw/base/has_process.h"
#include "hw/dram/command_checker.h"
#include "hw/dram/dram.h"
#include "hw/protocol/protocol_checker.h"
#include "tb/kit/tlm_slots.h"
#include "tests/hw/base/child_process.h"
#include "tests/hw/base/simulate.h"
#include "tests/hw/protocol/base_rig.h"
#include "tests/hw/protocol/foreign_models.h"

namespace heddle {
namespace {

using protocol::memory_kind;
using sc_core::sc_time;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// gf100's clocks.
memory_controller_configuration gf100() {
    memory_controller_configuration c;
    protocol::dram_timing& t = c.timing;
    t.cl = 12, t.wl = 4, t.rcd = 12, t.rp = 12, t.ras = 28, t.rc = 40, t.rrd = 6;
    t.ccdl = 3, t.wtr = 5, t.rtw = 12, t.wr = 12, t.rtp = 2;
    return c;
}

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
    for (std::uint64_t line = 0; line < 16; ++line) {
        r.send(r.make(memory_kind::load, 64 * line, 64));
    }
    rig::run(1000);
    EXPECT_EQ(r.answered.size(), 16U);
    EXPECT_EQ(r.controller.counts().channel.reads, 16U);
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

/// A memory of another house, with nothing but b_transport, that lets time pass in the call.
class lt_memory : public sc_core::sc_module {
public:
    tlm_utils::simple_target_socket<lt_memory> socket{"socket"};
    std::vector<unsigned char> bytes = std::vector<unsigned char>(1024);

    explicit lt_memory(const sc_core::sc_module_name& name) : sc_module(name) {
        socket.register_b_transport(this, &lt_memory::b_transport);
    }

private:
    void b_transport(tlm::tlm_generic_payload& p, sc_time& delay) {
        wait(delay + sc_time(13, sc_core::SC_NS));
        delay = sc_core::SC_ZERO_TIME;
        unsigned char* const cell = bytes.data() + p.get_address();
        if (p.is_read()) {
            std::copy(cell, cell + p.get_data_length(), p.get_data_ptr());
        } else {
            std::copy(p.get_data_ptr(), p.get_data_ptr() + p.get_data_length(), cell);
        }
        p.set_response_status(tlm::TLM_OK_RESPONSE);
    }
};

/// Any base-protocol initiator may drive the controller, any base-protocol memory may stand behind
/// it; checkers on both links.
template <class Bind>
void interoperate(const Bind& bind) {
    protocol::testing::report_catcher catcher;
    run_status status;
    clock_domain domain("clock", frequency::megahertz(924));
    memory_controller_configuration c = gf100();
    c.queue = 4, c.write_high_watermark = 3, c.write_low_watermark = 1, c.timing.refi = 1000,
    c.timing.rfc = 100;
    foreign::at_initiator<foreign::base_phases> initiator("initiator", 5, 600);
    protocol::protocol_checker<protocol::base_link> front("front"), back("back");
    memory_controller controller("controller", domain, c, {},
                                 tlm_slots<request_scheduler_traits>(domain, status), status);
    command_checker checker("controller", c.timing, c.banks(), c.bank_groups);
    controller.observe(checker);
    initiator.socket.bind(front.target_socket);
    front.initiator_socket.bind(controller.request_socket);
    controller.dram_socket.bind(back.target_socket);
    bind(back);
    simulate(200, sc_core::SC_US);
    EXPECT_EQ(initiator.completed, 600U);
    EXPECT_EQ(initiator.mismatches, 0U);
    EXPECT_EQ(initiator.alive, 0U);
    front.report_lost();
    back.report_lost();
    EXPECT_TRUE(protocol::testing::report_catcher::reports().empty())
        << protocol::testing::report_catcher::text();
    EXPECT_GT(checker.commands(), 600U);
    EXPECT_EQ(controller.counts().reads + controller.counts().writes, 600U);
}

TEST(memory_controller_interoperability, foreign_initiator_and_our_dram) {
    dram memory("memory", 1);
    interoperate([&](auto& back) { back.initiator_socket.bind(memory.channel_sockets[0]); });
}

TEST(memory_controller_interoperability, foreign_initiator_and_foreign_at_memory) {
    foreign::at_target<foreign::base_phases> memory("memory", 9);
    interoperate([&](auto& back) { back.initiator_socket.bind(memory.socket); });
}

TEST(memory_controller_interoperability, foreign_initiator_and_foreign_lt_memory) {
    lt_memory memory("memory");
    interoperate([&](auto& back) { back.initiator_socket.bind(memory.socket); });
}

/// A loosely timed initiator: b_transport from a thread.
struct lt_initiator : sc_core::sc_module {
    tlm_utils::simple_initiator_socket<lt_initiator> socket{"socket"};
    unsigned good = 0;

    HEDDLE_HAS_PROCESS(lt_initiator);
    explicit lt_initiator(const sc_core::sc_module_name& name) : sc_module(name) { SC_THREAD(run); }

private:
    void run() {
        for (unsigned i = 0; i < 100; ++i) {
            unsigned char data[16] = {static_cast<unsigned char>(i)};
            transfer(tlm::TLM_WRITE_COMMAND, 40 * i, data);
            data[0] = 0;
            transfer(tlm::TLM_READ_COMMAND, 40 * i, data);
            good += data[0] == i ? 1 : 0;
        }
    }
    void transfer(tlm::tlm_command command, std::uint64_t address, unsigned char* data) {
        tlm::tlm_generic_payload p;
        p.set_command(command);
        p.set_address(address);
        p.set_data_ptr(data);
        p.set_data_length(16);
        p.set_streaming_width(16);
        sc_time delay = sc_core::SC_ZERO_TIME;
        socket->b_transport(p, delay);
        wait(delay);
    }
};

TEST(memory_controller_interoperability, foreign_lt_initiator) {
    run_status status;
    clock_domain domain("clock", frequency::megahertz(924));
    lt_initiator initiator("initiator");
    memory_controller controller("controller", domain, gf100(), {},
                                 tlm_slots<request_scheduler_traits>(domain, status), status);
    dram memory("memory", 1);
    initiator.socket.bind(controller.request_socket);
    controller.dram_socket.bind(memory.channel_sockets[0]);
    simulate(100, sc_core::SC_US);
    EXPECT_EQ(initiator.good, 100U);
}

}  // namespace
}  // namespace heddle
