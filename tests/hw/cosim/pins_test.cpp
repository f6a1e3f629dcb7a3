// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// The clock of pins, the two ends of a channel, and the rules of the checkers.
#include <gmock/gmock.h>

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "hw/base/has_process.h"
#include "hw/cosim/pins/pin_channel.h"
#include "hw/cosim/pins/pin_checker.h"
#include "hw/cosim/pins/pin_clock.h"
#include "tests/hw/protocol/scripted_link.h"

namespace heddle::pins {
namespace {

using protocol::testing::report_catcher;
using sc_core::SC_NS;
using sc_core::SC_PS;
using sc_core::sc_signal;
using sc_core::sc_time;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const frequency gigahertz = frequency::megahertz(1000);  // edge k lies at k ns

/// A register as a transactor has it.
class register_part final : public pin_part {
public:
    register_part(pin_clock& clock, const sc_signal<std::uint32_t>& in,
                  sc_signal<std::uint32_t>& out)
        : pin_part(clock), in_(in), out_(out) {}
    void clock_edge() override { out_.write(in_.read()); }

private:
    const sc_signal<std::uint32_t>& in_;
    sc_signal<std::uint32_t>& out_;
};

/// A register as RTL has it: a process of its own.
class register_module final : public sc_core::sc_module {
public:
    HEDDLE_HAS_PROCESS(register_module);
    register_module(const sc_core::sc_module_name& name, const sc_core::sc_signal_in_if<bool>& clk,
                    const sc_signal<std::uint32_t>& in, sc_signal<std::uint32_t>& out)
        : sc_module(name), in_(in), out_(out) {
        SC_METHOD(load);
        sensitive << clk.posedge_event();
        dont_initialize();
    }

private:
    void load() { out_.write(in_.read()); }

    const sc_signal<std::uint32_t>& in_;
    sc_signal<std::uint32_t>& out_;
};

/// A part of both worlds that does what a test says.
class script final : public pin_part {
public:
    script(pin_clock& clock, std::function<void(std::uint64_t)> step)
        : pin_part(clock), domain_(clock.domain()), step_(std::move(step)) {}
    void clock_edge() override { step_(domain_.edge()); }

private:
    const clock_domain& domain_;
    std::function<void(std::uint64_t)> step_;
};

struct bench {
    explicit bench(unsigned reset_edges = 1) : pins("pins", clock, reset_edges) {}
    /// Up to and with edge `last`.
    static void run_to(unsigned last) {
        const sc_time end = sc_time(last, SC_NS) + sc_time(300, SC_PS);
        sc_core::sc_start(end - sc_core::sc_time_stamp());
    }

    clock_domain clock{"clock", gigahertz};
    pin_clock pins;
};

struct byte_pins {
    explicit byte_pins(const std::string& channel) : tag(channel, "tag"), data(channel, "data") {}
    auto all() { return std::tie(tag, data); }

    pin<4> tag;
    pin<128> data;
};

// ---- the clock --------------------------------------------------------------------------------

TEST(pin_clock, rises_at_edges_and_falls_half_a_period_later) {
    bench b;
    b.run_to(4);
    EXPECT_TRUE(b.pins.clk.read());
    sc_core::sc_start(199, SC_PS);
    EXPECT_TRUE(b.pins.clk.read());
    sc_core::sc_start(2, SC_PS);
    EXPECT_FALSE(b.pins.clk.read());
    sc_core::sc_start(498, SC_PS);
    EXPECT_FALSE(b.pins.clk.read());
}

TEST(pin_clock, resets_for_so_many_edges) {
    bench b(3);
    std::vector<std::uint64_t> called;
    script part(b.pins, [&](std::uint64_t edge) {
        called.push_back(edge);
        EXPECT_TRUE(b.pins.rst_n.read());
    });
    b.run_to(1);
    EXPECT_FALSE(b.pins.rst_n.read());
    b.run_to(2);
    EXPECT_TRUE(b.pins.rst_n.read());  // behind the third edge
    b.run_to(4);
    EXPECT_THAT(called, ElementsAre(3, 4));
}

/// Two stages in a row, one a pin_part and one a process, in each order of construction: a value
/// needs a clock for each of them.
class shift_register : public testing::TestWithParam<bool> {};

TEST_P(shift_register, moves_one_stage_an_edge) {
    bench b;
    sc_signal<std::uint32_t> in{"in"}, middle{"middle"}, out{"out"};
    std::unique_ptr<register_part> part;
    std::unique_ptr<register_module> module;
    const bool part_first = GetParam();
    auto& part_in = part_first ? in : middle;
    auto& part_out = part_first ? middle : out;
    module = std::make_unique<register_module>("module", b.pins.clk, part_first ? middle : in,
                                               part_first ? out : middle);
    std::vector<std::uint32_t> middles, outs;
    script feed(b.pins, [&](std::uint64_t edge) {
        middles.push_back(middle.read());
        outs.push_back(out.read());
        in.write(static_cast<std::uint32_t>(edge));
    });
    part = std::make_unique<register_part>(b.pins, part_in, part_out);
    b.run_to(6);
    // driven at edge 1, sampled by the first stage at edge 2, by the second at 3, seen at 4
    EXPECT_THAT(middles, ElementsAre(0, 0, 1, 2, 3, 4));
    EXPECT_THAT(outs, ElementsAre(0, 0, 0, 1, 2, 3));
}
INSTANTIATE_TEST_SUITE_P(orders, shift_register, testing::Bool());

// ---- channels ---------------------------------------------------------------------------------

TEST(pin_channel, has_the_types_of_verilators_ports) {
    static_assert(std::is_same_v<pin_value<1>, bool>);
    static_assert(std::is_same_v<pin_value<32>, std::uint32_t>);
    static_assert(std::is_same_v<pin_value<33>, std::uint64_t>);
    static_assert(std::is_same_v<pin_value<65>, sc_dt::sc_bv<65>>);
    pin_channel<byte_pins> channel("request");
    EXPECT_STREQ(channel.valid.name(), "request_valid");
    EXPECT_STREQ(channel.payload.data.name(), "request_data");
}

/// A source and a sink with stalls of their own, and a checker in between.
struct stalled_channel : bench {
    stalled_channel(std::uint32_t source_stalls, std::uint32_t sink_stalls, std::uint64_t seed)
        : source(channel, {seed, "source", source_stalls}),
          sink(channel, {seed, "sink", sink_stalls}) {}
    void step() {
        if (const byte_pins* const pins = sink.taken()) got.push_back(pins->tag.read());
        sink.offer(true);
        source.clock_edge([&](byte_pins& pins) {
            pins.tag.write(sent % 16);
            pins.data.write(sent);
            ++sent;
            return true;
        });
    }

    pin_channel<byte_pins> channel{"channel"};
    pin_source<byte_pins> source;
    pin_sink<byte_pins> sink;
    unsigned sent = 0;
    std::vector<std::uint32_t> got;
    script part{pins, [this](std::uint64_t) { step(); }};
    channel_checker<byte_pins> checker{"channel", pins, channel, 100};
};

TEST(pin_channel, moves_a_beat_at_each_edge_without_stalls) {
    stalled_channel b(0, 0, 1);
    b.run_to(10);
    // first driven at edge 1, first sampled at edge 2
    EXPECT_EQ(b.got.size(), 9U);
}

TEST(pin_channel, keeps_order_and_rules_with_random_stalls) {
    const report_catcher reports;
    stalled_channel b(40, 60, 7);
    b.run_to(2000);
    EXPECT_THAT(reports.reports(), IsEmpty()) << report_catcher::text();
    ASSERT_GT(b.got.size(), 400U);
    ASSERT_LT(b.got.size(), 900U);
    for (std::size_t n = 0; n < b.got.size(); ++n) ASSERT_EQ(b.got[n], n % 16);
}

TEST(pin_stalls, follow_the_seed_and_the_name) {
    const auto draw = [](std::uint64_t seed, const char* name) {
        pin_stalls stalls(seed, name, 50);
        std::string text;
        for (int n = 0; n < 64; ++n) text += stalls.stalled() ? '1' : '0';
        return text;
    };
    EXPECT_EQ(draw(1, "a"), draw(1, "a"));
    EXPECT_NE(draw(1, "a"), draw(2, "a"));
    EXPECT_NE(draw(1, "a"), draw(1, "b"));
}

/// Three credits; the sink gives them back when the test says so.
struct credit_bench : bench {
    credit_bench() : source(channel, 3), sink(channel) {}

    credit_channel<byte_pins> channel{"channel"};
    credit_source<byte_pins> source;
    credit_sink<byte_pins> sink;
    credit_checker<byte_pins> checker{"channel", pins, channel, 3, 10};
};

TEST(credit_channel, stops_without_credits_and_goes_on_with_one) {
    const report_catcher reports;
    credit_bench b;
    std::vector<std::uint64_t> beats;
    script part(b.pins, [&](std::uint64_t edge) {
        if (b.sink.taken() != nullptr) beats.push_back(edge);
        b.sink.give_back(edge == 8 ? 2 : 0);
        b.source.clock_edge([](byte_pins&) { return true; });
    });
    b.run_to(14);
    // credits driven at 8 and 9, seen at 9 and 10, beats driven there
    EXPECT_THAT(beats, ElementsAre(2, 3, 4, 10, 11));
    EXPECT_THAT(reports.reports(), IsEmpty()) << report_catcher::text();
}

// ---- rules ------------------------------------------------------------------------------------

/// Pins that a test drives by hand, edge by edge.
struct driven_channel : bench {
    /// valid, ready and tag as a checker samples them at edges 1, 2, ...
    struct sample {
        bool valid, ready;
        std::uint32_t tag;
    };
    std::vector<std::string> reported(const std::vector<sample>& samples) {
        const report_catcher reports;
        const auto drive = [&](std::size_t n) {
            if (n >= samples.size()) return;
            channel.valid.write(samples[n].valid);
            channel.ready.write(samples[n].ready);
            channel.payload.tag.write(samples[n].tag);
        };
        drive(0);
        script part(pins, [&](std::uint64_t edge) { drive(edge); });
        run_to(static_cast<unsigned>(samples.size()));
        text = report_catcher::text();
        return report_catcher::ids();
    }

    pin_channel<byte_pins> channel{"channel"};
    channel_checker<byte_pins> checker{"gpu.channel", pins, channel, 3};
    std::string text;
};

TEST(channel_checker, a_legal_channel_has_no_report) {
    driven_channel b;
    EXPECT_THAT(b.reported({{false, false, 0},
                            {true, false, 5},
                            {true, true, 5},
                            {true, true, 6},
                            {false, true, 9},
                            {true, true, 1}}),
                IsEmpty())
        << b.text;
}

TEST(channel_checker, valid_must_stay) {
    driven_channel b;
    EXPECT_THAT(b.reported({{false, false, 0}, {true, false, 5}, {false, false, 5}}),
                ElementsAre(rule::valid_stable));
    EXPECT_THAT(b.text, HasSubstr("gpu.channel, clock edge 3: valid fell before ready was high"));
}

TEST(channel_checker, the_payload_must_stay) {
    driven_channel b;
    EXPECT_THAT(b.reported({{false, false, 0}, {true, false, 5}, {true, true, 6}}),
                ElementsAre(rule::payload_stable));
    EXPECT_THAT(b.text, HasSubstr("tag was 0x5, is 0x6 before ready was high"));
}

TEST(channel_checker, a_beat_must_not_wait_too_long) {
    driven_channel b;
    std::vector<driven_channel::sample> samples(1, {false, false, 0});
    samples.resize(4, {true, false, 5});  // three clocks are legal
    samples.push_back({true, true, 5});
    EXPECT_THAT(b.reported(samples), IsEmpty()) << b.text;
}

TEST(channel_checker, a_beat_that_waits_too_long_is_reported_once) {
    driven_channel b;
    std::vector<driven_channel::sample> samples(1, {false, false, 0});
    samples.resize(9, {true, false, 5});
    EXPECT_THAT(b.reported(samples), ElementsAre(rule::longest_wait));
    EXPECT_THAT(b.text, HasSubstr("clock edge 5: waits for 4 clocks; legal: at most "
                                  "pins.longest_wait = 3"));
}

TEST(channel_checker, valid_must_be_low_in_reset) {
    driven_channel b;
    EXPECT_THAT(b.reported({{true, true, 0}, {true, true, 5}}), ElementsAre(rule::valid_in_reset));
}

/// Of credits: valid and credit as sampled at edges 1, 2, ...; two credits.
struct driven_credits : bench {
    std::vector<std::string> reported(const std::vector<std::pair<bool, bool>>& samples) {
        const report_catcher reports;
        const auto drive = [&](std::size_t n) {
            if (n >= samples.size()) return;
            channel.valid.write(samples[n].first);
            channel.credit.write(samples[n].second);
        };
        drive(0);
        script part(pins, [&](std::uint64_t edge) { drive(edge); });
        run_to(static_cast<unsigned>(samples.size()));
        return report_catcher::ids();
    }

    credit_channel<byte_pins> channel{"channel"};
    credit_checker<byte_pins> checker{"gpu.channel", pins, channel, 2, 3};
};

TEST(credit_checker, all_credits_may_be_used_and_come_back) {
    driven_credits b;
    EXPECT_THAT(b.reported({{false, false},
                            {true, false},
                            {true, false},
                            {false, true},
                            {true, true},
                            {false, true}}),
                IsEmpty());
}

TEST(credit_checker, a_beat_needs_a_credit) {
    driven_credits b;
    EXPECT_THAT(b.reported({{false, false}, {true, false}, {true, false}, {true, true}}),
                ElementsAre(rule::credit_underflow));
}

TEST(credit_checker, no_credit_comes_back_unused) {
    driven_credits b;
    EXPECT_THAT(b.reported({{false, false}, {true, false}, {false, true}, {false, true}}),
                ElementsAre(rule::credit_overflow));
}

TEST(credit_checker, credits_must_come_back_in_time) {
    driven_credits b;
    std::vector<std::pair<bool, bool>> samples{{false, false}, {true, false}, {true, false}};
    samples.resize(6, {false, false});
    samples.emplace_back(false, true);
    EXPECT_THAT(b.reported(samples), ElementsAre(rule::longest_wait));
    EXPECT_THAT(report_catcher::text(),
                HasSubstr("a lost credit? All 2 credits are used after 2 beats and 0 credits that "
                          "came back, and none has come back for 4 clocks"));
}

TEST(credit_checker, valid_must_be_low_in_reset) {
    driven_credits b;
    EXPECT_THAT(b.reported({{true, false}, {false, false}}), ElementsAre(rule::valid_in_reset));
}

}  // namespace
}  // namespace heddle::pins
