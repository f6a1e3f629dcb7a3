// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

namespace heddle {

/// Extent or index in up to three dimensions, x fastest, as in CUDA.
struct dim3 {
    std::uint32_t x{1};
    std::uint32_t y{1};
    std::uint32_t z{1};

    [[nodiscard]] constexpr std::uint64_t count() const noexcept {
        return std::uint64_t{x} * y * z;
    }
    friend constexpr bool operator==(const dim3& a, const dim3& b) noexcept {
        return a.x == b.x && a.y == b.y && a.z == b.z;
    }
    friend constexpr bool operator!=(const dim3& a, const dim3& b) noexcept { return !(a == b); }
};

}  // namespace heddle
