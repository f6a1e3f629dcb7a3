// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "hw/smx/l1/l1_data_cache.h"
#include "models/base/configuration.h"
#include "models/base/error.h"

namespace heddle {
namespace {

using outcome = l1_data_cache::outcome;

class data_cache : public testing::Test {
protected:
    static l1_data_cache_configuration small() {
        l1_data_cache_configuration c;
        c.size = 512;
        c.ways = 4;
        c.mshrs = 4;
        c.mshr_targets = 2;
        return c;
    }
    /// Loads and fills at once.
    void bring(std::uint32_t line) {
        const auto got = cache.load_global(line, word, 8);
        ASSERT_EQ(got.what, outcome::missed);
        cache.fill(got.miss, bytes.data());
    }
    outcome probe(std::uint32_t line) { return cache.load_global(line, word, 0).what; }

    l1_data_cache cache{small()};
    byte_mask word = byte_mask::bytes(0, 4);
    std::vector<std::uint8_t> bytes = std::vector<std::uint8_t>(128, 1);
};

TEST_F(data_cache, least_recently_used_goes_first) {
    for (std::uint32_t i = 0; i < 4; ++i) bring(i * 128);
    EXPECT_EQ(probe(0), outcome::hit);  // now line 1 is the oldest
    bring(4 * 128);
    EXPECT_EQ(probe(0), outcome::hit);
    EXPECT_EQ(probe(128), outcome::failed);
    EXPECT_EQ(probe(2 * 128), outcome::hit);
    EXPECT_EQ(cache.counters().evictions, 1u);
    EXPECT_EQ(cache.counters().write_backs, 0u) << "global lines are never dirty";
}

TEST_F(data_cache, a_private_store_to_a_line_that_is_here_uses_it) {
    const auto store = [&](std::uint32_t line) {
        return cache.store_private(line, word, bytes.data(), 1, {}).what;
    };
    for (const std::uint32_t line : {0, 1, 2, 3, 0}) EXPECT_EQ(store(line * 128), outcome::hit);
    EXPECT_EQ(cache.counters().evictions, 0u);
    EXPECT_EQ(store(4 * 128), outcome::hit);
    ASSERT_NE(cache.evicted(), nullptr);
    EXPECT_EQ(cache.evicted()->address, 128u) << "line 0 has been stored to since";
}

TEST_F(data_cache, a_miss_merges_up_to_its_targets) {
    const auto miss = cache.load_global(0, word, 8);
    const auto joined = cache.load_global(0, word, 0);
    EXPECT_EQ(joined.what, outcome::pending);
    EXPECT_EQ(joined.miss, miss.miss);
    const auto refused = cache.load_global(0, word, 8);
    EXPECT_EQ(refused.what, outcome::failed);
    EXPECT_EQ(refused.cause, reservation_fail::mshr_merge_full);
    EXPECT_EQ(cache.counters().mshr_merges, 1u);
    EXPECT_EQ(cache.counters().misses, 1u);
}

TEST_F(data_cache, the_causes_of_failure_in_their_order) {
    for (std::uint32_t i = 0; i < 3; ++i) (void)cache.load_global(i * 128, word, 8);
    EXPECT_EQ(cache.load_global(0x1000, word, 0).cause, reservation_fail::miss_queue_full);
    (void)cache.load_global(3 * 128, word, 8);
    EXPECT_EQ(cache.load_global(0x1000, word, 8).cause, reservation_fail::mshr_full);
    const auto store = cache.store_private(0x1000, word, bytes.data(), 8, {});
    EXPECT_EQ(store.what, outcome::failed);
    EXPECT_EQ(store.cause, reservation_fail::line_reserved) << "all four wait for fills";
}

TEST_F(data_cache, replacing_a_dirty_line_needs_room_for_two) {
    for (std::uint32_t i = 0; i < 4; ++i) {
        (void)cache.store_private(i * 128, word, bytes.data(), 0,
                                  {access_owner(i), warp_slot(7 - i)});
    }
    EXPECT_EQ(cache.load_global(0x1000, word, 1).cause, reservation_fail::miss_queue_full);
    EXPECT_EQ(cache.evicted(), nullptr);
    EXPECT_EQ(cache.load_global(0x1000, word, 2).what, outcome::missed);
    ASSERT_NE(cache.evicted(), nullptr);
    EXPECT_EQ(cache.evicted()->address, 0u);
    EXPECT_EQ(cache.evicted()->by.owner, access_owner(0));
    EXPECT_EQ(cache.evicted()->by.warp, warp_slot(7));
    EXPECT_TRUE(cache.evicted()->dirty == word);
    EXPECT_EQ(cache.evicted()->data[3], 1);
    const auto store = cache.store_private(0x2000, word, bytes.data(), 0, {});
    EXPECT_EQ(store.cause, reservation_fail::miss_queue_full);
}

TEST_F(data_cache, a_closed_miss_delivers_but_does_not_install) {
    const auto first = cache.load_global(0, word, 8);
    cache.store_global(0, word, bytes.data());
    const auto second = cache.load_global(0, word, 8);
    EXPECT_EQ(second.what, outcome::missed);
    EXPECT_NE(second.miss, first.miss);
    EXPECT_EQ(cache.fill(first.miss, bytes.data()), bytes.data());
    EXPECT_EQ(probe(0), outcome::pending);
    std::vector<std::uint8_t> newer(128, 9);
    EXPECT_EQ(cache.fill(second.miss, newer.data())[0], 9);
    EXPECT_EQ(cache.load_global(0, word, 8).data[0], 9);
    EXPECT_EQ(cache.misses_pending(), 0u);
}

TEST_F(data_cache, private_lines_of_a_range_are_discarded_and_no_other) {
    for (std::uint32_t i = 0; i < 4; ++i) {
        (void)cache.store_private(i * 128, word, bytes.data(), 1, {});
    }
    cache.discard_private(128, 3 * 128);
    EXPECT_EQ(cache.counters().lines_discarded, 2u);
    std::size_t from = 0;
    const auto dirty = [&](std::uint64_t low, std::uint64_t high) {
        from = 0;
        std::vector<std::uint32_t> lines;
        while (const auto line = cache.dirty_private(low, high, from)) lines.push_back(*line);
        std::sort(lines.begin(), lines.end());
        return lines;
    };
    EXPECT_EQ(dirty(0, 512), (std::vector<std::uint32_t>{0, 3 * 128}));
    EXPECT_EQ(dirty(0, 3 * 128), std::vector<std::uint32_t>{0}) << "the end is not in the range";
    EXPECT_EQ(dirty(1, 512), std::vector<std::uint32_t>{3 * 128});
}

/// Stacks lie at power-of-two distances: the set hash has to spread them.
TEST(data_cache_sets, power_of_two_strides_spread) {
    l1_data_cache_configuration c;  // 32 sets of 4
    for (const std::uint32_t stride : {128u, 4096u, 65536u, 262144u}) {
        l1_data_cache cache(c);
        const byte_mask word = byte_mask::bytes(0, 4);
        const std::uint8_t data[128] = {};
        for (std::uint32_t i = 0; i < 32; ++i) {
            (void)cache.store_private(0xf0000000 + i * stride, word, data, 9, {});
        }
        EXPECT_EQ(cache.counters().evictions, 0u) << stride;
    }
}

TEST(data_cache_configuration, geometry_is_checked) {
    l1_data_cache_configuration c;
    parameter_list list(c);
    list.assign_text("size", "0", "test", "test");
    EXPECT_NO_THROW(list.check_rules());
    list.assign_text("size", "49152", "test", "test");
    EXPECT_THROW(list.check_rules(), configuration_error) << "96 sets";
    list.assign_text("ways", "6", "test", "test");
    EXPECT_NO_THROW(list.check_rules());
    list.assign_text("size", "100", "test", "test");
    EXPECT_THROW(list.check_rules(), configuration_error);
}

}  // namespace
}  // namespace heddle
