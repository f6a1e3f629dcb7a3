// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/axi/burst.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "models/base/random.h"

namespace heddle::axi {
namespace {

address_beat burst(std::uint64_t address, unsigned beats, unsigned bytes,
                   burst_type type = burst_type::incr) {
    address_beat a;
    a.address = address;
    a.length = static_cast<std::uint8_t>(beats - 1);
    while (a.beat_bytes() < bytes) ++a.size;
    a.burst = type;
    return a;
}

void expect_place(const beat_place& found, std::uint64_t address, unsigned lane, unsigned bytes) {
    EXPECT_EQ(found.address, address);
    EXPECT_EQ(found.lane, lane);
    EXPECT_EQ(found.bytes, bytes);
}

TEST(place, the_first_beat_begins_at_the_address_the_others_at_multiples) {
    const address_beat a = burst(0x1006, 3, 16);
    expect_place(place_of(a, 0, 16), 0x1006, 6, 10);
    expect_place(place_of(a, 1, 16), 0x1010, 0, 16);
    expect_place(place_of(a, 2, 16), 0x1020, 0, 16);
    EXPECT_EQ(bytes_of(a), 42U);
    EXPECT_EQ(end_of(a), 0x1030U);
}

TEST(place, narrow_beats_move_over_the_lanes) {
    const address_beat a = burst(0x1c, 3, 4);
    expect_place(place_of(a, 0, 16), 0x1c, 12, 4);
    expect_place(place_of(a, 1, 16), 0x20, 0, 4);
    expect_place(place_of(a, 2, 16), 0x24, 4, 4);
}

TEST(place, fixed_stays_and_wrap_comes_round) {
    const address_beat f = burst(0x42, 4, 8, burst_type::fixed);
    expect_place(place_of(f, 3, 8), 0x42, 2, 6);
    EXPECT_EQ(end_of(f), 0x48U);
    const address_beat w = burst(0x38, 4, 8, burst_type::wrap);
    expect_place(place_of(w, 0, 8), 0x38, 0, 8);
    expect_place(place_of(w, 1, 8), 0x20, 0, 8);
    expect_place(place_of(w, 3, 8), 0x30, 0, 8);
    EXPECT_EQ(begin_of(w), 0x20U);
    EXPECT_EQ(end_of(w), 0x40U);
}

TEST(lanes, are_a_bit_for_each_byte) {
    EXPECT_EQ(lanes_of({0, 0, 64}), ~std::uint64_t{0});
    EXPECT_EQ(lanes_of({0, 60, 4}), 0xf000000000000000U);
    EXPECT_EQ(lanes_of({0, 3, 1}), 8U);
}

TEST(boundary, is_crossed_by_bytes_on_both_sides) {
    EXPECT_FALSE(crosses_boundary(burst(0xff0, 1, 16)));
    EXPECT_TRUE(crosses_boundary(burst(0xff0, 2, 16)));
    EXPECT_TRUE(crosses_boundary(burst(0xfff, 2, 1)));
    EXPECT_FALSE(crosses_boundary(burst(0x1000, 256, 16)));
    EXPECT_FALSE(crosses_boundary(burst(0xff8, 2, 8, burst_type::wrap)));
}

TEST(overlap, is_a_byte_in_common) {
    EXPECT_TRUE(overlap(burst(0x10, 2, 16), burst(0x2f, 1, 1)));
    EXPECT_FALSE(overlap(burst(0x10, 2, 16), burst(0x30, 1, 1)));
    EXPECT_FALSE(overlap(burst(0x10, 2, 16), burst(0xf, 1, 1)));
}

TEST(first_piece, of_a_line_is_a_burst_of_full_beats) {
    const piece p = first_piece(0x1080, 128, 16);
    EXPECT_EQ(p.burst, burst(0x1080, 8, 16));
    EXPECT_EQ(p.bytes, 128U);
}

TEST(first_piece, within_a_beat_is_as_narrow_as_it_can_be) {
    EXPECT_EQ(first_piece(0x1020, 32, 64).burst, burst(0x1020, 1, 32));
    EXPECT_EQ(first_piece(0x1003, 1, 64).burst, burst(0x1003, 1, 1));
    EXPECT_EQ(first_piece(0x101f, 2, 64).burst, burst(0x101f, 1, 64));
    EXPECT_EQ(first_piece(0x103f, 2, 64).burst, burst(0x103f, 2, 64));
}

TEST(first_piece, ends_at_4_kb_and_after_256_beats) {
    EXPECT_EQ(first_piece(0x1ff0, 0x100, 16).bytes, 0x10U);
    EXPECT_EQ(first_piece(0x1000, 0x1000, 4).bytes, 0x400U);
    EXPECT_EQ(first_piece(0x1001, 0x1000, 4).bytes, 0x3ffU);
    EXPECT_EQ(first_piece(0x1001, 0x1000, 4).burst.beats(), 256U);
}

/// The pieces of any access move each of its bytes once, in order, by legal bursts.
TEST(first_piece, pieces_move_each_byte_once) {
    random_stream random(1, "pieces");
    for (unsigned round = 0; round < 20'000; ++round) {
        const unsigned bus = 4U << random.below(5);
        const std::uint64_t address = random.below(3 * boundary);
        const std::uint64_t bytes = 1 + random.below(random.chance(0.2) ? 3 * boundary : 300);
        std::uint64_t at = address;
        while (at < address + bytes) {
            const piece p = first_piece(at, address + bytes - at, bus);
            ASSERT_EQ(p.burst.address, at);
            ASSERT_LE(p.burst.beat_bytes(), bus);
            ASSERT_FALSE(crosses_boundary(p.burst));
            std::uint64_t moved = at;
            for (unsigned beat = 0; beat < p.burst.beats(); ++beat) {
                const beat_place place = place_of(p.burst, beat, bus);
                ASSERT_EQ(place.address, moved);
                ASSERT_EQ(place.lane, moved % bus);
                ASSERT_LE(place.lane + place.bytes, bus);
                moved += place.bytes;
            }
            ASSERT_EQ(moved, end_of(p.burst));
            ASSERT_GE(moved, at + p.bytes);
            ASSERT_LT(moved - (at + p.bytes), bus) << "a beat too many";
            at += p.bytes;
        }
        ASSERT_EQ(at, address + bytes);
    }
}

}  // namespace
}  // namespace heddle::axi
