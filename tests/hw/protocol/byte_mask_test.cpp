// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/protocol/byte_mask.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>

#include "models/base/random.h"

namespace heddle {
namespace {

TEST(byte_mask, agrees_with_a_plain_array) {
    for (unsigned first = 0; first < 128; first += 7) {
        for (unsigned count = 1; first + count <= 128; count += 5) {
            const byte_mask mask = byte_mask::bytes(first, count);
            for (unsigned i = 0; i < 128; ++i) {
                ASSERT_EQ(mask.test(i), i >= first && i < first + count);
            }
            EXPECT_EQ(mask.first(), first);
            EXPECT_EQ(mask.end(), first + count);
            EXPECT_EQ(byte_mask::bytes(0, count).moved_up(first), mask);
            EXPECT_EQ(mask.moved_down(first), byte_mask::bytes(0, count));
            unsigned runs = 0;
            (mask & ~byte_mask::bytes(first + count / 2, 1)).runs([&](unsigned, unsigned n) {
                runs += n;
            });
            EXPECT_EQ(runs, count - 1);
        }
    }
}

void expect_copied(const byte_mask& mask) {
    std::array<std::uint8_t, 128> from, to;
    for (unsigned i = 0; i < 128; ++i) from[i] = static_cast<std::uint8_t>(i + 1);
    to.fill(0xee);
    copy_bytes(to.data(), from.data(), mask);
    for (unsigned i = 0; i < 128; ++i) {
        ASSERT_EQ(to[i], mask.test(i) ? i + 1 : 0xee)
            << i << " of " << mask.word[0] << ' ' << mask.word[1];
    }
}

TEST(byte_mask, copies_its_bytes_and_no_others) {
    expect_copied({});
    for (unsigned first = 0; first < 128; ++first) {
        for (unsigned count = 1; first + count <= 128; ++count) {
            const byte_mask run = byte_mask::bytes(first, count);
            expect_copied(run);
            const byte_mask hole = byte_mask::bytes(first + count / 2, 1);
            if (count < 3) continue;
            expect_copied(run & ~hole);
        }
    }
}

TEST(byte_mask, edges_and_shifts) {
    random_stream random(3, "byte_mask");
    for (unsigned round = 0; round < 2000; ++round) {
        byte_mask mask{{random.chance(0.7) ? random.next() & random.next() : 0,
                        random.chance(0.7) ? random.next() & random.next() : 0}};
        if (!mask.any()) continue;
        unsigned first = 0, end = 128;
        while (!mask.test(first)) ++first;
        while (!mask.test(end - 1)) --end;
        ASSERT_EQ(mask.first(), first);
        ASSERT_EQ(mask.end(), end);
        const auto by = static_cast<unsigned>(random.below(first + 1));
        const byte_mask down = mask.moved_down(by);
        for (unsigned i = 0; i + by < 128; ++i) ASSERT_EQ(down.test(i), mask.test(i + by));
    }
    EXPECT_EQ(byte_mask::bytes(0, 128).end(), 128u);
    EXPECT_EQ(byte_mask::bytes(0, 32).end(), 32u);
    EXPECT_FALSE(byte_mask::bytes(0, 64).covers(byte_mask::bytes(0, 65)));
}

}  // namespace
}  // namespace heddle
