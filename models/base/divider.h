// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

namespace heddle {

/// Division by a number that is known late, but does not change: for dividends below 2^32 a
/// multiplication (Lemire, Kaser, Kurz, "Faster Remainder by Direct Computation", 2019).
class divider {
public:
    /// Precondition: `by` is not 0.
    constexpr explicit divider(std::uint32_t by) noexcept
        : by_(by), inverse_(by == 1 ? 0 : ~std::uint64_t{0} / by + 1) {}

    [[nodiscard]] constexpr std::uint32_t value() const noexcept { return by_; }
    [[nodiscard]] constexpr std::uint64_t quotient(std::uint64_t of) const noexcept {
        if (by_ == 1) return of;
        if (of >> 32 != 0) return of / by_;
        return static_cast<std::uint64_t>(wide{inverse_} * of >> 64);
    }
    [[nodiscard]] constexpr std::uint64_t remainder(std::uint64_t of) const noexcept {
        return of - quotient(of) * by_;
    }

private:
    __extension__ using wide = unsigned __int128;

    std::uint32_t by_;
    std::uint64_t inverse_;  ///< 2^64 / by, rounded up; 0 for 1
};

}  // namespace heddle
