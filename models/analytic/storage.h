// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Closed forms that need no run: storage and area of hardware structures, beside what papers
/// print.
namespace heddle::analytic {

/// A memory: entries of equal width.
struct storage {
    std::string name;
    std::string content;  ///< fields of an entry, with their widths
    std::uint64_t entries = 0;
    std::uint32_t entry_bits = 0;
    std::optional<std::uint64_t> printed_bits;  ///< by the paper, if it prints this size
    std::optional<double> printed_area;         ///< mm2 by the paper, if it prints this size

    [[nodiscard]] std::uint64_t bits() const noexcept { return entries * entry_bits; }
    /// Whole bytes that hold all bits.
    [[nodiscard]] std::uint64_t bytes() const noexcept { return (bits() + 7) / 8; }
};

/// Sum of the bits of all structures.
[[nodiscard]] inline std::uint64_t total_bits(const std::vector<storage>& all) noexcept {
    std::uint64_t sum = 0;
    for (const storage& one : all) sum += one.bits();
    return sum;
}

}  // namespace heddle::analytic
