// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

namespace heddle {

/// The least multiple of `multiple` (> 0) that is not below `value`.
constexpr std::uint64_t round_up(std::uint64_t value, std::uint64_t multiple) noexcept {
    return (value + multiple - 1) / multiple * multiple;
}

}  // namespace heddle
