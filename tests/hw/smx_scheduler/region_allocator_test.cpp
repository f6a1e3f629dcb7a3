// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx_scheduler/placement/region_allocator.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "models/base/random.h"

namespace heddle {
namespace {

TEST(region_allocator, first_fit_and_joining) {
    region_allocator regions(10);
    EXPECT_EQ(regions.allocate(4), 0U);
    EXPECT_EQ(regions.allocate(2), 4U);
    EXPECT_EQ(regions.allocate(4), 6U);
    EXPECT_EQ(regions.allocate(1), std::nullopt);
    EXPECT_TRUE(regions.release(0, 4));
    EXPECT_TRUE(regions.release(6, 4));
    EXPECT_EQ(regions.free_count(), 8U);
    EXPECT_EQ(regions.allocate(5), std::nullopt);  // 8 are free, but not together
    EXPECT_EQ(regions.allocate(3), 0U);            // the lowest place, not the tightest
    EXPECT_TRUE(regions.release(0, 3));
    EXPECT_TRUE(regions.release(4, 2));
    EXPECT_EQ(regions.free_ranges(), 1U);
    EXPECT_EQ(regions.allocate(10), 0U);
}

TEST(region_allocator, refuses_to_release_what_is_not_handed_out) {
    region_allocator regions(8);
    ASSERT_EQ(regions.allocate(4), 0U);
    EXPECT_FALSE(regions.release(2, 4));  // the end is free
    EXPECT_FALSE(regions.release(4, 1));  // free
    EXPECT_FALSE(regions.release(6, 4));  // beyond the end
    EXPECT_FALSE(regions.release(8, 1));  // outside
    EXPECT_FALSE(regions.release(1, 0));  // nothing
    EXPECT_FALSE(regions.release(1, ~0U));
    EXPECT_TRUE(regions.release(1, 2));   // a part may go
    EXPECT_FALSE(regions.release(0, 2));  // half of it is free again
    EXPECT_EQ(regions.free_count(), 6U);
    EXPECT_EQ(region_allocator(0).allocate(1), std::nullopt);
}

TEST(region_allocator, random_traffic_like_a_list_of_flags) {
    constexpr std::uint32_t size = 96;
    random_stream random(1, "region_allocator");
    region_allocator regions(size);
    std::vector<bool> used(size);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> held;
    for (unsigned step = 0; step < 50000; ++step) {
        if (random.chance(0.55)) {
            const auto count = static_cast<std::uint32_t>(1 + random.below(12));
            std::optional<std::uint32_t> expected;
            for (std::uint32_t first = 0, run = 0; first < size && !expected; ++first) {
                run = used[first] ? 0 : run + 1;
                if (run == count) {
                    expected = first + 1 - count;
                }
            }
            const auto got = regions.allocate(count);
            ASSERT_EQ(got, expected) << "step " << step;
            if (got) {
                std::fill_n(used.begin() + *got, count, true);
                held.emplace_back(*got, count);
            }
        } else if (!held.empty()) {
            std::swap(held[random.below(held.size())], held.back());
            const auto [first, count] = held.back();
            held.pop_back();
            ASSERT_TRUE(regions.release(first, count));
            ASSERT_FALSE(regions.release(first, count));
            std::fill_n(used.begin() + first, count, false);
        }
        ASSERT_EQ(regions.free_count(), std::count(used.begin(), used.end(), false));
    }
    for (const auto& [first, count] : held) {
        ASSERT_TRUE(regions.release(first, count));
    }
    EXPECT_EQ(regions.free_ranges(), 1U);
}

TEST(region_allocator, hands_out_nothing_behind_the_limit) {
    region_allocator regions(10);
    EXPECT_EQ(regions.allocate(4, 4), 0U);
    EXPECT_EQ(regions.allocate(1, 4), std::nullopt);
    EXPECT_EQ(regions.allocate(3, 7), 4U);
    ASSERT_TRUE(regions.release(0, 4));
    EXPECT_EQ(regions.allocate(5, 10), std::nullopt);
    EXPECT_EQ(regions.allocate(4, 4), 0U);
}

}  // namespace
}  // namespace heddle
