// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/base/frequency.h"

#include <gtest/gtest.h>

#include <limits>

#include "hw/base/due_times.h"
#include "models/base/error.h"
#include "models/base/random.h"

namespace heddle {
namespace {

__extension__ using wide = unsigned __int128;

TEST(frequency, edges_do_not_drift_over_a_billion_cycles) {
    struct rate {
        std::uint64_t numerator, denominator;
    };
    for (const rate r : {rate{706, 1}, {1400, 1}, {650, 1}, {2600, 4}, {924, 1}, {1, 3}, {7, 5}}) {
        const frequency f = frequency::megahertz(r.numerator, r.denominator);
        random_stream random(1, "edges");
        for (int i = 0; i < 20000; ++i) {
            const std::uint64_t k =
                i < 10000 ? static_cast<std::uint64_t>(i) : random.below(1000000001);
            const auto expected =
                static_cast<std::uint64_t>(wide{k} * 1000000 * r.denominator / r.numerator);
            ASSERT_EQ(f.edge_time(k), expected);
            ASSERT_EQ(f.first_edge_not_before(expected), k);
            ASSERT_EQ(f.first_edge_after(expected), k + 1);
            if (expected > 0) {
                ASSERT_EQ(f.first_edge_after(expected - 1), k);
            }
        }
    }
}

TEST(frequency, edges_are_exact_near_the_end_of_time) {
    const frequency f = frequency::kilohertz(705999);
    const std::uint64_t late = std::numeric_limits<std::uint64_t>::max() / 2;
    const std::uint64_t k = f.first_edge_after(late);
    EXPECT_GT(f.edge_time(k), late);
    EXPECT_LE(f.edge_time(k - 1), late);
}

TEST(frequency, is_kept_in_lowest_terms) {
    EXPECT_EQ(frequency::megahertz(2600, 4), frequency::megahertz(650));
    EXPECT_EQ(frequency::kilohertz(924000), frequency::megahertz(924));
    EXPECT_NE(frequency::kilohertz(924001), frequency::megahertz(924));
    EXPECT_EQ(frequency::megahertz(2600, 3).to_string(), "2600/3 MHz");
    EXPECT_EQ(frequency::megahertz(706).to_string(), "706 MHz");
}

TEST(frequency, rejects_what_has_no_edge_per_picosecond) {
    EXPECT_THROW(frequency::megahertz(0), configuration_error);
    EXPECT_THROW(frequency::megahertz(1, 0), configuration_error);
    EXPECT_THROW(frequency::kilohertz(0), configuration_error);
    EXPECT_THROW(frequency::megahertz(1000001), configuration_error);
    EXPECT_THROW(frequency::megahertz(std::numeric_limits<std::uint64_t>::max()),
                 configuration_error);
    EXPECT_NO_THROW(frequency::megahertz(1000000));
}

/// Random requests against a plain list.
TEST(due_times, agrees_with_a_plain_list) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        random_stream random(seed, "due_times");
        const std::size_t parts = 1 + random.below(200);
        due_times due;
        due.resize(parts);
        std::vector<std::pair<std::uint64_t, std::uint32_t>> list;
        std::uint64_t now = 0;
        for (int step = 0; step < 2000; ++step) {
            for (std::uint64_t n = random.below(4); n > 0; --n) {
                const std::uint64_t spans[] = {3, 64, 255, 257, 5000};
                const std::uint64_t edge = now + 1 + random.below(spans[random.below(5)]);
                const auto part = static_cast<std::uint32_t>(random.below(parts));
                due.add(part, edge, now);
                list.emplace_back(edge, part);
            }
            std::uint64_t expected = due_times::never;
            for (const auto& entry : list) {
                expected = std::min(expected, entry.first);
            }
            ASSERT_EQ(due.next_after(now), expected);
            if (expected == due_times::never) {
                continue;
            }
            now = expected;
            std::vector<std::uint64_t> mask((parts + 63) / 64);
            std::vector<std::uint64_t> expected_mask(mask.size());
            due.take(now, mask.data());
            for (auto entry = list.begin(); entry != list.end();) {
                if (entry->first == now) {
                    expected_mask[entry->second / 64] |= std::uint64_t{1} << (entry->second % 64);
                    entry = list.erase(entry);
                } else {
                    ++entry;
                }
            }
            ASSERT_EQ(mask, expected_mask);
        }
    }
}

}  // namespace
}  // namespace heddle
