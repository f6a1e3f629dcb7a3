// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

/// Sets of up to 64 lanes, warps, banks or slots, one bit each, element 0 in bit 0.
namespace heddle::bits {

/// The set that holds element `n` only, which is below 64.
[[nodiscard]] constexpr std::uint64_t one(unsigned n) noexcept {
    return std::uint64_t{1} << n;
}
/// Elements 0 ... n - 1; n is at most 64.
[[nodiscard]] constexpr std::uint64_t below(unsigned n) noexcept {
    return n >= 64 ? ~std::uint64_t{0} : one(n) - 1;
}
/// The lowest element of a set that is not empty.
[[nodiscard]] constexpr unsigned first(std::uint64_t set) noexcept {
    return static_cast<unsigned>(__builtin_ctzll(set));
}
[[nodiscard]] constexpr unsigned count(std::uint64_t set) noexcept {
    return static_cast<unsigned>(__builtin_popcountll(set));
}
[[nodiscard]] constexpr bool test(std::uint64_t set, unsigned n) noexcept {
    return (set >> n & 1) != 0;
}
/// Calls f(n) for every element, lowest first.
template <class Function>
constexpr void for_each(std::uint64_t set, Function&& f) {
    for (; set != 0; set &= set - 1) f(first(set));
}

}  // namespace heddle::bits
