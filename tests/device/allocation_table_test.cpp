// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/device/allocation_table.h"

#include <gmock/gmock.h>

#include <limits>
#include <vector>

#include "models/base/error.h"
#include "models/base/random.h"

namespace heddle {
namespace {

using testing::HasSubstr;

constexpr std::uint32_t first = 0x40000000;
constexpr std::uint32_t size = 0x10000;

TEST(allocation_table, first_fit_aligned_and_disjoint) {
    allocation_table table(first, size);
    EXPECT_EQ(table.allocate(1, "a"), first);
    EXPECT_EQ(table.allocate(300, "b"), first + 256);
    EXPECT_EQ(table.allocate(256, "c"), first + 768);
    table.release(first + 256);
    EXPECT_EQ(table.allocate(512, "d"), first + 256);
    EXPECT_EQ(table.allocate(1, "e"), first + 1024);
}

TEST(allocation_table, empty_allocations_have_addresses_of_their_own) {
    allocation_table table(first, size);
    const std::uint32_t a = table.allocate(0, "a");
    const std::uint32_t b = table.allocate(0, "b");
    EXPECT_NE(a, b);
    EXPECT_EQ(table.find(a, 1), nullptr);
}

TEST(allocation_table, find_needs_the_whole_access_in_one_range) {
    allocation_table table(first, size);
    const std::uint32_t a = table.allocate(10, "a");
    EXPECT_NE(table.find(a, 10), nullptr);
    EXPECT_NE(table.find(a + 9, 1), nullptr);
    EXPECT_EQ(table.find(a + 9, 2), nullptr);
    EXPECT_EQ(table.find(a + 10, 1), nullptr);
    EXPECT_EQ(table.find(a - 1, 1), nullptr);
    EXPECT_EQ(table.find(a, std::uint64_t{1} << 33), nullptr);
}

TEST(allocation_table, full_says_what_is_free) {
    allocation_table table(first, size);
    table.allocate(size - 512, "most");
    try {
        table.allocate(513, "more");
        FAIL();
    } catch (const configuration_error& error) {
        EXPECT_THAT(error.what(), HasSubstr("no room for 'more' of 513 bytes"));
        EXPECT_THAT(error.what(), HasSubstr("largest free range has 512 of 65536 bytes"));
    }
    EXPECT_THROW(table.allocate(std::numeric_limits<std::uint64_t>::max(), "x"),
                 configuration_error);
    EXPECT_EQ(table.allocate(512, "fits"), first + size - 512);
}

TEST(allocation_table, release_of_what_was_not_allocated) {
    allocation_table table(first, size);
    const std::uint32_t a = table.allocate(10, "a");
    table.place({0x10000, 100, false, "code", true});
    EXPECT_THROW(table.release(a + 1), configuration_error);
    EXPECT_THROW(table.release(0x10000), configuration_error);
    table.release(a);
    EXPECT_THROW(table.release(a), configuration_error);
}

TEST(allocation_table, nearest_allocation_in_words) {
    allocation_table table(first, size);
    EXPECT_EQ(table.describe_nearest(first), "no allocation exists");
    table.allocate(100, "low");
    const std::uint32_t high = table.allocate(100, "high");
    EXPECT_THAT(table.describe_nearest(first + 112), HasSubstr("12 bytes past 'low' [0x40000000,"));
    EXPECT_THAT(table.describe_nearest(high - 1), HasSubstr("1 byte before 'high'"));
    EXPECT_THAT(table.describe_nearest(high + 99), HasSubstr("99 bytes into 'high'"));
    EXPECT_THAT(table.describe_nearest(first - 4), HasSubstr("4 bytes before 'low'"));
    EXPECT_THAT(table.describe_nearest(0xffffffff), HasSubstr("past 'high'"));
}

/// Random calls against a table of bytes.
TEST(allocation_table, random_calls) {
    allocation_table table(first, size);
    random_stream random(1, "allocation_table_test");
    std::vector<int> owner(size, -1);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> live;  // address, bytes
    for (int round = 0; round < 5000; ++round) {
        if (!live.empty() && random.chance(0.45)) {
            const std::size_t which = random.below(live.size());
            table.release(live[which].first);
            std::fill_n(owner.begin() + (live[which].first - first), live[which].second, -1);
            live.erase(live.begin() + static_cast<std::ptrdiff_t>(which));
            continue;
        }
        const auto bytes = static_cast<std::uint32_t>(1 + random.below(5000));
        try {
            const std::uint32_t at = table.allocate(bytes, "x");
            ASSERT_EQ(at % allocation_table::alignment, 0u);
            ASSERT_LE(at - first + bytes, size);
            for (std::uint32_t i = 0; i < bytes; ++i) {
                ASSERT_EQ(owner[at - first + i], -1) << "handed out twice";
                owner[at - first + i] = round;
            }
            live.emplace_back(at, bytes);
        } catch (const configuration_error&) {
            std::uint32_t run = 0;  // full: no hole may be large enough
            for (std::uint32_t i = 0; i < size; i += allocation_table::alignment) {
                const auto hole = owner.begin() + i;
                const bool free = std::all_of(hole, hole + allocation_table::alignment,
                                              [](int o) { return o == -1; });
                run = free ? run + allocation_table::alignment : 0;
                ASSERT_LT(run, bytes);
            }
        }
    }
}

TEST(allocation_table, overlapping_finds_every_range_that_has_one_of_the_bytes) {
    allocation_table table(0x1000, 0x10000);
    table.place({0x2000, 0x100, true, "a"});
    table.place({0x3000, 0x100, true, "b"});
    const auto name = [&](std::uint32_t address, std::uint64_t bytes) {
        const allocation* const found = table.overlapping(address, bytes);
        return found == nullptr ? std::string("-") : found->name;
    };
    EXPECT_EQ(name(0x1000, 0x1000), "-");
    EXPECT_EQ(name(0x1000, 0x1001), "a");
    EXPECT_EQ(name(0x20ff, 1), "a");
    EXPECT_EQ(name(0x2100, 1), "-");
    EXPECT_EQ(name(0x2100, 0xf00), "-");
    EXPECT_EQ(name(0x2100, 0xf01), "b");
    EXPECT_EQ(name(0x3050, 2), "b");
    EXPECT_EQ(name(0x3100, 0xffffffff), "-");
}

TEST(allocation_table, find_hole_is_the_lowest_with_room) {
    allocation_table table(0, 0xffff0000);
    table.place({0x2000, 0x1100, true, "a"});
    table.place({0x5000, 0x10, true, "b"});
    const auto hole = [&](std::uint32_t first, std::uint32_t size, std::uint32_t bytes) {
        return table.find_hole(first, size, bytes, 0x1000).value_or(0xffffffff);
    };
    EXPECT_EQ(hole(0x1000, 0x9000, 0x1000), 0x1000u);
    EXPECT_EQ(hole(0x1000, 0x9000, 0x1001), 0x6000u) << "0x4000 has not enough";
    EXPECT_EQ(hole(0x2000, 0x9000, 0x1000), 0x4000u) << "aligned behind a";
    EXPECT_EQ(hole(0x2000, 0x9000, 0), 0x4000u) << "not even nothing lies within a range";
    EXPECT_EQ(hole(0x6001, 0x9000, 8), 0x7000u);
    EXPECT_EQ(hole(0x2000, 0x3000, 0x1000), 0x4000u) << "up to the end";
    EXPECT_EQ(hole(0x2000, 0x2fff, 0x1000), 0xffffffffu);
}

}  // namespace
}  // namespace heddle
