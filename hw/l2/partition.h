// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

namespace heddle {

/// How addresses are spread over the L2 banks: `interleave` bytes to each bank in turn.
///
/// With `hash` the turn begins with another bank in each round: round r, of `banks` pieces, is
/// rotated by the sum of r's digits to the base `banks`, so that the bank of a piece is the sum of
/// all its digits. Strides that are a multiple of a round, on which one bank would get everything
/// (partition camping), go over all banks. For two banks it is the exclusive or of all bits of the
/// piece's number; other than an exclusive or it works for any number of banks.
struct l2_partition {
    std::uint32_t banks = 1;
    std::uint32_t interleave = 256;  ///< bytes
    bool hash = false;

    [[nodiscard]] constexpr std::uint32_t bank(std::uint64_t address) const noexcept {
        const std::uint64_t piece = address / interleave;
        return static_cast<std::uint32_t>((piece + (hash ? rotation(piece / banks) : 0)) % banks);
    }
    /// Position within its bank: dense, so that the sets of every bank are used evenly.
    [[nodiscard]] constexpr std::uint64_t offset(std::uint64_t address) const noexcept {
        return address / interleave / banks * interleave + address % interleave;
    }
    /// The inverse of bank() and offset().
    [[nodiscard]] constexpr std::uint64_t address(std::uint32_t bank,
                                                  std::uint64_t offset) const noexcept {
        const std::uint64_t round = offset / interleave;
        const std::uint64_t turn = hash ? (bank + banks - rotation(round) % banks) % banks : bank;
        return (round * banks + turn) * interleave + offset % interleave;
    }

private:
    [[nodiscard]] constexpr std::uint64_t rotation(std::uint64_t round) const noexcept {
        std::uint64_t sum = 0;
        for (; banks > 1 && round != 0; round /= banks) sum += round % banks;
        return sum;
    }
};

}  // namespace heddle
