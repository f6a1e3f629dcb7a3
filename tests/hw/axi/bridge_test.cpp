// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// The bridges at their pins.
#include <gmock/gmock.h>

#include <fstream>
#include <iterator>
#include <utility>
#include <vector>

#include "hw/axi/axi_link.h"
#include "hw/dram/dram.h"
#include "tests/hw/protocol/base_rig.h"

namespace heddle::axi {
namespace {

using protocol::memory_kind;
using protocol::testing::report_catcher;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

axi_configuration bus_of(memory_bus bus, std::uint32_t width, std::uint32_t ids = 64) {
    axi_configuration c;
    c.bus = bus;
    c.width = width;
    c.ids = ids;
    return c;
}

/// TLM -> AXI4 -> TLM -> the bytes of dram, which take no time.
struct rig : protocol::testing::base_rig {
    explicit rig(const axi_configuration& configuration, std::uint32_t stalls = 0,
                 waveform* waves = nullptr)
        : configuration(configuration),
          about_pins(with_stalls(stalls)),
          link("axi", clock, {configuration, about_pins, 128, 1, waves}) {
        initiator.socket.bind(link.request_socket());
        link.memory_socket().bind(memory.channel_sockets[0]);
        start();
        run(10);  // behind the reset, half an edge behind edge 10
    }
    static pins::pin_configuration with_stalls(std::uint32_t stalls) {
        pins::pin_configuration c;
        c.check = true;
        c.stalls = stalls;
        return c;
    }
    protocol::memory_transaction& write(std::uint64_t address, unsigned bytes, std::uint8_t value) {
        auto& t = make(memory_kind::write_back, address, bytes);
        std::fill_n(t.data(), bytes, value);
        return t;
    }
    /// The byte at `address` as the debug transport sees it.
    std::uint8_t debug_read(std::uint64_t address) { return debug(tlm::TLM_READ_COMMAND, address); }
    std::uint8_t debug(tlm::tlm_command command, std::uint64_t address, std::uint8_t value = 0) {
        tlm::tlm_generic_payload p;
        p.set_command(command);
        p.set_address(address);
        p.set_data_ptr(&value);
        p.set_data_length(1);
        p.set_streaming_width(1);
        EXPECT_EQ(initiator.socket->transport_dbg(p), 1U);
        return value;
    }
    /// What is in the memory, behind the bus.
    std::uint8_t stored(std::uint64_t address) {
        tlm::tlm_generic_payload p;
        std::uint8_t value = 0;
        p.set_read();
        p.set_address(address);
        p.set_data_ptr(&value);
        p.set_data_length(1);
        p.set_streaming_width(1);
        sc_core::sc_time none = sc_core::SC_ZERO_TIME;
        link.memory_socket()->b_transport(p, none);
        return value;
    }

    const axi_configuration configuration;
    const pins::pin_configuration about_pins;
    pins::pin_clock clock{"pin_clock", domain};
    axi_link link;
    dram memory{"memory", 1};
};

/// A request that is sent behind edge 10 is seen at 11: AR. At 12 the subordinate has it, at 13 its
/// answer: R. The last beat is taken N edges later.
TEST(bridges, a_read_takes_a_clock_for_each_beat_and_two) {
    rig r(bus_of(memory_bus::axi, 128));
    EXPECT_EQ(r.send(r.make(memory_kind::load, 0x100, 128)), tlm::TLM_UPDATED);
    rig::run(10);
    EXPECT_THAT(r.answered, IsEmpty()) << "blocked at edge 20";
    rig::run(1);
    EXPECT_THAT(r.answered, ElementsAre(11 + 2 + 8));
}

/// W follows the handshake of AW; B follows the answer to the last beat.
TEST(bridges, a_write_takes_a_clock_for_each_beat_and_three) {
    rig r(bus_of(memory_bus::axi, 512));
    r.send(r.write(0x100, 128, 1));
    rig::run(5);
    EXPECT_THAT(r.answered, IsEmpty()) << "blocked at edge 15";
    rig::run(1);
    EXPECT_THAT(r.answered, ElementsAre(11 + 3 + 2));
    EXPECT_EQ(r.stored(0x17f), 1);
}

TEST(bridges, stalls_on_all_channels_cost_time_only) {
    rig r(bus_of(memory_bus::axi, 32), 80);
    auto& write = r.write(0x100, 64, 7);
    r.send(write);
    rig::run(1000);
    auto& read = r.make(memory_kind::load, 0x100, 64);
    r.send(read);
    rig::run(1000);
    ASSERT_EQ(r.answered.size(), 2U);
    EXPECT_GT(r.answered[0], 11U + 3 + 16);
    EXPECT_EQ(read.data()[63], 7);
    EXPECT_EQ(r.link.checker()->answered(), 2U);
}

TEST(bridges, pins_are_in_a_waveform) {
    const std::string file = testing::TempDir() + "bridges.vcd";
    {
        waveform waves(file);
        rig r(bus_of(memory_bus::axi, 512), 0, &waves);
        r.send(r.make(memory_kind::load, 0x10480, 64));
        rig::run(10);
        waves.close();
    }
    std::ifstream stream(file);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    EXPECT_THAT(text, HasSubstr("ar_valid"));
    EXPECT_THAT(text, HasSubstr("r_data"));
    EXPECT_THAT(text, HasSubstr("ar_burst"));
    EXPECT_THAT(text, HasSubstr("aw_burst"));
    EXPECT_THAT(text, HasSubstr(" clk "));
    EXPECT_THAT(text, HasSubstr(" rst_n "));
    EXPECT_THAT(text, HasSubstr("b10000010010000000 ")) << "the address";
}

TEST(bridges, end_req_waits_for_room) {
    rig r(bus_of(memory_bus::axi, 128, 2));
    EXPECT_EQ(r.send(r.make(memory_kind::load, 0x000, 128)), tlm::TLM_UPDATED);
    EXPECT_EQ(r.send(r.make(memory_kind::load, 0x080, 128)), tlm::TLM_UPDATED);
    EXPECT_EQ(r.send(r.make(memory_kind::load, 0x100, 128)), tlm::TLM_ACCEPTED);
    rig::run(11);
    EXPECT_THAT(r.answered, ElementsAre(21));
    EXPECT_THAT(r.accepted, IsEmpty());
    rig::run(1);
    EXPECT_THAT(r.accepted, ElementsAre(22));
    rig::run(30);
    EXPECT_EQ(r.answered.size(), 3U);
}

TEST(bridges, responses_wait_for_end_resp) {
    rig r(bus_of(memory_bus::axi, 512));
    r.holds = true;
    auto& first = r.make(memory_kind::load, 0x000, 64);
    r.send(first);
    r.send(r.make(memory_kind::load, 0x080, 64));
    rig::run(50);
    EXPECT_EQ(r.answered.size(), 1U);
    r.send(first, tlm::END_RESP);
    rig::run(1);
    EXPECT_EQ(r.answered.size(), 2U);
}

TEST(bridges, an_access_beyond_the_memory_is_refused_without_the_bus) {
    rig r(bus_of(memory_bus::axi, 128));
    auto& t = r.make(memory_kind::load, std::uint64_t{1} << 32, 4);
    r.send(t);
    rig::run(1);
    EXPECT_EQ(r.answered.size(), 1U);
    EXPECT_EQ(t.get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(r.link.checker()->answered(), 0U);
}

TEST(bridges, b_transport_goes_around_the_bus_and_takes_its_time) {
    rig r(bus_of(memory_bus::axi, 128));
    auto& t = r.write(0x100, 128, 3);
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    r.initiator.socket->b_transport(t, delay);
    EXPECT_EQ(delay, sc_core::sc_time(3 + 8, sc_core::SC_NS));
    EXPECT_EQ(r.stored(0x17f), 3);
    EXPECT_EQ(t.get_response_status(), tlm::TLM_OK_RESPONSE);
}

TEST(bridges, b_transport_counts_a_part_of_a_beat_as_one) {
    rig r(bus_of(memory_bus::axi, 128));
    for (const unsigned bytes : {1U, 15U, 16U, 17U}) {
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        r.initiator.socket->b_transport(r.write(0x100, bytes, 3), delay);
        EXPECT_EQ(delay, sc_core::sc_time(3 + (bytes > 16 ? 2 : 1), sc_core::SC_NS)) << bytes;
    }
}

TEST(bridges, an_answer_with_an_unknown_id_is_reported_with_its_rule_first) {
    rig r(bus_of(memory_bus::axi, 128));
    const report_catcher reports;
    auto& bus = dynamic_cast<axi_pins<128>&>(r.link.pins());
    bus.b.payload.id.write(9);
    bus.b.valid.write(true);
    rig::run(1);
    ASSERT_GE(reports.reports().size(), 2U);
    EXPECT_EQ(reports.reports()[0].id, "heddle/axi/b_without_write");
    EXPECT_THAT(reports.reports()[0].text, HasSubstr("9"));
    EXPECT_THAT(reports.reports()[1].text, HasSubstr("B with ID 9 answers no transaction"));
    EXPECT_THAT(reports.reports()[1].text, HasSubstr("clock edge 11"));
}

TEST(debug_transport, sees_a_write_on_the_bus) {
    rig r(bus_of(memory_bus::axi, 32));
    r.send(r.write(0x100, 128, 5));
    rig::run(10);
    EXPECT_EQ(r.stored(0x100), 0);
    EXPECT_EQ(r.debug_read(0x100), 5);
    EXPECT_EQ(r.debug_read(0x17f), 5) << "its beat has not been sent";
    EXPECT_EQ(r.debug_read(0x180), 0);
}

/// The beat of byte 0x100 is on its way with the old value.
TEST(debug_transport, a_change_outlives_the_write_that_it_overtakes) {
    rig r(bus_of(memory_bus::axi, 32));
    r.send(r.write(0x100, 128, 5));
    rig::run(10);
    r.debug(tlm::TLM_WRITE_COMMAND, 0x100, 9);
    EXPECT_EQ(r.debug_read(0x100), 9);
    auto& read = r.make(memory_kind::load, 0x100, 4);
    r.send(read);
    rig::run(100);
    EXPECT_EQ(r.answered.size(), 2U);
    EXPECT_EQ(read.data()[0], 9) << "nothing begins before the change has been done once more";
    EXPECT_EQ(r.stored(0x100), 9);
    EXPECT_EQ(r.stored(0x101), 5);
}

/// Of the memory in SystemVerilog: its write is answered before it is done.
class rtl_memory_test : public testing::Test {
protected:
    void SetUp() override {
        if (!rtl_memory_built()) GTEST_SKIP() << "no Verilator";
    }
};

TEST_F(rtl_memory_test, debug_transport_has_a_write_that_is_answered_and_not_done) {
    rig r(bus_of(memory_bus::axi_rtl, 32));
    r.send(r.write(0x100, 64, 5));
    while (r.answered.empty()) rig::run(1);
    EXPECT_EQ(r.stored(0x13f), 0) << "the memory answers early";
    EXPECT_EQ(r.debug_read(0x13f), 5);
    r.debug(tlm::TLM_WRITE_COMMAND, 0x13f, 9);
    EXPECT_EQ(r.debug_read(0x13f), 9);
    rig::run(100);
    EXPECT_EQ(r.stored(0x13f), 9);
    EXPECT_EQ(r.stored(0x13e), 5);
}

TEST_F(rtl_memory_test, a_read_finds_a_write_that_is_answered_and_not_done) {
    rig r(bus_of(memory_bus::axi_rtl, 64));
    r.send(r.write(0x100, 128, 5));
    while (r.answered.empty()) rig::run(1);
    auto& read = r.make(memory_kind::load, 0x100, 128);
    r.send(read);
    rig::run(200);
    ASSERT_EQ(r.answered.size(), 2U);
    EXPECT_EQ(read.data()[127], 5);
}

TEST_F(rtl_memory_test, answers_of_different_ids_change_their_order) {
    rig r(bus_of(memory_bus::axi_rtl, 128));
    std::vector<const tlm::tlm_generic_payload*> order;
    r.initiator.on_backward = [&](tlm::tlm_generic_payload& p, tlm::tlm_phase&, sc_core::sc_time&) {
        order.push_back(&p);
        return tlm::TLM_COMPLETED;
    };
    std::vector<const tlm::tlm_generic_payload*> sent;
    for (unsigned i = 0; i < 16; ++i) {
        sent.push_back(&r.make(memory_kind::load, i * 0x80, 128));
        r.send(const_cast<tlm::tlm_generic_payload&>(*sent.back()));
        rig::run(1);
    }
    rig::run(400);
    EXPECT_THAT(order, testing::UnorderedElementsAreArray(sent));
    EXPECT_NE(order, sent);
}

TEST_F(rtl_memory_test, answers_of_one_id_keep_their_order) {
    rig r(bus_of(memory_bus::axi_rtl, 32));
    auto& write = r.make(memory_kind::write_back, 0x100, 128);
    for (unsigned i = 0; i < 128; ++i) write.data()[i] = static_cast<std::uint8_t>(i);
    r.send(write);
    rig::run(200);
    std::vector<protocol::memory_transaction*> reads;
    for (unsigned i = 0; i < 8; ++i) {
        reads.push_back(&r.make(memory_kind::load, 0x100 + 16 * i, 16));
        r.send(*reads.back());
        rig::run(1);
    }
    rig::run(400);
    ASSERT_EQ(r.answered.size(), 9U);
    for (unsigned i = 0; i < 8; ++i) EXPECT_EQ(reads[i]->data()[15], 16 * i + 15);
}

/// Answers every access in the call, with one status.
class refusing_memory final : public sc_core::sc_module, private tlm::tlm_fw_transport_if<> {
public:
    tlm::tlm_target_socket<32> socket{"socket"};

    refusing_memory(const sc_core::sc_module_name& name, tlm::tlm_response_status status)
        : sc_module(name), status_(status) {
        socket.bind(static_cast<tlm::tlm_fw_transport_if<>&>(*this));
    }

private:
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& p, tlm::tlm_phase&,
                                       sc_core::sc_time&) override {
        p.set_response_status(status_);
        return tlm::TLM_COMPLETED;
    }
    void b_transport(tlm::tlm_generic_payload&, sc_core::sc_time&) override {}
    bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
    unsigned transport_dbg(tlm::tlm_generic_payload&) override { return 0; }

    tlm::tlm_response_status status_;
};

struct refused : protocol::testing::base_rig {
    explicit refused(tlm::tlm_response_status status) : memory("memory", status) {
        initiator.socket.bind(manager.request_socket);
        manager.debug_socket.bind(subordinate.debug_socket);
        subordinate.memory_socket.bind(memory.socket);
        start();
        run(5);
    }
    /// Statuses of a read and of a write.
    std::pair<tlm::tlm_response_status, tlm::tlm_response_status> statuses() {
        auto& read = make(memory_kind::load, 0x100, 32);
        auto& write = make(memory_kind::write_back, 0x200, 32);
        send(read);
        send(write);
        run(30);
        EXPECT_EQ(answered.size(), 2U);
        return {read.get_response_status(), write.get_response_status()};
    }

    pins::pin_clock clock{"pin_clock", domain};
    axi_pins<128> bus{"bus"};
    axi_manager manager{"manager", clock, bus, {}};
    axi_subordinate subordinate{"subordinate", clock, bus, {}};
    refusing_memory memory;
};

TEST(status, an_address_error_comes_back_as_one) {
    refused r(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(r.statuses(),
              std::make_pair(tlm::TLM_ADDRESS_ERROR_RESPONSE, tlm::TLM_ADDRESS_ERROR_RESPONSE));
}

TEST(status, another_error_comes_back_as_a_generic_one) {
    refused r(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    EXPECT_EQ(r.statuses(),
              std::make_pair(tlm::TLM_GENERIC_ERROR_RESPONSE, tlm::TLM_GENERIC_ERROR_RESPONSE));
}

/// Who drives the pins wrongly.
class rule_breaker final : public pins::pin_part {
public:
    rule_breaker(pins::pin_clock& clock, bus_pins& pins) : pin_part(clock), pins_(pins) {}
    void clock_edge() override {
        manager_side m;
        m.ar_valid = edges_++ == 2;
        pins_.drive(m);
    }

private:
    bus_pins& pins_;
    unsigned edges_ = 0;
};

TEST(axi_checker, reports_with_the_rule_as_message_id) {
    report_catcher reports;
    clock_domain domain("clock", frequency::megahertz(1000));
    pins::pin_clock clock("pin_clock", domain);
    axi_pins<64> bus("bus");
    rule_breaker breaker(clock, bus);
    axi_checker checker("my_bus", clock, bus, 4, 0);
    sc_core::sc_start(10.5, sc_core::SC_NS);
    ASSERT_EQ(reports.reports().size(), 1U);
    EXPECT_EQ(reports.reports()[0].id, "heddle/axi/valid_dropped");
    EXPECT_THAT(reports.reports()[0].text,
                HasSubstr("my_bus: clock 4: ARVALID falls without READY"));
}

}  // namespace
}  // namespace heddle::axi
