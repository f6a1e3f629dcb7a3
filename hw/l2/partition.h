// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

namespace heddle {

/// How addresses are spread over the L2 banks: `interleave` bytes to each bank in turn.
struct l2_partition {
    std::uint32_t banks = 1;
    std::uint32_t interleave = 256;  ///< bytes

    [[nodiscard]] constexpr std::uint32_t bank(std::uint64_t address) const noexcept {
        return static_cast<std::uint32_t>(address / interleave % banks);
    }
    /// Position within its bank: dense, so that the sets of every bank are used evenly.
    [[nodiscard]] constexpr std::uint64_t offset(std::uint64_t address) const noexcept {
        return address / interleave / banks * interleave + address % interleave;
    }
    /// The inverse of bank() and offset().
    [[nodiscard]] constexpr std::uint64_t address(std::uint32_t bank,
                                                  std::uint64_t offset) const noexcept {
        return (offset / interleave * banks + bank) * interleave + offset % interleave;
    }
};

}  // namespace heddle
