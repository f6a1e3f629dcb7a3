// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "models/isa/float_bits.h"

/// Integer operations of one lane: `of(a, b)` with a = rs1 and b = rs2 or the immediate.
/// Source: RISC-V unprivileged ISA, RV32I, M extension, Zicond.
namespace heddle::isa::operation {

constexpr std::int32_t as_signed(std::uint32_t value) noexcept {
    return static_cast<std::int32_t>(value);
}
constexpr std::uint32_t as_unsigned(std::int32_t value) noexcept {
    return static_cast<std::uint32_t>(value);
}

#define HEDDLE_BINARY_OPERATION(name, expression)                                  \
    struct name {                                                                  \
        HEDDLE_LANE_OPERATION std::uint32_t of(std::uint32_t a, std::uint32_t b) { \
            return expression;                                                     \
        }                                                                          \
    };

HEDDLE_BINARY_OPERATION(add, a + b)
HEDDLE_BINARY_OPERATION(subtract, a - b)
HEDDLE_BINARY_OPERATION(shift_left, a << (b & 31))
HEDDLE_BINARY_OPERATION(shift_right, a >> (b & 31))
HEDDLE_BINARY_OPERATION(shift_right_signed, as_unsigned(as_signed(a) >> (b & 31)))
HEDDLE_BINARY_OPERATION(less, as_signed(a) < as_signed(b) ? 1 : 0)
HEDDLE_BINARY_OPERATION(less_unsigned, a < b ? 1 : 0)
HEDDLE_BINARY_OPERATION(bit_xor, a ^ b)
HEDDLE_BINARY_OPERATION(bit_or, a | b)
HEDDLE_BINARY_OPERATION(bit_and, a& b)
HEDDLE_BINARY_OPERATION(zero_if_zero, b == 0 ? 0 : a)
HEDDLE_BINARY_OPERATION(zero_if_nonzero, b != 0 ? 0 : a)
HEDDLE_BINARY_OPERATION(multiply, a* b)
HEDDLE_BINARY_OPERATION(multiply_high,
                        static_cast<std::uint32_t>(
                            static_cast<std::uint64_t>(std::int64_t{as_signed(a)} * as_signed(b)) >>
                            32))
HEDDLE_BINARY_OPERATION(multiply_high_unsigned,
                        static_cast<std::uint32_t>((std::uint64_t{a} * b) >> 32))
HEDDLE_BINARY_OPERATION(multiply_high_mixed,
                        multiply_high_unsigned::of(a, b) - (as_signed(a) < 0 ? b : 0))
#undef HEDDLE_BINARY_OPERATION

// Division goes through binary64, for which the host has vector instructions. It is exact: a
// quotient that is no integer is at least 1/|b| away from the next one, relatively 1/|a| > 2^-33,
// and binary64 rounds to 2^-53.

HEDDLE_LANE_OPERATION double double_of_unsigned(std::uint32_t value) {
    return static_cast<double>(as_signed(value ^ 0x80000000)) + 2147483648.0;
}

struct divide {
    /// The quotient by a divisor other than 0; overflow (-2^31 / -1) divides by 1, which gives the
    /// specified result.
    HEDDLE_LANE_OPERATION std::uint32_t quotient(std::uint32_t a, std::uint32_t b) {
        const bool special = b == 0 || (a == 0x80000000 && b == 0xffffffff);
        const std::int32_t divisor = special ? 1 : as_signed(b);
        return as_unsigned(static_cast<std::int32_t>(static_cast<double>(as_signed(a)) /
                                                     static_cast<double>(divisor)));
    }
    HEDDLE_LANE_OPERATION std::uint32_t of(std::uint32_t a, std::uint32_t b) {
        const std::uint32_t result = quotient(a, b);
        return b == 0 ? 0xffffffff : result;
    }
};

struct remainder {
    HEDDLE_LANE_OPERATION std::uint32_t of(std::uint32_t a, std::uint32_t b) {
        // Modulo 2^32, a - q * b is right for the overflow too: -2^31 - (-2^31 * -1) = 0.
        const std::uint32_t result = a - divide::quotient(a, b) * b;
        return b == 0 ? a : result;
    }
};

struct divide_unsigned {
    HEDDLE_LANE_OPERATION std::uint32_t quotient(std::uint32_t a, std::uint32_t b) {
        const double divisor = double_of_unsigned(b == 0 ? 1 : b);
        const double value = double_of_unsigned(a) / divisor;
        // The host converts signed integers only: subtract 2^31 above it.
        const bool high = value >= 2147483648.0;
        const double low = high ? value - 2147483648.0 : value;
        return as_unsigned(static_cast<std::int32_t>(low)) + (high ? 0x80000000 : 0);
    }
    HEDDLE_LANE_OPERATION std::uint32_t of(std::uint32_t a, std::uint32_t b) {
        const std::uint32_t result = quotient(a, b);
        return b == 0 ? 0xffffffff : result;
    }
};

struct remainder_unsigned {
    HEDDLE_LANE_OPERATION std::uint32_t of(std::uint32_t a, std::uint32_t b) {
        const std::uint32_t result = a - divide_unsigned::quotient(a, b) * b;
        return b == 0 ? a : result;
    }
};

/// Branch conditions: `of(a, b)` is true if the branch is taken.
#define HEDDLE_CONDITION(name, expression)                                                     \
    struct name {                                                                              \
        HEDDLE_LANE_OPERATION bool of(std::uint32_t a, std::uint32_t b) { return expression; } \
    };

HEDDLE_CONDITION(equal, a == b)
HEDDLE_CONDITION(not_equal, a != b)
HEDDLE_CONDITION(below, as_signed(a) < as_signed(b))
HEDDLE_CONDITION(not_below, as_signed(a) >= as_signed(b))
HEDDLE_CONDITION(below_unsigned, a < b)
HEDDLE_CONDITION(not_below_unsigned, a >= b)
#undef HEDDLE_CONDITION

}  // namespace heddle::isa::operation
