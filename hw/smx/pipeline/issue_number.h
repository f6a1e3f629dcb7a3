// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

namespace heddle {

/// The number of an instruction among those of a home warp, from 1 in the order of issue. The
/// default stands before the first one.
class issue_number {
public:
    constexpr issue_number() noexcept = default;
    explicit constexpr issue_number(std::uint64_t value) noexcept : value_(value) {}

    [[nodiscard]] constexpr std::uint64_t value() const noexcept { return value_; }
    constexpr issue_number& operator++() noexcept {
        ++value_;
        return *this;
    }

    friend constexpr bool operator==(issue_number a, issue_number b) noexcept {
        return a.value_ == b.value_;
    }
    friend constexpr bool operator!=(issue_number a, issue_number b) noexcept { return !(a == b); }
    friend constexpr bool operator<(issue_number a, issue_number b) noexcept {
        return a.value_ < b.value_;
    }

private:
    std::uint64_t value_ = 0;
};

}  // namespace heddle
