// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>

#include "hw/protocol/item_set.h"

namespace heddle {

/// Bits of a signature that a key sets.
struct signature_bits {
    unsigned first, second;
};

/// Hashes of a bank's signatures, 8 bits, of row r: r[2:0] ^ r[5:3] ^ r[8:6] and
/// r[3:1] ^ r[7:5] ^ r[8:7]. Rows above 511 are folded first. Ours: the paper gives none. A second
/// fold by 3 bits would only be a rotation of the first, and twice as many false positives.
[[nodiscard]] constexpr signature_bits row_hashes(std::uint32_t row) noexcept {
    const std::uint32_t r = (row ^ row >> 9) & 511;
    return {(r ^ r >> 3 ^ r >> 6) & 7, (r >> 1 ^ r >> 5 ^ r >> 7) & 7};
}

/// Hashes of a warp's signature of writes, 32 bits, of word w: w[4:0] ^ w[9:5] ^ w[13:10] and
/// w[5:1] ^ w[11:7] ^ w[13:12].
[[nodiscard]] constexpr signature_bits word_hashes(std::uint32_t word) noexcept {
    const std::uint32_t w = (word ^ word >> 14) & 16383;
    return {(w ^ w >> 5 ^ w >> 10) & 31, (w >> 1 ^ w >> 7 ^ w >> 12) & 31};
}

/// The signatures of all items of a block at one bank: Bloom filters of 8 bits, one for each item.
/// Bit-sliced: slice b has bit b of all items, so that one look finds all items that hit.
class signature_slices {
public:
    explicit signature_slices(unsigned hashes) noexcept : second_(hashes > 1) {}

    [[nodiscard]] protocol::item_set hits(std::uint32_t row) const noexcept {
        const signature_bits at = row_hashes(row);
        protocol::item_set found = slices_[at.first];
        if (second_) found &= slices_[at.second];
        return found;
    }
    void insert(unsigned item, std::uint32_t row) noexcept {
        const signature_bits at = row_hashes(row);
        slices_[at.first].insert(item);
        if (second_) slices_[at.second].insert(item);
    }
    void clear(const protocol::item_set& items) noexcept {
        for (protocol::item_set& slice : slices_) slice -= items;
    }

private:
    const bool second_;
    std::array<protocol::item_set, 8> slices_{};
};

/// The signature of a warp's writes, 32 bits (swo_sig).
class write_signature {
public:
    explicit write_signature(unsigned hashes) noexcept : second_(hashes > 1) {}

    [[nodiscard]] bool hits(std::uint32_t word) const noexcept {
        const std::uint32_t bits = bits_of(word);
        return (bits_ & bits) == bits;
    }
    void insert(std::uint32_t word) noexcept { bits_ |= bits_of(word); }
    void clear() noexcept { bits_ = 0; }

private:
    [[nodiscard]] std::uint32_t bits_of(std::uint32_t word) const noexcept {
        const signature_bits at = word_hashes(word);
        return 1U << at.first | (second_ ? 1U << at.second : 0);
    }

    bool second_;
    std::uint32_t bits_ = 0;
};

}  // namespace heddle
