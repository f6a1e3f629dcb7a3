// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/base/random.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <set>
#include <string>
#include <vector>

namespace heddle {
namespace {

std::vector<std::uint64_t> first_numbers(std::uint64_t seed, const std::string& name, int count) {
    random_stream stream(seed, name);
    std::vector<std::uint64_t> result;
    for (int i = 0; i < count; ++i) result.push_back(stream.next());
    return result;
}

/// Chi-square of observed counts against equal expectation.
template <class Counts>
double chi_square(const Counts& counts, double expected) {
    double sum = 0;
    for (const auto count : counts) sum += std::pow(static_cast<double>(count) - expected, 2);
    return sum / expected;
}

TEST(stable_hash, is_fnv_1a) {
    static_assert(stable_hash("") == 0xcbf29ce484222325U);
    static_assert(stable_hash("a") == 0xaf63dc4c8601ec8cU);
    static_assert(stable_hash("foobar") == 0x85944171f73967e8U);
}

TEST(random_stream, depends_on_seed_and_name_only) {
    EXPECT_EQ(first_numbers(1, "gpu.smx0", 100), first_numbers(1, "gpu.smx0", 100));
    EXPECT_NE(first_numbers(1, "gpu.smx0", 100), first_numbers(2, "gpu.smx0", 100));
    EXPECT_NE(first_numbers(1, "gpu.smx0", 100), first_numbers(1, "gpu.smx1", 100));
}

TEST(random_stream, gives_the_same_numbers_in_every_version_and_on_every_host) {
    EXPECT_EQ(first_numbers(42, "gpu.kmu", 3),
              (std::vector<std::uint64_t>{0xe5732080c04a5bdcU, 0xfc8e4a61903ea667U,
                                          0x05c6ff71d777a468U}));
}

TEST(random_stream, streams_of_many_modules_and_seeds_are_independent) {
    std::set<std::uint64_t> seen;
    std::array<int, 64> agreeing_bits{};
    constexpr int names = 64;
    constexpr int seeds = 32;
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        for (int module = 0; module < names; ++module) {
            const std::string name = "gpu.smx" + std::to_string(module);
            const std::string next_name = "gpu.smx" + std::to_string(module + 1);
            const auto mine = first_numbers(seed, name, 4);
            seen.insert(mine.begin(), mine.end());
            const std::uint64_t same_as_next_module =
                ~(mine[0] ^ first_numbers(seed, next_name, 1)[0]);
            for (unsigned bit = 0; bit < 64; ++bit) {
                agreeing_bits[bit] += static_cast<int>((same_as_next_module >> bit) & 1);
            }
        }
    }
    EXPECT_EQ(seen.size(), 4U * names * seeds) << "two streams share a number";
    // Each bit of neighbouring streams agrees half the time: 1024 of 2048, sigma 22.6.
    for (const int agreeing : agreeing_bits) EXPECT_NEAR(agreeing, names * seeds / 2, 5 * 22.7);
}

TEST(random_stream, below_is_unbiased_and_in_range) {
    random_stream stream(7, "below");
    for (const std::uint64_t n : {1U, 2U, 3U, 7U, 10U, 33U}) {
        std::vector<int> counts(n);
        const int draws = 1000 * static_cast<int>(n);
        for (int i = 0; i < draws; ++i) {
            const std::uint64_t value = stream.below(n);
            ASSERT_LT(value, n);
            ++counts[value];
        }
        // Mean n - 1, standard deviation sqrt(2 (n - 1)): five of them above.
        const double freedom = static_cast<double>(n) - 1;
        EXPECT_LE(chi_square(counts, 1000), freedom + 5 * std::sqrt(2 * freedom)) << n;
    }
}

TEST(random_stream, below_is_unbiased_where_the_simple_ways_are_not) {
    // For n = 3 * 2^62, next() % n would fall below 2^62 half of the time instead of a third, and
    // next() * n >> 64 would be a multiple of 3 half of the time.
    random_stream stream(7, "below large");
    constexpr std::uint64_t third = std::uint64_t{1} << 62;
    std::array<int, 3> by_size{};
    std::array<int, 3> by_remainder{};
    for (int i = 0; i < 30000; ++i) {
        const std::uint64_t value = stream.below(3 * third);
        ++by_size.at(value / third);
        ++by_remainder.at(value % 3);
    }
    EXPECT_LT(chi_square(by_size, 10000), 2 + 5 * 2.0);
    EXPECT_LT(chi_square(by_remainder, 10000), 2 + 5 * 2.0);
}

TEST(random_stream, below_zero_and_one_are_zero) {
    random_stream stream(1, "x");
    EXPECT_EQ(stream.below(0), 0U);
    EXPECT_EQ(stream.below(1), 0U);
}

TEST(random_stream, uniform_fills_the_unit_interval) {
    random_stream stream(3, "uniform");
    std::array<int, 16> counts{};
    for (int i = 0; i < 16000; ++i) {
        const double value = stream.uniform();
        ASSERT_GE(value, 0.0);
        ASSERT_LT(value, 1.0);
        ++counts.at(static_cast<std::size_t>(value * 16));
    }
    EXPECT_LT(chi_square(counts, 1000), 15 + 5 * std::sqrt(30.0));
}

TEST(random_stream, chance_is_exact_at_both_ends) {
    random_stream stream(5, "chance");
    int hits = 0;
    for (int i = 0; i < 10000; ++i) {
        EXPECT_FALSE(stream.chance(0));
        EXPECT_TRUE(stream.chance(1));
        hits += stream.chance(0.25) ? 1 : 0;
    }
    EXPECT_NEAR(hits, 2500, 5 * 43.4);
}

/// A step of the register is linear over GF(2): 32 columns, column i = image of bit i.
using matrix = std::array<std::uint32_t, 32>;

std::uint32_t times(const matrix& m, std::uint32_t vector) {
    std::uint32_t result = 0;
    for (unsigned i = 0; i < 32; ++i) {
        if (((vector >> i) & 1) != 0) result ^= m[i];
    }
    return result;
}

matrix power_of_step(std::uint64_t exponent) {
    matrix result{};
    matrix square{};
    for (unsigned i = 0; i < 32; ++i) {
        result[i] = 1U << i;
        square[i] = lfsr32(std::uint32_t{1} << i).step();
    }
    for (; exponent != 0; exponent >>= 1) {
        matrix next = square;
        if ((exponent & 1) != 0) {
            for (auto& column : result) column = times(square, column);
        }
        for (auto& column : next) column = times(square, column);
        square = next;
    }
    return result;
}

TEST(lfsr32, has_the_full_period) {
    const matrix identity = power_of_step(0);
    constexpr std::uint64_t period = 0xffffffffU;
    EXPECT_EQ(power_of_step(period), identity);
    // No proper divisor of the period is one: the prime factors are all Fermat primes.
    for (const std::uint64_t prime : {3U, 5U, 17U, 257U, 65537U}) {
        EXPECT_NE(power_of_step(period / prime), identity) << prime;
    }
}

TEST(lfsr32, steps_as_the_matrix_does) {
    lfsr32 shift(12345);
    for (int i = 0; i < 1000; ++i) shift.step();
    EXPECT_EQ(shift.value(), times(power_of_step(1000), 12345));
}

TEST(lfsr32, never_starts_in_the_state_that_stays) {
    lfsr32 shift(0);
    EXPECT_EQ(shift.value(), 1U);
    EXPECT_EQ(shift.step(), lfsr32::polynomial);
}

TEST(lfsr32, is_seeded_from_run_and_path) {
    EXPECT_EQ(lfsr32(1, "slot.a").value(), lfsr32(1, "slot.a").value());
    EXPECT_NE(lfsr32(1, "slot.a").value(), lfsr32(1, "slot.b").value());
    EXPECT_NE(lfsr32(1, "slot.a").value(), lfsr32(2, "slot.a").value());
}

}  // namespace
}  // namespace heddle
