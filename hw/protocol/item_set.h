// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>

#include "models/base/bits.h"
#include "models/base/transaction_configuration.h"

namespace heddle::protocol {

/// Work-items of a block, a bit each: up to transaction_configuration::maximum_items.
class item_set {
public:
    static constexpr unsigned words = transaction_configuration::maximum_items / 64;

    /// The items in `lanes` of a warp whose lane 0 holds item `first`, a multiple of the warp size.
    [[nodiscard]] static item_set of_warp(unsigned first, std::uint64_t lanes) noexcept {
        item_set set;
        set.words_[first / 64] = lanes << (first % 64);
        return set;
    }
    [[nodiscard]] static item_set one(unsigned item) noexcept {
        return of_warp(item / 64 * 64, bits::one(item % 64));
    }

    void insert(unsigned item) noexcept { words_[item / 64] |= bits::one(item % 64); }
    void erase(unsigned item) noexcept { words_[item / 64] &= ~bits::one(item % 64); }
    [[nodiscard]] bool test(unsigned item) const noexcept {
        return bits::test(words_[item / 64], item % 64);
    }
    [[nodiscard]] bool none() const noexcept {
        std::uint64_t any = 0;
        for (const std::uint64_t word : words_) any |= word;
        return any == 0;
    }
    /// Whether there is an item other than `item`.
    [[nodiscard]] bool any_but(unsigned item) const noexcept {
        unsigned all = 0;
        for (const std::uint64_t word : words_) all += bits::count(word);
        return all > (test(item) ? 1 : 0);
    }
    /// Lanes of the warp of `lanes` lanes whose lane 0 holds item `first`.
    [[nodiscard]] std::uint64_t lanes_of(unsigned first, unsigned lanes) const noexcept {
        return words_[first / 64] >> (first % 64) & bits::below(lanes);
    }

    [[nodiscard]] friend item_set operator&(const item_set& a, const item_set& b) noexcept {
        item_set both;
        for (unsigned w = 0; w < words; ++w) both.words_[w] = a.words_[w] & b.words_[w];
        return both;
    }
    item_set& operator&=(const item_set& other) noexcept {
        for (unsigned w = 0; w < words; ++w) words_[w] &= other.words_[w];
        return *this;
    }
    item_set& operator|=(const item_set& other) noexcept {
        for (unsigned w = 0; w < words; ++w) words_[w] |= other.words_[w];
        return *this;
    }
    item_set& operator-=(const item_set& other) noexcept {
        for (unsigned w = 0; w < words; ++w) words_[w] &= ~other.words_[w];
        return *this;
    }
    [[nodiscard]] friend bool operator==(const item_set& a, const item_set& b) noexcept {
        return a.words_ == b.words_;
    }

private:
    std::array<std::uint64_t, words> words_{};
};

}  // namespace heddle::protocol
