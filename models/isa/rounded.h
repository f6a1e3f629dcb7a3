// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cmath>
#include <cstdint>

#include "models/isa/float_bits.h"
#include "models/isa/instruction.h"

/// Binary32 arithmetic in any rounding mode, one lane at a time, without touching the host's
/// rounding mode: the operation is evaluated in binary64 rounded *to odd* (the last bit is set if
/// the result is inexact), which keeps enough information to round once more, to binary32, in any
/// mode. (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums: proved algorithms
/// using rounding to odd", IEEE Trans. Computers 57(4), 2008.) RMM has no host counterpart at all.
/// Results are canonical: one NaN, 0x7fc00000.
namespace heddle::isa::rounded {

/// `nearest`, the RNE result, turned into the round-to-odd one. `error` has the sign of the exact
/// result minus `nearest`, 0 if exact.
inline double to_odd(double nearest, double error) noexcept {
    if (error == 0 || !std::isfinite(nearest)) return nearest;
    const std::uint64_t bits = to_bits(nearest);
    if ((bits & 1) != 0) return nearest;
    const bool away_from_zero = (error > 0) == (nearest > 0);
    return to_double(away_from_zero ? bits + 1 : bits - 1);
}

/// A round-to-odd (or exact) double to binary32. Source: IEEE 754-2019, section 4.3.
inline std::uint32_t to_binary32(double value, unsigned rm) noexcept {
    const auto nearest = static_cast<float>(value);
    if (rm == rounding::nearest_even || std::isinf(value) || value != value) {
        return canonical(nearest);
    }
    const bool negative = std::signbit(value);
    const double magnitude = std::fabs(value);
    std::uint32_t below = to_bits(nearest) & ~float_sign;
    if (static_cast<double>(std::fabs(nearest)) > magnitude) --below;
    const double below_value = to_float(below);
    bool away = false;  // from zero, to the next larger magnitude
    if (below_value != magnitude) {
        switch (rm) {
            case rounding::down:
                away = negative;
                break;
            case rounding::up:
                away = !negative;
                break;
            case rounding::nearest_max_magnitude:
                // At the upper end the neighbour is 2^128, which binary32 encodes as infinity.
                away = below + 1 == float_infinity
                           ? std::isinf(nearest)
                           : to_float(below + 1) - magnitude <= magnitude - below_value;
                break;
            default:
                break;
        }
    }
    return (below + (away ? 1 : 0)) | (negative ? float_sign : 0);
}

/// a + b of doubles that hold floats, or the exact product of two. An exact zero sum is +0, and -0
/// in RDN unless both are +0 (IEEE 754-2019, section 6.3).
inline std::uint32_t sum(double a, double b, unsigned rm) noexcept {
    const double nearest = a + b;
    if (nearest == 0 && rm == rounding::down) {
        return std::signbit(a) || std::signbit(b) ? float_sign : 0;
    }
    // Knuth's two-sum: the error of a double addition, exactly.
    const double b_part = nearest - a;
    const double a_part = nearest - b_part;
    const double error = (a - a_part) + (b - b_part);
    return to_binary32(to_odd(nearest, error), rm);
}

inline std::uint32_t add(float a, float b, unsigned rm) noexcept {
    return sum(a, b, rm);
}
inline std::uint32_t subtract(float a, float b, unsigned rm) noexcept {
    return sum(a, -b, rm);
}

/// The product of two floats is exact in a double.
inline std::uint32_t multiply(float a, float b, unsigned rm) noexcept {
    return to_binary32(static_cast<double>(a) * b, rm);
}

/// a * b + c, rounded once.
inline std::uint32_t multiply_add(float a, float b, float c, unsigned rm) noexcept {
    return sum(static_cast<double>(a) * b, c, rm);
}

/// A quotient of floats that is neither a float nor halfway between two is relatively at least
/// 2^-49 away from any such number, and a root 2^-51: rounding to a double first changes nothing.
inline std::uint32_t divide(float a, float b, unsigned rm) noexcept {
    return to_binary32(static_cast<double>(a) / b, rm);
}

inline std::uint32_t square_root(float a, unsigned rm) noexcept {
    return to_binary32(std::sqrt(static_cast<double>(a)), rm);
}

/// A float rounded to an integral value; 0.5 and its like as the mode says.
inline double integral(float a, unsigned rm) noexcept {
    const double truncated = std::trunc(static_cast<double>(a));
    const double rest = std::fabs(a - truncated);
    const bool odd = std::fmod(truncated, 2.0) != 0;
    bool away = false;
    switch (rm) {
        case rounding::toward_zero:
            break;
        case rounding::down:
            away = rest != 0 && a < 0;
            break;
        case rounding::up:
            away = rest != 0 && a > 0;
            break;
        case rounding::nearest_max_magnitude:
            away = rest >= 0.5;
            break;
        default:
            away = rest > 0.5 || (rest == 0.5 && odd);
            break;
    }
    return away ? truncated + (a < 0 ? -1.0 : 1.0) : truncated;
}

/// fcvt.w.s: saturating, a NaN gives the largest integer (unprivileged ISA, F extension).
inline std::uint32_t to_signed(float a, unsigned rm) noexcept {
    const double value = integral(a, rm);
    if (!(value < 2147483648.0)) return 0x7fffffff;
    if (value < -2147483648.0) return 0x80000000;
    return static_cast<std::uint32_t>(static_cast<std::int32_t>(value));
}

/// fcvt.wu.s: saturating, a NaN gives the largest integer.
inline std::uint32_t to_unsigned(float a, unsigned rm) noexcept {
    const double value = integral(a, rm);
    if (!(value < 4294967296.0)) return 0xffffffff;
    return value <= 0 ? 0 : static_cast<std::uint32_t>(value);
}

inline std::uint32_t from_signed(std::uint32_t a, unsigned rm) noexcept {
    return to_binary32(static_cast<std::int32_t>(a), rm);
}

inline std::uint32_t from_unsigned(std::uint32_t a, unsigned rm) noexcept {
    return to_binary32(a, rm);
}

}  // namespace heddle::isa::rounded
