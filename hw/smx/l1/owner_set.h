// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "hw/smx/l1/line_user.h"
#include "models/base/bits.h"

namespace heddle {

/// Owners of accesses, of which an SMX has at most 128.
class owner_set {
public:
    constexpr owner_set() noexcept = default;
    /// Owners 0 ... 63, a bit each.
    explicit constexpr owner_set(std::uint64_t first) noexcept : word_{first, 0} {}
    explicit constexpr owner_set(access_owner owner) noexcept { add(owner); }

    constexpr void add(access_owner owner) noexcept { word_[at(owner)] |= bit(owner); }
    constexpr void remove(access_owner owner) noexcept { word_[at(owner)] &= ~bit(owner); }
    [[nodiscard]] constexpr bool has(access_owner owner) const noexcept {
        return (word_[at(owner)] & bit(owner)) != 0;
    }
    [[nodiscard]] constexpr bool any() const noexcept { return (word_[0] | word_[1]) != 0; }
    [[nodiscard]] constexpr bool meets(const owner_set& other) const noexcept {
        return ((word_[0] & other.word_[0]) | (word_[1] & other.word_[1])) != 0;
    }
    constexpr owner_set& operator|=(const owner_set& other) noexcept {
        word_[0] |= other.word_[0];
        word_[1] |= other.word_[1];
        return *this;
    }
    /// Calls f(owner) for each, the lowest first.
    template <class Function>
    void for_each(Function&& f) const {
        for (unsigned i = 0; i < 2; ++i) {
            bits::for_each(word_[i], [&](unsigned n) { f(access_owner(64 * i + n)); });
        }
    }

private:
    [[nodiscard]] static constexpr std::size_t at(access_owner owner) noexcept {
        return owner.value() / 64;
    }
    [[nodiscard]] static constexpr std::uint64_t bit(access_owner owner) noexcept {
        return bits::one(owner.value() % 64);
    }

    std::array<std::uint64_t, 2> word_{};
};

}  // namespace heddle
