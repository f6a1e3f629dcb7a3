// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// manager_core and subordinate_core without a simulation kernel.
#include "tests/hw/axi/core_pair.h"

#include <gmock/gmock.h>

#include <deque>
#include <list>

namespace heddle::axi {
namespace {

struct traffic {
    unsigned width;
    unsigned ids;
    unsigned queue;
    double stalls;
};
void PrintTo(const traffic& one, std::ostream* out) {
    *out << one.width << " bits, " << one.ids << " IDs, " << one.stalls;
}

class random_traffic : public testing::TestWithParam<traffic> {
protected:
    /// Often where the last one was.
    std::unique_ptr<test_access> draw() {
        const bool longer = random_.chance(0.02);
        const std::size_t bytes = 1 + random_.below(longer ? 6000 : 200);
        last_ = random_.chance(0.6) ? last_ + random_.below(100) : random_.below(core_pair::bytes);
        last_ %= core_pair::bytes - bytes;
        auto access = std::make_unique<test_access>(random_.chance(0.5), last_, bytes);
        if (random_.chance(0.6)) {
            std::vector<bool> which;
            for (std::size_t i = 0; i < (random_.chance(0.2) ? 4 : bytes); ++i) {
                which.push_back(random_.chance(0.7));
            }
            access->enable(which);
        }
        for (std::size_t i = 0; i < bytes; ++i) {
            const auto value = static_cast<std::uint8_t>(random_.next());
            access->data[i] = value;
            const bool on =
                access->enables.empty() || access->enables[i % access->enables.size()] != 0;
            if (access->payload.is_write()) {
                if (on) expected_[last_ + i] = value;
            } else {
                access->expected.push_back(on ? expected_[last_ + i] : value);
            }
        }
        return access;
    }
    void check(core_pair& bus) {
        while (tlm::tlm_generic_payload* const done = bus.manager.finished()) {
            const auto found = std::find_if(open_.begin(), open_.end(), [&](const auto& each) {
                return &each->payload == done;
            });
            ASSERT_NE(found, open_.end());
            ASSERT_EQ(done->get_response_status(), tlm::TLM_OK_RESPONSE);
            if (done->is_read()) {
                ASSERT_EQ((*found)->data, (*found)->expected) << done->get_address();
            }
            open_.erase(found);
        }
    }

    random_stream random_{GetParam().ids, "traffic"};
    std::uint64_t last_ = 0;
    std::vector<std::uint8_t> expected_ = std::vector<std::uint8_t>(core_pair::bytes);
    std::list<std::unique_ptr<test_access>> open_;
};

TEST_P(random_traffic, moves_the_bytes_that_flat_memory_would) {
    const traffic& t = GetParam();
    core_pair bus({t.width / 8, t.ids, 128}, {t.width / 8, t.queue}, t.stalls, t.width);
    for (unsigned i = 0; i < 2000; ++i) {
        while (bus.manager.full() || random_.chance(0.2)) {
            bus.clock();
            check(bus);
            ASSERT_LT(bus.clocks, 2'000'000U) << "nothing moves";
        }
        open_.push_back(draw());
        bus.manager.take(open_.back()->payload);
    }
    bus.drain();
    check(bus);
    EXPECT_TRUE(open_.empty());
    bus.checker.finish();
    EXPECT_EQ(bus.subordinate.open(), 0U);
    EXPECT_EQ(bus.manager.unexpected(), 0U);
    EXPECT_EQ(bus.memory, expected_);
    if (t.ids > 1 && t.queue > 1) {
        EXPECT_GT(bus.passed, 100U) << "the order never changed";
    }
}

INSTANTIATE_TEST_SUITE_P(buses, random_traffic,
                         testing::Values(traffic{32, 16, 8, 0.3}, traffic{64, 64, 16, 0},
                                         traffic{128, 1, 4, 0.2}, traffic{128, 64, 1, 0.1},
                                         traffic{256, 256, 64, 0.5}, traffic{512, 3, 16, 0},
                                         traffic{512, 32, 16, 0.8}),
                         [](const auto& info) {
                             return std::to_string(info.param.width) + "_" +
                                    std::to_string(info.param.ids);
                         });

class core_test : public testing::Test {
protected:
    static constexpr unsigned bus_bytes = 16;
    core_pair bus_{{bus_bytes, 8, 128}, {bus_bytes, 8}, 0, 1};

    core_test() { bus_.at_once = true; }
    void run(test_access& access) {
        bus_.manager.take(access.payload);
        bus_.drain();
        ASSERT_EQ(bus_.manager.finished(), &access.payload);
    }
};

/// AR and its handshake, a clock for each beat, and the handshake of the last one. A write has W
/// behind the handshake of AW, and B.
TEST_F(core_test, clocks_of_an_access) {
    bus_.clock();  // READY is low before the first clock
    std::uint64_t before = bus_.clocks;
    test_access read(false, 0x100, 128);
    run(read);
    EXPECT_EQ(bus_.clocks - before, 3U + 128 / bus_bytes);
    before = bus_.clocks;
    test_access write(true, 0x100, 128);
    run(write);
    EXPECT_EQ(bus_.clocks - before, 4U + 128 / bus_bytes);
}

TEST_F(core_test, a_beat_moves_each_clock) {
    bus_.clock();
    std::list<test_access> reads;
    for (unsigned i = 0; i < 8; ++i) {
        reads.emplace_back(false, i * 128, 128);
        bus_.manager.take(reads.back().payload);
    }
    const std::uint64_t before = bus_.clocks;
    bus_.drain();
    EXPECT_EQ(bus_.clocks - before, 3U + 8 * 128 / bus_bytes);
}

TEST_F(core_test, errors_become_those_of_tlm_and_back) {
    test_access beyond(false, core_pair::bytes, 16);
    run(beyond);
    EXPECT_EQ(beyond.payload.get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    // the first burst is good, the second is not
    test_access half(true, core_pair::bytes - 16, 32);
    run(half);
    EXPECT_EQ(half.payload.get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
}

TEST_F(core_test, a_line_in_one_direction_has_one_id_others_have_their_own) {
    std::list<test_access> reads;
    for (const std::uint64_t address : {0x100, 0x110, 0x180}) {
        reads.emplace_back(false, address, 16);
        bus_.manager.take(reads.back().payload);
    }
    std::vector<std::uint32_t> ids;
    for (unsigned i = 0; i < 3; ++i) {
        bus_.manager.clock({});
        ASSERT_TRUE(bus_.manager.outputs().ar_valid);
        ids.push_back(bus_.manager.outputs().ar.id);
        subordinate_side ready;
        ready.ar_ready = true;
        bus_.manager.clock(ready, {false, false, false, true, false});
    }
    EXPECT_EQ(ids[0], ids[1]);
    EXPECT_NE(ids[0], ids[2]);
}

TEST_F(core_test, a_read_waits_for_the_response_of_a_write_to_its_line) {
    test_access write(true, 0x100, 16), read(false, 0x140, 16), other(false, 0x200, 16);
    bus_.manager.take(write.payload);
    bus_.manager.take(read.payload);
    subordinate_side ready;
    ready.aw_ready = ready.w_ready = ready.ar_ready = true;
    for (unsigned i = 0; i < 5; ++i) {
        bus_.manager.clock(ready);
        EXPECT_FALSE(bus_.manager.outputs().ar_valid);
    }
    ready.b_valid = true;
    ready.b.id = 0;
    bus_.manager.clock(ready);
    EXPECT_TRUE(bus_.manager.outputs().ar_valid);
    EXPECT_EQ(bus_.manager.finished(), &write.payload);
}

TEST_F(core_test, a_response_before_the_last_beat_of_its_write_is_ignored) {
    test_access write(true, 0x100, 32);
    bus_.manager.take(write.payload);
    subordinate_side in;
    bus_.manager.clock(in);
    in.aw_ready = in.b_valid = true;
    bus_.manager.clock(in);
    in.b.id = 5;
    bus_.manager.clock(in);
    EXPECT_EQ(bus_.manager.unexpected(), 2U);
    EXPECT_EQ(bus_.manager.unexpected_channel(), 'B');
    EXPECT_EQ(bus_.manager.unexpected_id(), 5U);
    EXPECT_EQ(bus_.manager.finished(), nullptr);
    in = {};
    in.r_valid = true;
    bus_.manager.clock(in);
    EXPECT_EQ(bus_.manager.unexpected(), 3U);
    EXPECT_EQ(bus_.manager.unexpected_channel(), 'R');
}

TEST_F(core_test, a_pause_lets_what_has_begun_end) {
    test_access first(true, 0x100, 8192 - 0x200), second(true, 0x4000 % core_pair::bytes, 16);
    bus_.manager.take(first.payload);
    bus_.manager.take(second.payload);
    bus_.clock();
    bus_.manager.pause(true);
    for (unsigned i = 0; i < 2000; ++i) bus_.clock();
    EXPECT_EQ(bus_.manager.finished(), &first.payload);
    EXPECT_EQ(bus_.manager.finished(), nullptr);
    EXPECT_EQ(bus_.manager.writes_begun(), 0U);
    bus_.manager.pause(false);
    bus_.drain();
    EXPECT_EQ(bus_.manager.finished(), &second.payload);
}

TEST_F(core_test, overlay_has_the_bytes_of_writes_under_way) {
    test_access begun(true, 0x100, 16), waiting(true, 0x108, 16), read(false, 0xf0, 64);
    begun.data.assign(16, 1);
    waiting.data.assign(16, 2);
    bus_.manager.take(begun.payload);
    bus_.clock();
    bus_.manager.take(waiting.payload);
    bus_.manager.overlay(read.payload, true);
    EXPECT_EQ(read.data[0x0f], 0);
    EXPECT_EQ(read.data[0x1f], 1);
    EXPECT_EQ(read.data[0x20], 0);
    bus_.manager.overlay(read.payload, false);
    EXPECT_EQ(read.data[0x17], 1);
    EXPECT_EQ(read.data[0x18], 2);
}

/// A manager of others, by hand.
class subordinate_test : public testing::Test {
protected:
    void clock() { subordinate_.clock(in_); }
    void address(bool write, address_beat a) {
        (write ? in_.aw : in_.ar) = a;
        (write ? in_.aw_valid : in_.ar_valid) = true;
        clock();
        in_.aw_valid = in_.ar_valid = false;
    }
    static address_beat line(std::uint32_t id, std::uint64_t at, unsigned beats, unsigned size,
                             burst_type type = burst_type::incr) {
        address_beat a;
        a.id = id;
        a.address = at;
        a.length = static_cast<std::uint8_t>(beats - 1);
        a.size = static_cast<std::uint8_t>(size);
        a.burst = type;
        return a;
    }
    subordinate_test() {
        in_.b_ready = in_.r_ready = true;
        clock();
    }
    void write_beat_of(std::uint8_t value, std::uint64_t strobe, bool last) {
        in_.w_valid = true;
        in_.w = {{}, strobe, last};
        in_.w.data.fill(value);
        while (!subordinate_.outputs().w_ready) clock();
        clock();
        in_.w_valid = false;
    }

    subordinate_core subordinate_{{16, 4}};
    manager_side in_;
    subordinate_core::index at_ = 0;
};

TEST_F(subordinate_test, narrow_and_unaligned_beats_are_put_together) {
    address(true, line(3, 0x1006, 3, 2));
    write_beat_of(1, 0x00c0, false);
    write_beat_of(2, 0x0f00, false);
    EXPECT_FALSE(subordinate_.next(at_)) << "a beat is missing";
    write_beat_of(3, 0xf000, true);
    ASSERT_TRUE(subordinate_.next(at_));
    const subordinate_core::access& a = subordinate_[at_];
    EXPECT_TRUE(a.write);
    EXPECT_EQ(a.address, 0x1006U);
    EXPECT_EQ(a.enables, nullptr);
    EXPECT_EQ(std::vector<std::uint8_t>(a.data, a.data + a.bytes),
              (std::vector<std::uint8_t>{1, 1, 2, 2, 2, 2, 3, 3, 3, 3}));
}

TEST_F(subordinate_test, bytes_without_strobe_at_the_ends_are_left_out) {
    address(true, line(3, 0x1000, 1, 4));
    write_beat_of(1, 0x0b00, true);
    ASSERT_TRUE(subordinate_.next(at_));
    const subordinate_core::access& a = subordinate_[at_];
    EXPECT_EQ(a.address, 0x1008U);
    ASSERT_EQ(a.bytes, 4U);
    EXPECT_EQ(std::vector<std::uint8_t>(a.enables, a.enables + 4),
              (std::vector<std::uint8_t>{0xff, 0xff, 0, 0xff}));
}

TEST_F(subordinate_test, a_write_without_strobes_is_answered_without_an_access) {
    address(true, line(3, 0x1000, 1, 4));
    write_beat_of(1, 0, true);
    EXPECT_FALSE(subordinate_.next(at_));
    EXPECT_TRUE(subordinate_.outputs().b_valid);
    EXPECT_EQ(subordinate_.outputs().b.code, response::okay);
}

TEST_F(subordinate_test, other_bursts_are_refused) {
    for (const address_beat& a :
         {line(1, 0x1000, 2, 4, burst_type::fixed), line(1, 0x1000, 2, 4, burst_type::wrap),
          line(1, 0x1ff0, 2, 4), line(1, 0x1000, 2, 5)}) {
        address(false, a);
        EXPECT_FALSE(subordinate_.next(at_));
        for (unsigned beat = 0; beat < 2; ++beat) {
            EXPECT_TRUE(subordinate_.outputs().r_valid);
            EXPECT_EQ(subordinate_.outputs().r.code, response::slverr);
            EXPECT_EQ(subordinate_.outputs().r.last, beat == 1);
            clock();
        }
        address(true, a);
        write_beat_of(1, 0xffff, false);
        write_beat_of(1, 0xffff, true);
        EXPECT_FALSE(subordinate_.next(at_));
        EXPECT_TRUE(subordinate_.outputs().b_valid);
        EXPECT_EQ(subordinate_.outputs().b.code, response::slverr);
        clock();
    }
    EXPECT_EQ(subordinate_.open(), 0U);
}

TEST_F(subordinate_test, responses_keep_the_order_of_their_id_only) {
    std::vector<subordinate_core::index> all;
    for (const std::uint32_t id : {1, 1, 2}) {
        address(false, line(id, 0x1000, 1, 4));
        ASSERT_TRUE(subordinate_.next(at_));
        all.push_back(at_);
    }
    subordinate_.answered(all[1], response::decerr);
    clock();
    EXPECT_FALSE(subordinate_.outputs().r_valid) << "the older one has no answer";
    subordinate_.answered(all[2], response::okay);
    clock();
    EXPECT_EQ(subordinate_.outputs().r.id, 2U);
    subordinate_.answered(all[0], response::slverr);
    clock();
    EXPECT_EQ(subordinate_.outputs().r.code, response::slverr);
    clock();
    EXPECT_EQ(subordinate_.outputs().r.code, response::decerr);
}

TEST_F(subordinate_test, a_full_queue_holds_ready_back) {
    for (unsigned i = 0; i < 4; ++i) {
        EXPECT_TRUE(subordinate_.outputs().ar_ready);
        address(false, line(1, 0x1000, 1, 4));
    }
    EXPECT_FALSE(subordinate_.outputs().ar_ready);
    EXPECT_TRUE(subordinate_.outputs().aw_ready);
    ASSERT_TRUE(subordinate_.next(at_));
    subordinate_.answered(at_, response::okay);
    clock();
    EXPECT_TRUE(subordinate_.outputs().ar_ready);
}

}  // namespace
}  // namespace heddle::axi
