// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// A memory controller behind pins: latencies, bytes, debug accesses, and the rules of its pins.
#include "hw/cosim/pins/memory_controller_pins.h"

#include <gmock/gmock.h>

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "hw/cosim/pins/block_rtl.h"
#include "hw/dram/dram.h"
#include "hw/memory_controller/memory_controller.h"
#include "tb/kit/tlm_slots.h"
#include "tests/hw/protocol/scripted_link.h"

namespace heddle::pins {
namespace {

using protocol::testing::report_catcher;
using sc_core::SC_NS;
using sc_core::SC_PS;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// An access with buffers of its own, kept by the test.
struct access final : tlm::tlm_generic_payload, private tlm::tlm_mm_interface {
    access(tlm::tlm_command command, std::uint64_t address, unsigned length) {
        set_mm(this);
        acquire();
        set_command(command);
        set_address(address);
        set_data_ptr(data.data());
        set_data_length(length);
        set_streaming_width(length);
        set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    }
    void free(tlm::tlm_generic_payload*) override {}

    std::array<unsigned char, 256> data{};
};

/// Edge k lies at k ns. Sends accesses and notes the edges at which the responses come.
struct bench final {
    explicit bench(block_implementation what, const pin_configuration& settings = {})
        : block("controller_pins",
                memory_controller_pins::options{pins, settings, what, configuration(), dram::bytes,
                                                1, status}),
          store("dram", 1) {
        l2.socket.bind(block.request_socket());
        l2.on_backward = [this](tlm::tlm_generic_payload&, tlm::tlm_phase& phase,
                                sc_core::sc_time&) {
            if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
            answered.push_back(clock.edge());
            return tlm::TLM_COMPLETED;
        };
        if (what == block_implementation::pins) {
            controller = std::make_unique<memory_controller>(
                "controller", clock, configuration(), channel_addresses{},
                tlm_slots<request_scheduler_traits>(clock, status), status);
            block.memory_socket().bind(controller->request_socket);
            controller->dram_socket.bind(store.channel_sockets[0]);
        } else {
            block.memory_socket().bind(store.channel_sockets[0]);
        }
        run_to(10);
    }
    static const memory_controller_configuration& configuration() {
        static const memory_controller_configuration c = [] {
            memory_controller_configuration made;
            made.timing.cl = 10;
            made.timing.wl = 4;
            made.timing.rcd = 7;
            made.timing.rp = 5;
            made.timing.burst = 2;
            made.timing.refi = 0;
            return made;
        }();
        return c;
    }
    /// Up to half a clock behind edge `last`.
    static void run_to(std::uint64_t last) {
        const sc_core::sc_time end(static_cast<double>(last * 1000 + 500), SC_PS);
        sc_core::sc_start(end - sc_core::sc_time_stamp());
    }
    tlm::tlm_sync_enum send(access& a) {
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_core::sc_time delay;
        return l2.socket->nb_transport_fw(a, phase, delay);
    }
    /// Edges from the call to the response.
    std::uint64_t time(access& a) {
        const std::uint64_t from = clock.edge();
        answered.clear();
        send(a);
        run_to(from + 200);
        return answered.size() == 1 ? answered[0] - from : 0;
    }

    run_status status;
    clock_domain clock{"clock", frequency::megahertz(1000)};
    pin_clock pins{"pins", clock};
    memory_controller_pins block;
    std::unique_ptr<memory_controller> controller;
    dram store;
    protocol::testing::scripted_initiator<tlm::tlm_base_protocol_types> l2{"l2"};
    std::vector<std::uint64_t> answered;
};

std::string name_of(const testing::TestParamInfo<block_implementation>& info) {
    return info.param == block_implementation::pins ? "pins" : "rtl";
}

class each_block : public testing::TestWithParam<block_implementation> {
protected:
    void SetUp() override {
        if (GetParam() == block_implementation::rtl && !has_block_rtl()) GTEST_SKIP();
    }
};
INSTANTIATE_TEST_SUITE_P(blocks, each_block,
                         testing::Values(block_implementation::pins, block_implementation::rtl),
                         name_of);

TEST_P(each_block, bytes_come_back_as_they_were_written) {
    bench b(GetParam());
    access write(tlm::TLM_WRITE_COMMAND, 0x1234, 60);
    std::array<unsigned char, 60> enables{};
    for (unsigned n = 0; n < 60; ++n) {
        write.data[n] = static_cast<unsigned char>(100 + n);
        enables[n] = n % 3 == 0 ? 0xff : 0;
    }
    write.set_byte_enable_ptr(enables.data());
    write.set_byte_enable_length(60);
    EXPECT_NE(b.time(write), 0U);
    EXPECT_TRUE(write.is_response_ok());
    access read(tlm::TLM_READ_COMMAND, 0x1230, 70);
    EXPECT_NE(b.time(read), 0U);
    EXPECT_TRUE(read.is_response_ok());
    for (unsigned n = 0; n < 70; ++n) {
        const bool written = n >= 4 && n < 64 && (n - 4) % 3 == 0;
        EXPECT_EQ(read.data[n], written ? 100 + n - 4 : 0) << n;
    }
}

TEST_P(each_block, a_debug_read_finds_a_write_under_way) {
    bench b(GetParam());
    access write(tlm::TLM_WRITE_COMMAND, 0x100, 1);
    write.data[0] = 77;
    b.send(write);
    access read(tlm::TLM_READ_COMMAND, 0xff, 3);
    EXPECT_EQ(b.l2.socket->transport_dbg(read), 3U);
    EXPECT_EQ(read.data[1], 77);
    bench::run_to(200);
    access other(tlm::TLM_WRITE_COMMAND, 0x101, 1);
    other.data[0] = 78;
    EXPECT_EQ(b.l2.socket->transport_dbg(other), 1U);
    EXPECT_EQ(b.l2.socket->transport_dbg(read), 3U);
    EXPECT_THAT(read.data[1], 77);
    EXPECT_THAT(read.data[2], 78);
}

TEST_P(each_block, refuses_an_access_of_two_lines) {
    bench b(GetParam());
    access read(tlm::TLM_READ_COMMAND, 0x7f, 2);
    EXPECT_NE(b.time(read), 0U);
    EXPECT_EQ(read.get_response_status(), tlm::TLM_BURST_ERROR_RESPONSE);
    EXPECT_THAT(b.status.text(), HasSubstr("more than one line"));
}

/// Requests to one line keep their order, whatever goes on around them.
TEST_P(each_block, requests_to_a_line_keep_their_order) {
    pin_configuration settings;
    settings.stalls = 50;
    bench b(GetParam(), settings);
    std::vector<std::unique_ptr<access>> all;
    for (unsigned n = 0; n < 40; ++n) {
        const bool writes = n % 2 == 0;
        auto a = std::make_unique<access>(writes ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND,
                                          n % 5 == 0 ? 0x10000 : 0, 4);
        a->data[0] = static_cast<unsigned char>(n);
        b.send(*a);
        all.push_back(std::move(a));
    }
    bench::run_to(20'000);
    ASSERT_EQ(b.answered.size(), 40U);
    std::array<unsigned, 2> last{};
    for (unsigned n = 0; n < 40; ++n) {
        const unsigned line = n % 5 == 0 ? 1 : 0;
        if (n % 2 == 0) last[line] = n;
        EXPECT_EQ(all[n]->data[0], last[line]) << n;
    }
}

/// docs/pins.md has these numbers.
TEST(memory_controller_pins, pins_cost_four_clocks) {
    bench b(block_implementation::pins);
    const auto& t = bench::configuration().timing;
    access warm(tlm::TLM_READ_COMMAND, 0, 32);
    (void)b.time(warm);
    access hit(tlm::TLM_READ_COMMAND, 64, 32);
    EXPECT_EQ(b.time(hit), 1 + t.cl + t.burst + 4);
}

TEST(memory_controller_pins, rtl_latency_follows_the_row) {
    if (!has_block_rtl()) GTEST_SKIP();
    bench b(block_implementation::rtl);
    const auto& t = bench::configuration().timing;
    access closed(tlm::TLM_READ_COMMAND, 0, 32);
    EXPECT_EQ(b.time(closed), 8 + t.rcd + t.cl + t.burst);
    access hit(tlm::TLM_READ_COMMAND, 128, 32);
    EXPECT_EQ(b.time(hit), 8 + t.cl + t.burst);
    access write(tlm::TLM_WRITE_COMMAND, 256, 32);
    EXPECT_EQ(b.time(write), 8 + t.wl + t.burst);
    access conflict(tlm::TLM_READ_COMMAND, 0x10000, 32);
    EXPECT_EQ(b.time(conflict), 8 + t.rp + t.rcd + t.cl + t.burst);
    access other_bank(tlm::TLM_READ_COMMAND, 0x2000, 32);
    EXPECT_EQ(b.time(other_bank), 8 + t.rcd + t.cl + t.burst);
}

constexpr unsigned busy_lines = 16;

/// Sends reads of lines that lie behind each other in one row of so many banks, all at once, when
/// the rows are open, and gives the clocks to the last response.
std::uint64_t clocks_of_lines(bench& b, unsigned banks) {
    std::vector<std::unique_ptr<access>> all;
    std::uint64_t from = 0;
    for (unsigned round = 0; round < 2; ++round) {
        from = b.clock.edge();
        b.answered.clear();
        for (unsigned n = 0; n < busy_lines; ++n) {
            const std::uint64_t line = std::uint64_t{n % banks} * 0x2000 + n / banks * 128;
            all.push_back(std::make_unique<access>(tlm::TLM_READ_COMMAND, line, 128));
            b.send(*all.back());
        }
        bench::run_to(from + 1000);
        EXPECT_EQ(b.answered.size(), busy_lines);
    }
    return b.answered.back() - from;
}

/// docs/pins.md has these numbers: pins cost many accesses as much as one.
TEST(memory_controller_pins, busy_pins_keep_the_data_bus_busy) {
    bench b(block_implementation::pins);
    const memory_controller_configuration& c = bench::configuration();
    const unsigned columns = busy_lines * 128 / c.access_granularity;
    // The first two lines come before there are others, and are in one bank group.
    const unsigned begin = c.timing.ccdl - c.timing.ccd;
    EXPECT_EQ(clocks_of_lines(b, 1), 1 + c.timing.cl + begin + columns * c.timing.burst + 4);
}

TEST(memory_controller_pins, busy_rtl_serves_a_request_of_each_bank) {
    if (!has_block_rtl()) GTEST_SKIP();
    bench b(block_implementation::rtl);
    const auto& t = bench::configuration().timing;
    const std::uint64_t service = t.cl + t.burst;
    EXPECT_EQ(clocks_of_lines(b, 1), 8 + busy_lines * (service + 1) - 1);
    EXPECT_EQ(clocks_of_lines(b, 8), 8 + service + (busy_lines - 1) * t.burst);
}

/// First ready, first come first served: a hit passes the request that waits for another row.
TEST(memory_controller_pins, rtl_serves_hits_first) {
    if (!has_block_rtl()) GTEST_SKIP();
    bench b(block_implementation::rtl);
    access first(tlm::TLM_READ_COMMAND, 0, 32);
    access conflict(tlm::TLM_READ_COMMAND, 0x10000, 32);
    access hit(tlm::TLM_READ_COMMAND, 128, 32);
    for (access* const a : {&first, &conflict, &hit}) b.send(*a);
    std::vector<std::string> order;
    for (unsigned edge = 11; edge < 200 && order.size() < 3; ++edge) {
        bench::run_to(edge);
        const auto note = [&](access& a, const char* name) {
            if (!a.is_response_ok()) return;
            a.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
            order.emplace_back(name);
        };
        note(first, "first"), note(conflict, "conflict"), note(hit, "hit");
    }
    EXPECT_THAT(order, ElementsAre("first", "hit", "conflict"));
}

// ---- rules of the pins ------------------------------------------------------------------------

/// Drives memory pins by hand: {request id or -1, address, response id or -1} as sampled at edges
/// 1, 2, ...; everything is ready.
struct sample {
    int request;
    std::uint32_t address;
    int response;
};
std::vector<std::string> reported(const std::vector<sample>& samples) {
    const report_catcher reports;
    clock_domain clock("clock", frequency::megahertz(1000));
    pin_clock pins("pins", clock);
    memory_pins port;
    memory_checker checker("port", pins, port, 0);
    const auto drive = [&](std::size_t n) {
        const sample s = n < samples.size() ? samples[n] : sample{-1, 0, -1};
        port.request.ready.write(true);
        port.response.ready.write(true);
        port.request.valid.write(s.request >= 0);
        port.response.valid.write(s.response >= 0);
        port.request.payload.address.write(s.address);
        if (s.request >= 0) port.request.payload.id.write(static_cast<std::uint32_t>(s.request));
        if (s.response >= 0) port.response.payload.id.write(static_cast<std::uint32_t>(s.response));
    };
    struct driver final : pin_part {
        driver(pin_clock& clock, std::function<void()> step)
            : pin_part(clock), step(std::move(step)) {}
        void clock_edge() override { step(); }
        std::function<void()> step;
    };
    std::size_t edge = 0;
    drive(0);
    driver part(pins, [&] { drive(++edge); });
    sc_core::sc_start(static_cast<double>(samples.size()) + 0.5, SC_NS);
    return report_catcher::ids();
}

TEST(memory_checker, ids_may_come_back_in_any_order) {
    EXPECT_THAT(reported({{-1, 0, -1}, {1, 0, -1}, {2, 128, -1}, {3, 0, 2}, {2, 0, 1}, {-1, 0, 3}}),
                IsEmpty());
}

TEST(memory_checker, an_id_is_used_once_at_a_time) {
    EXPECT_THAT(reported({{-1, 0, -1}, {5, 0, -1}, {5, 128, -1}}), ElementsAre(rule::id_in_use));
}

TEST(memory_checker, a_response_needs_a_request) {
    EXPECT_THAT(reported({{-1, 0, -1}, {5, 0, -1}, {-1, 0, 5}, {-1, 0, 5}}),
                ElementsAre(rule::unknown_id));
}

TEST(memory_checker, addresses_are_those_of_lines) {
    EXPECT_THAT(reported({{-1, 0, -1}, {5, 64, -1}}), ElementsAre(rule::line_address));
}

}  // namespace
}  // namespace heddle::pins
