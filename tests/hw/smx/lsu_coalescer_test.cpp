// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <set>
#include <vector>

#include "hw/smx/lsu/queue/coalescer.h"
#include "models/base/random.h"
#include "tb/lsu/lsu_rig.h"

namespace heddle {
namespace {

using isa::lane_mask;

struct lane_array {
    alignas(64) std::array<std::uint32_t, 64> words{};
    std::uint32_t* data() { return words.data(); }
    std::uint32_t& operator[](unsigned lane) { return words[lane]; }
};

lane_mask all_of(unsigned lanes) {
    return lanes == 64 ? ~lane_mask{0} : (lane_mask{1} << lanes) - 1;
}

unsigned accesses(lane_array& a, lane_mask active, unsigned bytes, std::uint32_t line,
                  unsigned lanes) {
    unsigned count = 0;
    while (active != 0) {
        active &= ~coalescer::next_access(a.data(), active, bytes, line, lanes).lanes;
        ++count;
    }
    return count;
}

/// Stride sweep: a warp touches ceil(lanes * stride / line) lines, up to one a lane.
TEST(coalescer, strides_have_a_closed_form) {
    for (const unsigned lanes : {8u, 16u, 32u, 64u}) {
        for (const std::uint32_t line : {32u, 64u, 128u}) {
            for (std::uint32_t stride = 4; stride <= 512; stride *= 2) {
                lane_array a;
                for (unsigned lane = 0; lane < 64; ++lane) a[lane] = 0x40000000 + stride * lane;
                const unsigned expected =
                    std::min(lanes, std::max(1u, (lanes * stride + line - 1) / line));
                EXPECT_EQ(accesses(a, all_of(lanes), 4, line, lanes), expected)
                    << lanes << " lanes, line " << line << ", stride " << stride;
            }
        }
    }
}

TEST(coalescer, unaligned_starts_cost_one_line_more) {
    lane_array a;
    for (unsigned lane = 0; lane < 32; ++lane) a[lane] = 0x40000004 + 4 * lane;
    EXPECT_EQ(accesses(a, all_of(32), 4, 128, 32), 2u);
    EXPECT_EQ(accesses(a, 1, 4, 128, 32), 1u);
}

TEST(coalescer, random_accesses_against_lane_by_lane) {
    random_stream random(1, "coalescer");
    for (unsigned round = 0; round < 20000; ++round) {
        const unsigned lanes = random.chance(0.5) ? 32 : 64;
        const unsigned bytes = 1u << random.below(3);
        const std::uint32_t line = 32u << random.below(3);
        const lane_mask some = (random.next() | (lane_mask{1} << random.below(lanes))) &
                               (random.chance(0.3) ? all_of(lanes) : random.next());
        const lane_mask active = all_of(lanes) & (random.chance(0.4) ? ~lane_mask{0} : some);
        if (active == 0) continue;
        const std::uint64_t reach = 1u << (2 + random.below(12));
        const auto start = static_cast<std::uint32_t>(random.below(reach)) * bytes;
        // All the same, one behind the other, anywhere.
        const std::uint64_t shape = random.below(4);
        lane_array a;
        for (unsigned lane = 0; lane < 64; ++lane) {
            const auto any = static_cast<std::uint32_t>(random.below(reach)) * bytes;
            a[lane] = 0x40000000 + (shape == 0   ? start
                                    : shape == 1 ? start + bytes * lane
                                    : shape == 2 ? start + lane / 16 * 256 + bytes * (lane % 16)
                                                 : any);
        }
        // One that is different must not be overlooked.
        if (random.chance(0.2)) a[static_cast<unsigned>(random.below(lanes))] ^= 4 * bytes;
        const auto span = coalescer::span_of(a.data(), active, lanes);
        const auto got = coalescer::next_access(a.data(), active, bytes, line, lanes);
        const auto first = static_cast<unsigned>(__builtin_ctzll(active));
        std::uint32_t low = ~0u, high = 0;
        lane_mask together = 0;
        byte_mask mask;
        for (unsigned lane = 0; lane < lanes; ++lane) {
            if (((active >> lane) & 1) == 0) continue;
            low = std::min(low, a[lane]);
            high = std::max(high, a[lane]);
            if (a[lane] / line != a[first] / line) continue;
            together |= lane_mask{1} << lane;
            for (unsigned b = 0; b < bytes; ++b) {
                const unsigned at = a[lane] % line + b;
                mask.word[at / 64] |= std::uint64_t{1} << (at % 64);
            }
        }
        ASSERT_EQ(span.low, low);
        ASSERT_EQ(span.high, high);
        ASSERT_EQ(got.line, a[first] / line * line);
        ASSERT_EQ(got.lanes, together);
        ASSERT_TRUE(got.bytes == mask);
    }
}

TEST(coalescer, gather_and_scatter_agree_with_lane_by_lane_copies) {
    random_stream random(2, "coalescer");
    const std::uint32_t stores[] = {encoding::sb, encoding::sh, encoding::sw};
    const std::uint32_t loads[] = {encoding::lb,  encoding::lh,  encoding::lw,
                                   encoding::lbu, encoding::lhu, encoding::lw};
    for (unsigned round = 0; round < 5000; ++round) {
        const unsigned size = static_cast<unsigned>(random.below(3));
        const unsigned bytes = 1u << size;
        const unsigned lanes = random.chance(0.5) ? 32 : 64;
        const lane_mask half = lane_mask{0xffff} << 16 * random.below(2);
        const lane_mask some = random.chance(0.5) ? half : random.next();
        const lane_mask active = all_of(lanes) & (random.chance(0.4) ? ~lane_mask{0} : some);
        const bool contiguous = random.chance(0.3);
        const bool same = random.chance(0.3);
        const bool halves = random.chance(0.5);  // each 16 lanes behave like the 16 before
        const auto start = static_cast<std::uint32_t>(random.below(128 / bytes)) * bytes;
        lane_array a, values, back;
        std::array<std::uint8_t, 128> line{}, expected{};
        const auto stray = static_cast<unsigned>(random.below(2 * lanes));  // not like the others
        for (unsigned lane = 0; lane < lanes; ++lane) {
            values[lane] = static_cast<std::uint32_t>(random.next());
            const auto place = static_cast<std::uint32_t>(random.below(128 / bytes)) * bytes;
            const unsigned number = halves ? lane % 16 : lane;
            const bool other = lane == stray;
            a[lane] = 0x1000 + (contiguous && !other ? bytes * number % 128
                                : same && !other     ? start
                                                     : place);
            if (((active >> lane) & 1) != 0) {
                std::memcpy(&expected[a[lane] - 0x1000], &values[lane], bytes);
            }
        }
        ASSERT_EQ(access_instruction(stores[size]).access_bytes(), bytes);
        coalescer::lane_offsets offsets;
        coalescer::find_offsets(a.data(), 0x1000, lanes, offsets);
        coalescer::scatter(bytes, offsets, active, values.data(), lanes, line.data());
        ASSERT_EQ(line, expected);
        const isa::instruction load =
            access_instruction(loads[size + (random.chance(0.5) ? 3 : 0)], 5);
        coalescer::gather(load, offsets, active, line.data(), lanes, back.data());
        for (unsigned lane = 0; lane < lanes; ++lane) {
            std::uint32_t value = 0;
            std::memcpy(&value, &line[a[lane] - 0x1000], bytes);
            const bool on = ((active >> lane) & 1) != 0;
            ASSERT_EQ(back[lane], on ? isa::extend_loaded(load, value) : 0u);
        }
    }
}

TEST(coalescer, equal_private_offsets_of_a_warp_are_contiguous) {
    for (const unsigned lanes : {8u, 16u, 32u, 64u}) {
        const simt::private_layout layout{512, lanes};
        lane_array a;
        for (unsigned lane = 0; lane < lanes; ++lane) a[lane] = 0x20000000 + 24;
        a[1] = 0x20000000 + 27;
        a[2] = 0x40000000;
        coalescer::to_device(a.data(), all_of(lanes) & ~lane_mask{4}, layout, 9);
        EXPECT_EQ(a[0], layout.address(9, 24, 0));
        EXPECT_EQ(a[1], layout.address(9, 27, 1));
        EXPECT_EQ(a[2], 0x40000000u) << "inactive";
        EXPECT_EQ(a[lanes - 1], layout.address(9, 24, lanes - 1));
        EXPECT_EQ(accesses(a, all_of(lanes) & ~lane_mask{4}, 1, 128, lanes),
                  std::max(lanes / 32, 1u));
    }
}

}  // namespace
}  // namespace heddle
