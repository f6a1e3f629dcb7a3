// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Special functions against the host's binary64 library: the errors that the header promises.
#include "models/isa/special_functions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace heddle::isa::test {
namespace {

/// Error of `bits` in units in the last place of the exact result.
double error_in_ulps(std::uint32_t bits, double exact) {
    int exponent = 0;
    std::frexp(exact, &exponent);
    const double ulp = std::ldexp(1.0, std::max(exponent - 24, -149));
    if (std::fabs(exact) >= std::ldexp(1.0 - std::ldexp(1.0, -25), 128)) {
        return to_float(bits) == std::copysign(HUGE_VALF, static_cast<float>(exact)) ? 0 : 1e9;
    }
    return std::fabs(to_float(bits) - exact) / ulp;
}

/// Largest error over floats spread evenly over all bit patterns with |x| <= limit.
template <class Function, class Exact>
double largest_error(Exact exact, float limit, std::uint32_t stride = 1021) {
    double largest = 0;
    for (std::uint64_t bits = 0; bits <= 0xffffffff; bits += stride) {
        const float x = to_float(static_cast<std::uint32_t>(bits));
        if (!(std::fabs(x) <= limit)) continue;
        const double value = exact(static_cast<double>(x));
        if (std::isnan(value) || std::isinf(value)) continue;
        largest =
            std::max(largest, error_in_ulps(Function::of(static_cast<std::uint32_t>(bits)), value));
    }
    return largest;
}

constexpr float everything = std::numeric_limits<float>::max();

using operation::exponential2;
using operation::logarithm2;
using operation::reciprocal;
using operation::reciprocal_square_root;
using sine = operation::sine<0>;
using cosine = operation::sine<1>;

TEST(special_functions, stay_within_their_stated_errors) {
    EXPECT_LE(largest_error<reciprocal>([](double x) { return 1 / x; }, everything), 0.5001);
    EXPECT_LE(largest_error<reciprocal_square_root>([](double x) { return 1 / std::sqrt(x); },
                                                    everything),
              1.5);
    EXPECT_LE(largest_error<exponential2>([](double x) { return std::exp2(x); }, everything), 0.51);
    EXPECT_LE(largest_error<logarithm2>([](double x) { return std::log2(x); }, everything), 0.51);
    EXPECT_LE(largest_error<sine>([](double x) { return std::sin(x); }, 1048576.0f), 0.51);
    EXPECT_LE(largest_error<cosine>([](double x) { return std::cos(x); }, 1048576.0f), 0.51);
}

// Where the results are delicate: near 1 for the logarithm, near multiples of pi/2 for sine.
TEST(special_functions, stay_within_their_stated_errors_at_delicate_arguments) {
    for (std::uint32_t k = 0; k < 40'000; ++k) {
        const std::uint32_t bits = 0x3f800000 - 20'000 + k;
        ASSERT_LE(error_in_ulps(logarithm2::of(bits), std::log2(double{to_float(bits)})), 0.51)
            << bits;
    }
    for (unsigned n = 1; n < 600'000; n += 7) {
        const auto nearest = static_cast<float>(n * 1.5707963267948966);
        for (int step = -1; step <= 1; ++step) {
            const std::uint32_t bits = to_bits(nearest) + static_cast<std::uint32_t>(step);
            const double x = to_float(bits);
            ASSERT_LE(error_in_ulps(sine::of(bits), std::sin(x)), 0.51) << x;
            ASSERT_LE(error_in_ulps(cosine::of(bits), std::cos(x)), 0.51) << x;
        }
    }
}

TEST(special_functions, give_the_specified_results_for_special_values) {
    constexpr std::uint32_t plus_zero = 0;
    constexpr std::uint32_t minus_zero = 0x80000000;
    constexpr std::uint32_t one = 0x3f800000;
    constexpr std::uint32_t plus_infinity = 0x7f800000;
    constexpr std::uint32_t minus_infinity = 0xff800000;
    constexpr std::uint32_t nan = canonical_nan;
    EXPECT_EQ(reciprocal::of(plus_zero), plus_infinity);
    EXPECT_EQ(reciprocal::of(minus_zero), minus_infinity);
    EXPECT_EQ(reciprocal::of(minus_infinity), minus_zero);
    EXPECT_EQ(reciprocal_square_root::of(plus_zero), plus_infinity);
    EXPECT_EQ(reciprocal_square_root::of(plus_infinity), plus_zero);
    EXPECT_EQ(reciprocal_square_root::of(0xbf800000), nan);
    EXPECT_EQ(exponential2::of(plus_zero), one);
    EXPECT_EQ(exponential2::of(minus_zero), one);
    EXPECT_EQ(exponential2::of(minus_infinity), plus_zero);
    EXPECT_EQ(exponential2::of(plus_infinity), plus_infinity);
    EXPECT_EQ(exponential2::of(0x43000000), plus_infinity);  // 128
    EXPECT_EQ(exponential2::of(0xc3150000), 1u);             // -149: the smallest subnormal
    EXPECT_EQ(logarithm2::of(plus_zero), minus_infinity);
    EXPECT_EQ(logarithm2::of(minus_zero), minus_infinity);
    EXPECT_EQ(logarithm2::of(one), plus_zero);
    EXPECT_EQ(logarithm2::of(1), 0xc3150000u);
    EXPECT_EQ(logarithm2::of(plus_infinity), plus_infinity);
    EXPECT_EQ(logarithm2::of(0xbf800000), nan);
    EXPECT_EQ(logarithm2::of(minus_infinity), nan);
    EXPECT_EQ(sine::of(plus_zero), plus_zero);
    EXPECT_EQ(sine::of(minus_zero), minus_zero);
    EXPECT_EQ(cosine::of(minus_zero), one);
    for (const std::uint32_t bits : {plus_infinity, minus_infinity, 0x7f800001u, 0xffffffffu}) {
        EXPECT_EQ(sine::of(bits), nan);
        EXPECT_EQ(cosine::of(bits), nan);
    }
    for (const std::uint32_t bits : {0x7f800001u, 0xffc12345u}) {
        EXPECT_EQ(reciprocal::of(bits), nan);
        EXPECT_EQ(reciprocal_square_root::of(bits), nan);
        EXPECT_EQ(exponential2::of(bits), nan);
        EXPECT_EQ(logarithm2::of(bits), nan);
    }
}

TEST(special_functions, sine_stays_bounded_beyond_its_accurate_domain) {
    for (std::uint64_t bits = 0x49800000; bits < 0x7f800000; bits += 997) {
        const auto word = static_cast<std::uint32_t>(bits);
        ASSERT_LE(std::fabs(to_float(sine::of(word))), 1.0f);
        ASSERT_LE(std::fabs(to_float(cosine::of(word))), 1.0f);
    }
    EXPECT_EQ(sine::of(0x7f000000), 0u);
    EXPECT_EQ(cosine::of(0x7f000000), 0x3f800000u);
}

}  // namespace
}  // namespace heddle::isa::test
