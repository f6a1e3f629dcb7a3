// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <cstring>

// The lane operations must be inlined into the loops that vectorise them.
#define HEDDLE_LANE_OPERATION [[gnu::always_inline]] static inline

namespace heddle::isa {

inline constexpr std::uint32_t canonical_nan = 0x7fc00000;
inline constexpr std::uint32_t float_sign = 0x80000000;
inline constexpr std::uint32_t float_infinity = 0x7f800000;

[[gnu::always_inline]] inline float to_float(std::uint32_t bits) noexcept {
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

[[gnu::always_inline]] inline std::uint32_t to_bits(float value) noexcept {
    std::uint32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

[[gnu::always_inline]] inline double to_double(std::uint64_t bits) noexcept {
    double value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

[[gnu::always_inline]] inline std::uint64_t to_bits(double value) noexcept {
    std::uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

/// Bits of a result, every NaN as the canonical one (unprivileged ISA, F extension, NaN
/// generation).
[[gnu::always_inline]] inline std::uint32_t canonical(float value) noexcept {
    return value == value ? to_bits(value) : canonical_nan;
}

}  // namespace heddle::isa
