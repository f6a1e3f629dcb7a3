// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cmath>
#include <cstdint>

#include "models/isa/float_bits.h"
#include "models/isa/rounded.h"

/// Float operations of one lane on binary32 bit patterns (Zfinx).
/// Source: RISC-V unprivileged ISA, F extension and Zfinx; IEEE 754-2019.
/// Rounded ones have two forms: `nearest`, which the compiler vectorises, and `rounded`, any mode.
namespace heddle::isa::operation {

#define HEDDLE_ROUNDED_BINARY(name, expression, function)                               \
    struct name {                                                                       \
        HEDDLE_LANE_OPERATION std::uint32_t nearest(std::uint32_t x, std::uint32_t y) { \
            const float a = to_float(x);                                                \
            const float b = to_float(y);                                                \
            return canonical(expression);                                               \
        }                                                                               \
        static std::uint32_t rounded(std::uint32_t x, std::uint32_t y, unsigned rm) {   \
            return function(to_float(x), to_float(y), rm);                              \
        }                                                                               \
    };

HEDDLE_ROUNDED_BINARY(float_add, a + b, rounded::add)
HEDDLE_ROUNDED_BINARY(float_subtract, a - b, rounded::subtract)
HEDDLE_ROUNDED_BINARY(float_multiply, a* b, rounded::multiply)
HEDDLE_ROUNDED_BINARY(float_divide, a / b, rounded::divide)
#undef HEDDLE_ROUNDED_BINARY

/// The four of the fmadd family: the product, the addend or both enter with inverted sign.
template <bool InvertProduct, bool InvertAddend>
struct float_multiply_add {
    HEDDLE_LANE_OPERATION std::uint32_t nearest(std::uint32_t x, std::uint32_t y, std::uint32_t z) {
        return canonical(std::fma(to_float(factor(x)), to_float(y), to_float(addend(z))));
    }
    static std::uint32_t rounded(std::uint32_t x, std::uint32_t y, std::uint32_t z, unsigned rm) {
        return rounded::multiply_add(to_float(factor(x)), to_float(y), to_float(addend(z)), rm);
    }

private:
    HEDDLE_LANE_OPERATION std::uint32_t factor(std::uint32_t x) {
        return InvertProduct ? x ^ float_sign : x;
    }
    HEDDLE_LANE_OPERATION std::uint32_t addend(std::uint32_t z) {
        return InvertAddend ? z ^ float_sign : z;
    }
};

struct float_square_root {
    HEDDLE_LANE_OPERATION std::uint32_t nearest(std::uint32_t x) {
        return canonical(std::sqrt(to_float(x)));
    }
    static std::uint32_t rounded(std::uint32_t x, unsigned rm) {
        return rounded::square_root(to_float(x), rm);
    }
};

/// fcvt.w.s. Programs use RTZ above all (C's conversion), so that it has a vector form too.
struct float_to_signed {
    HEDDLE_LANE_OPERATION std::uint32_t truncated(std::uint32_t x) {
        const float a = to_float(x);
        const bool in_range = a >= -2147483648.0f && a < 2147483648.0f;
        const auto result = static_cast<std::uint32_t>(static_cast<std::int32_t>(in_range ? a : 0));
        return in_range ? result : a < 0 ? 0x80000000 : 0x7fffffff;
    }
    HEDDLE_LANE_OPERATION std::uint32_t nearest(std::uint32_t x);
    static std::uint32_t rounded(std::uint32_t x, unsigned rm) {
        return rounded::to_signed(to_float(x), rm);
    }
};

struct float_to_unsigned {
    HEDDLE_LANE_OPERATION std::uint32_t truncated(std::uint32_t x) {
        const float a = to_float(x);
        const bool in_range = a > -1.0f && a < 4294967296.0f;
        const bool high = a >= 2147483648.0f;
        const float low = in_range ? (high ? a - 2147483648.0f : a) : 0;
        const std::uint32_t result =
            static_cast<std::uint32_t>(static_cast<std::int32_t>(low)) + (high ? 0x80000000 : 0);
        return in_range ? result : a < 0 ? 0 : 0xffffffff;
    }
    HEDDLE_LANE_OPERATION std::uint32_t nearest(std::uint32_t x);
    static std::uint32_t rounded(std::uint32_t x, unsigned rm) {
        return rounded::to_unsigned(to_float(x), rm);
    }
};

/// Rounds to an integral float, ties to even: beyond 2^23 every float is one, and adding 2^23
/// pushes the fraction out below.
HEDDLE_LANE_OPERATION std::uint32_t nearest_integral(std::uint32_t x) {
    constexpr float shifter = 8388608.0f;
    const float magnitude = to_float(x & ~float_sign);
    const float rounded = (magnitude + shifter) - shifter;
    return magnitude < shifter ? to_bits(rounded) | (x & float_sign) : x;
}

std::uint32_t float_to_signed::nearest(std::uint32_t x) {
    return truncated(nearest_integral(x));
}
std::uint32_t float_to_unsigned::nearest(std::uint32_t x) {
    return truncated(nearest_integral(x));
}

struct signed_to_float {
    HEDDLE_LANE_OPERATION std::uint32_t nearest(std::uint32_t x) {
        return to_bits(static_cast<float>(static_cast<std::int32_t>(x)));
    }
    static std::uint32_t rounded(std::uint32_t x, unsigned rm) {
        return rounded::from_signed(x, rm);
    }
};

struct unsigned_to_float {
    /// Both halves are exact, so that only the sum rounds.
    HEDDLE_LANE_OPERATION std::uint32_t nearest(std::uint32_t x) {
        const float high = static_cast<float>(static_cast<std::int32_t>(x >> 16)) * 65536.0f;
        return to_bits(high + static_cast<float>(static_cast<std::int32_t>(x & 0xffff)));
    }
    static std::uint32_t rounded(std::uint32_t x, unsigned rm) {
        return rounded::from_unsigned(x, rm);
    }
};

#define HEDDLE_FLOAT_BINARY(name, expression)                                      \
    struct name {                                                                  \
        HEDDLE_LANE_OPERATION std::uint32_t of(std::uint32_t x, std::uint32_t y) { \
            return expression;                                                     \
        }                                                                          \
    };

HEDDLE_FLOAT_BINARY(sign_inject, (x & ~float_sign) | (y & float_sign))
HEDDLE_FLOAT_BINARY(sign_inject_inverted, (x & ~float_sign) | (~y & float_sign))
HEDDLE_FLOAT_BINARY(sign_inject_xor, x ^ (y & float_sign))
HEDDLE_FLOAT_BINARY(float_equal, to_float(x) == to_float(y) ? 1 : 0)
HEDDLE_FLOAT_BINARY(float_less, to_float(x) < to_float(y) ? 1 : 0)
HEDDLE_FLOAT_BINARY(float_less_equal, to_float(x) <= to_float(y) ? 1 : 0)
#undef HEDDLE_FLOAT_BINARY

/// fmin and fmax: minimumNumber and maximumNumber of IEEE 754-2019. Equal operands differ at most
/// in the sign of zero, which `or` and `and` settle.
struct float_minimum {
    HEDDLE_LANE_OPERATION std::uint32_t of(std::uint32_t x, std::uint32_t y) {
        const float a = to_float(x);
        const float b = to_float(y);
        const std::uint32_t first = a < b || b != b ? x : y;
        const std::uint32_t result = a == b ? x | y : first;
        return a != a && b != b ? canonical_nan : result;
    }
};

struct float_maximum {
    HEDDLE_LANE_OPERATION std::uint32_t of(std::uint32_t x, std::uint32_t y) {
        const float a = to_float(x);
        const float b = to_float(y);
        const std::uint32_t first = a > b || b != b ? x : y;
        const std::uint32_t result = a == b ? x & y : first;
        return a != a && b != b ? canonical_nan : result;
    }
};

/// fclass.s: bit 0 -inf, 1 negative normal, 2 negative subnormal, 3 -0, 4 +0, 5 positive subnormal,
/// 6 positive normal, 7 +inf, 8 signalling NaN, 9 quiet NaN.
struct float_class {
    HEDDLE_LANE_OPERATION std::uint32_t of(std::uint32_t x) {
        const std::uint32_t magnitude = x & ~float_sign;
        const bool negative = (x & float_sign) != 0;
        std::uint32_t result = negative ? 1u << 1 : 1u << 6;
        result = magnitude < 0x00800000 ? (negative ? 1u << 2 : 1u << 5) : result;
        result = magnitude == 0 ? (negative ? 1u << 3 : 1u << 4) : result;
        result = magnitude == float_infinity ? (negative ? 1u << 0 : 1u << 7) : result;
        result = magnitude > float_infinity ? 1u << 8 : result;
        return magnitude >= 0x7fc00000 ? 1u << 9 : result;
    }
};

}  // namespace heddle::isa::operation
