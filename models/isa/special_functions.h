// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cmath>
#include <cstdint>

#include "models/isa/float_bits.h"

/// Special functions of custom-0 group 1, one lane, binary32 bit patterns in and out.
///
/// Host-independent: only IEEE additions, multiplications, divisions and square roots, no library
/// call. Evaluated in binary64 (rcp, rsq in binary32), rounded once to binary32; NaN results are
/// canonical. Largest error in units in the last place of the result, subnormals included:
///   rcp 0.5, rsq 1.5, ex2 0.51, lg2 0.51, sin and cos 0.51 for |x| <= 2^20.
/// sin and cos lose accuracy beyond 2^20, stay within [-1, 1] there, give 0 and 1 beyond 2^40, and
/// NaN for infinities.
namespace heddle::isa::operation {

/// Adding 1.5 * 2^52 rounds a double below 2^51 to an integer, which the low bits then hold.
inline constexpr double integer_shifter = 6755399441055744.0;

struct reciprocal {
    HEDDLE_LANE_OPERATION std::uint32_t of(std::uint32_t x) {
        return canonical(1.0f / to_float(x));
    }
};

struct reciprocal_square_root {
    HEDDLE_LANE_OPERATION std::uint32_t of(std::uint32_t x) {
        return canonical(1.0f / std::sqrt(to_float(x)));
    }
};

struct exponential2 {
    HEDDLE_LANE_OPERATION std::uint32_t of(std::uint32_t x) {
        // (1) x = n + f with |f| <= 1/2; beyond the clamp the result is 0 or infinity anyway.
        double a = to_float(x);
        a = a < -200.0 ? -200.0 : a;
        a = a > 200.0 ? 200.0 : a;
        const double shifted = a + integer_shifter;
        const double t = (a - (shifted - integer_shifter)) * 0.69314718055994531;
        // (2) e^t by its Taylor series, |t| < 0.347: the first term left out is 7e-12.
        double p = 1.0 / 362880;
        p = p * t + 1.0 / 40320;
        p = p * t + 1.0 / 5040;
        p = p * t + 1.0 / 720;
        p = p * t + 1.0 / 120;
        p = p * t + 1.0 / 24;
        p = p * t + 1.0 / 6;
        p = p * t + 0.5;
        p = p * t + 1.0;
        p = p * t + 1.0;
        // (3) 2^n into the exponent field; the conversion handles overflow and subnormals.
        const double scale = to_double((to_bits(shifted) + 1023) << 52);
        return canonical(static_cast<float>(p * scale));
    }
};

struct logarithm2 {
    HEDDLE_LANE_OPERATION std::uint32_t of(std::uint32_t x) {
        const float a = to_float(x);
        // (1) x = m * 2^e with m in [sqrt(1/2), sqrt(2)); a double has no subnormal floats.
        constexpr std::uint64_t half_root = 0x3fe6a09e00000000;  // below sqrt(1/2)
        const std::uint64_t offset = to_bits(static_cast<double>(a)) - half_root;
        const std::uint64_t exponent_bits = (offset + (std::uint64_t{1} << 62)) >> 52;
        const std::uint64_t mantissa = offset & 0x000fffffffffffff;
        const double m = to_double(mantissa + half_root);
        // 2^52 + k as a double holds the integer k in its low bits.
        const double e =
            to_double(exponent_bits | 0x4330000000000000) - (4503599627370496.0 + 1024);
        // (2) log2(m) = 2 / ln 2 * atanh(t), t = (m - 1) / (m + 1), |t| < 0.172.
        const double t = (m - 1.0) / (m + 1.0);
        const double s = t * t;
        double p = 1.0 / 15;
        p = p * s + 1.0 / 13;
        p = p * s + 1.0 / 11;
        p = p * s + 1.0 / 9;
        p = p * s + 1.0 / 7;
        p = p * s + 1.0 / 5;
        p = p * s + 1.0 / 3;
        p = p * s + 1.0;
        const double value = e + 2.8853900817779268 * (t * p);
        // (3) zeros, infinity, negative numbers and NaN.
        std::uint32_t result = to_bits(static_cast<float>(value));
        result = x == float_infinity ? float_infinity : result;
        result = a == 0 ? float_infinity | float_sign : result;
        return a >= 0 ? result : canonical_nan;
    }
};

/// sin(x) for Shift = 0, cos(x) for Shift = 1: cos(x) is sin one quadrant further.
template <unsigned Shift>
struct sine {
    HEDDLE_LANE_OPERATION std::uint32_t of(std::uint32_t x) {
        const float magnitude = to_float(x & ~float_sign);
        const double a = magnitude > 1099511627776.0f ? 0.0 : to_float(x);
        // (1) a = n * pi/2 + r, pi/2 in three parts of which the first two have 33 bits, so that
        // their products with n < 2^20 are exact (Cody and Waite's reduction).
        const double shifted = a * 0.63661977236758134 + integer_shifter;
        const double n = shifted - integer_shifter;
        double r = a - n * 1.57079632673412561417e+00;
        r = r - n * 6.07710050630396597660e-11;
        r = r - n * 2.02226624879595063154e-21;
        const std::uint64_t quadrant = to_bits(shifted) + Shift;
        // (2) Taylor series of both, |r| <= pi/4: the first terms left out are 2e-14 and 1e-15.
        const double s = r * r;
        double sin_r = 1.0 / 6227020800.0;
        sin_r = sin_r * s - 1.0 / 39916800;
        sin_r = sin_r * s + 1.0 / 362880;
        sin_r = sin_r * s - 1.0 / 5040;
        sin_r = sin_r * s + 1.0 / 120;
        sin_r = sin_r * s - 1.0 / 6;
        sin_r = r * (sin_r * s + 1.0);
        double cos_r = -1.0 / 87178291200.0;
        cos_r = cos_r * s + 1.0 / 479001600;
        cos_r = cos_r * s - 1.0 / 3628800;
        cos_r = cos_r * s + 1.0 / 40320;
        cos_r = cos_r * s - 1.0 / 720;
        cos_r = cos_r * s + 1.0 / 24;
        cos_r = cos_r * s - 0.5;
        cos_r = cos_r * s + 1.0;
        // (3) the quadrant chooses the series (bit 0) and the sign (bit 1).
        double value = (quadrant & 1) != 0 ? cos_r : sin_r;
        value = value < -1.0 ? -1.0 : value;
        value = value > 1.0 ? 1.0 : value;
        const std::uint32_t result =
            to_bits(static_cast<float>(value)) ^ (static_cast<std::uint32_t>(quadrant & 2) << 30);
        return magnitude < to_float(float_infinity) ? result : canonical_nan;
    }
};

}  // namespace heddle::isa::operation
