// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "models/base/divider.h"

namespace heddle {

/// How addresses are spread over the L2 banks: `interleave` bytes to each bank in turn.
///
/// With `hash` the turn begins with another bank in each round: round r, of `banks` pieces, is
/// rotated by the sum of r's digits to the base `banks`, so that the bank of a piece is the sum of
/// all its digits. Strides that are a multiple of a round, on which one bank would get everything
/// (partition camping), go over all banks. For two banks it is the exclusive or of all bits of the
/// piece's number; other than an exclusive or it works for any number of banks.
class l2_partition {
public:
    /// `interleave`: bytes, or any other unit of the addresses.
    constexpr l2_partition(std::uint32_t banks, std::uint32_t interleave,
                           bool hash = false) noexcept
        : banks_(banks), interleave_(interleave), hash_(hash) {}

    [[nodiscard]] constexpr std::uint32_t bank(std::uint64_t address) const noexcept {
        const std::uint64_t piece = interleave_.quotient(address);
        return static_cast<std::uint32_t>(
            banks_.remainder(piece + (hash_ ? rotation(banks_.quotient(piece)) : 0)));
    }
    /// Position within its bank: dense, so that the sets of every bank are used evenly.
    [[nodiscard]] constexpr std::uint64_t offset(std::uint64_t address) const noexcept {
        const std::uint64_t piece = interleave_.quotient(address);
        const std::uint64_t within = address - piece * interleave_.value();
        return banks_.quotient(piece) * interleave_.value() + within;
    }
    /// The inverse of bank() and offset().
    [[nodiscard]] constexpr std::uint64_t address(std::uint32_t bank,
                                                  std::uint64_t offset) const noexcept {
        const std::uint32_t banks = banks_.value();
        const std::uint64_t round = interleave_.quotient(offset);
        const std::uint64_t turn = hash_ ? (bank + banks - rotation(round) % banks) % banks : bank;
        return (round * banks + turn) * interleave_.value() + interleave_.remainder(offset);
    }

private:
    [[nodiscard]] constexpr std::uint64_t rotation(std::uint64_t round) const noexcept {
        std::uint64_t sum = 0;
        for (; banks_.value() > 1 && round != 0; round = banks_.quotient(round)) {
            sum += banks_.remainder(round);
        }
        return sum;
    }

    divider banks_;
    divider interleave_;
    bool hash_;
};

}  // namespace heddle
