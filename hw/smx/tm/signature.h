// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>

#include "hw/protocol/item_set.h"

namespace heddle {

/// Bits of a signature that a key sets.
struct signature_bits {
    std::uint8_t first, second;
};

/// Rows above 511 are folded before they are hashed.
[[nodiscard]] constexpr std::uint32_t fold_row(std::uint32_t row) noexcept {
    return (row ^ row >> 9) & 511;
}

/// Hashes of a bank's signatures, 8 bits, of row r: r[2:0] ^ r[5:3] ^ r[8:6] and
/// r[3:1] ^ r[7:5] ^ r[8:7]. Ours: the paper gives none. A second fold by 3 bits would only be a
/// rotation of the first, and twice as many false positives.
[[nodiscard]] constexpr signature_bits row_hashes(std::uint32_t row) noexcept {
    const std::uint32_t r = fold_row(row);
    return {static_cast<std::uint8_t>((r ^ r >> 3 ^ r >> 6) & 7),
            static_cast<std::uint8_t>((r >> 1 ^ r >> 5 ^ r >> 7) & 7)};
}

/// Hashes of a warp's signature of writes, 32 bits, of word w: w[4:0] ^ w[9:5] ^ w[13:10] and
/// w[5:1] ^ w[11:7] ^ w[13:12].
[[nodiscard]] constexpr signature_bits word_hashes(std::uint32_t word) noexcept {
    const std::uint32_t w = (word ^ word >> 14) & 16383;
    return {static_cast<std::uint8_t>((w ^ w >> 5 ^ w >> 10) & 31),
            static_cast<std::uint8_t>((w >> 1 ^ w >> 7 ^ w >> 12) & 31)};
}

/// The bits that a word sets there; `second`: with both hashes.
[[nodiscard]] constexpr std::uint32_t signature_of_word(std::uint32_t word, bool second) noexcept {
    const signature_bits at = word_hashes(word);
    return 1U << at.first | (second ? 1U << at.second : 0);
}

/// The signatures of all items of a block at one bank: Bloom filters of 8 bits, one for each item.
/// Bit-sliced: slice b has bit b of all items, so that one look finds all items that hit.
class signature_slices {
public:
    explicit signature_slices(unsigned hashes) noexcept
        : bits_(tables[hashes > 1 ? 1 : 0].data()) {}

    [[nodiscard]] protocol::item_set hits(std::uint32_t row) const noexcept {
        const signature_bits at = bits_of(row);
        return slices_[at.first] & slices_[at.second];
    }
    void insert(unsigned item, std::uint32_t row) noexcept {
        const signature_bits at = bits_of(row);
        slices_[at.first].insert(item);
        slices_[at.second].insert(item);
    }
    void clear(protocol::item_set items) noexcept {  // a copy: no slice may be a part of it
        for (protocol::item_set& slice : slices_) slice -= items;
    }

private:
    using bits_of_rows = std::array<signature_bits, 512>;
    /// row_hashes() of each row, by the number of hashes: with one, both bits are the same.
    static constexpr std::array<bits_of_rows, 2> tables = [] {
        std::array<bits_of_rows, 2> all{};
        for (std::uint32_t row = 0; row < all[0].size(); ++row) {
            all[1][row] = row_hashes(row);
            all[0][row] = {all[1][row].first, all[1][row].first};
        }
        return all;
    }();
    [[nodiscard]] signature_bits bits_of(std::uint32_t row) const noexcept {
        return bits_[fold_row(row)];
    }

    const signature_bits* const bits_;
    std::array<protocol::item_set, 8> slices_{};
};

/// The signatures of a block's warps of what they have written, 32 bits each (swo_sig). Bit-sliced:
/// slice b has the items of all warps with bit b, so that one look finds all items that may have
/// written a word.
class write_signatures {
public:
    /// `lanes` of a warp.
    write_signatures(unsigned hashes, unsigned lanes) noexcept
        : second_(hashes > 1), lanes_(lanes) {}

    /// Whether nothing is written.
    [[nodiscard]] bool none() const noexcept { return written_ == 0; }
    /// Items of warps whose signature knows the word.
    [[nodiscard]] protocol::item_set writers(std::uint32_t word) const noexcept {
        const signature_bits at = word_hashes(word);
        protocol::item_set found = slices_[at.first];
        if (second_) found &= slices_[at.second];
        return found;
    }
    /// An attempt of the warp of `first_item` begins. Its threads may run some at a time.
    void enter(unsigned first_item) noexcept { ++attempts_[first_item / lanes_]; }
    /// One is over; with the last one goes what they have written.
    void leave(unsigned first_item) noexcept {
        if (--attempts_[first_item / lanes_] == 0) clear(first_item);
    }
    /// The warp of `first_item` sets bits.
    void insert(unsigned first_item, std::uint32_t bits_set) noexcept {
        std::uint32_t& signature = signatures_[first_item / lanes_];
        const std::uint32_t fresh = bits_set & ~signature;
        if (fresh == 0) return;
        signature |= fresh;
        written_ |= fresh;
        bits::for_each(fresh, [&](unsigned bit) { slices_[bit] |= warp(first_item); });
    }

private:
    void clear(unsigned first_item) noexcept {
        std::uint32_t& signature = signatures_[first_item / lanes_];
        if (signature == 0) return;
        bits::for_each(signature, [&](unsigned bit) { slices_[bit] -= warp(first_item); });
        signature = 0;
        written_ = 0;
        for (const std::uint32_t each : signatures_) written_ |= each;
    }

    static constexpr unsigned most_warps = transaction_configuration::maximum_items / 8;

    [[nodiscard]] protocol::item_set warp(unsigned first_item) const noexcept {
        return protocol::item_set::of_warp(first_item, bits::below(lanes_));
    }

    const bool second_;
    const unsigned lanes_;
    std::uint32_t written_ = 0;                           ///< bits of all warps
    std::array<std::uint32_t, most_warps> signatures_{};  ///< by warp of the block
    std::array<std::uint16_t, most_warps> attempts_{};    ///< so
    std::array<protocol::item_set, 32> slices_{};
};

}  // namespace heddle
