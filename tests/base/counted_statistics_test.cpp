// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/base/counted_statistics.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

struct cache_counts {
    std::uint64_t hits = 0, misses = 0;

    static constexpr std::uint64_t cache_counts::*fields[] = {&cache_counts::hits,
                                                              &cache_counts::misses};
    [[nodiscard]] std::uint64_t accesses() const { return hits + misses; }
};

constexpr counted_statistic<cache_counts> sample[] = {
    {{"hits", "access", "Hits"}, nullptr, count_of<&cache_counts::hits>},
    {{"misses", "access", "Misses"}, "cache_misses", count_of<&cache_counts::misses>},
    {{"rate", "", "Misses / accesses"},
     "cache_miss_rate",
     count_of<&cache_counts::misses>,
     count_of<&cache_counts::accesses>},
};

/// Of two caches and of the machine.
statistics collected(const cache_counts& first, const cache_counts& second) {
    statistics all;
    cache_counts sum;
    declare_machine(all, sample);
    std::string scope = "cache.0";
    for (const cache_counts& each : {first, second}) {
        declare_counted(all, scope, sample);
        set_counted(all, scope, sample, each);
        add_counts(sum, each);
        ++scope.back();
    }
    set_machine(all, sample, sum);
    return all;
}

TEST(counted_statistics, counts_of_blocks_become_sums_and_ratios_of_sums) {
    const statistics all = collected({1, 3}, {6, 0});
    const auto count = [&](const char* name) {
        return std::get<std::uint64_t>(all.find(name)->value);
    };
    const auto ratio = [&](const char* name) { return std::get<double>(all.find(name)->value); };
    EXPECT_EQ(count("cache.0.hits"), 1U);
    EXPECT_EQ(count("cache.1.hits"), 6U);
    EXPECT_EQ(count("gpu.cache_misses"), 3U);
    EXPECT_EQ(ratio("cache.0.rate"), 0.75);
    EXPECT_EQ(ratio("cache.1.rate"), 0.0);
    EXPECT_EQ(ratio("gpu.cache_miss_rate"), 0.3) << "not the mean of the ratios";
    EXPECT_EQ(all.find("gpu.hits"), nullptr) << "the machine does not show it";
    EXPECT_EQ(all.find("gpu.cache_miss_rate")->description, "Misses / accesses");
}

TEST(counted_statistics, a_ratio_over_nothing_is_unset) {
    const statistics all = collected({}, {0, 2});
    EXPECT_TRUE(std::holds_alternative<std::monostate>(all.find("cache.0.rate")->value));
    EXPECT_EQ(std::get<double>(all.find("gpu.cache_miss_rate")->value), 1.0);
}

TEST(counted_statistics, counts_of_an_interval_are_a_difference) {
    cache_counts now{5, 9};
    subtract_counts(now, {2, 4});
    EXPECT_EQ(now.hits, 3U);
    EXPECT_EQ(now.misses, 5U);
}

}  // namespace
}  // namespace heddle
