// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>

#include "hw/protocol/link.h"

namespace heddle {

/// Bytes of a line: bit i of word i / 64 is byte i. The layout of protocol::memory_access.
struct line_mask {
    std::array<std::uint64_t, protocol::maximum_line_bytes / 64> words{};

    [[nodiscard]] bool none() const noexcept { return (words[0] | words[1]) == 0; }
    [[nodiscard]] bool covers(const line_mask& other) const noexcept {
        return ((other.words[0] & ~words[0]) | (other.words[1] & ~words[1])) == 0;
    }
    [[nodiscard]] bool test(unsigned byte) const noexcept {
        return ((words[byte / 64] >> (byte % 64)) & 1u) != 0;
    }
    /// Precondition: the mask has a byte.
    [[nodiscard]] unsigned first() const noexcept {
        return words[0] != 0 ? static_cast<unsigned>(__builtin_ctzll(words[0]))
                             : 64u + static_cast<unsigned>(__builtin_ctzll(words[1]));
    }
    [[nodiscard]] unsigned last() const noexcept {
        return words[1] != 0 ? 127u - static_cast<unsigned>(__builtin_clzll(words[1]))
                             : 63u - static_cast<unsigned>(__builtin_clzll(words[0]));
    }
    line_mask& operator|=(const line_mask& other) noexcept {
        words[0] |= other.words[0];
        words[1] |= other.words[1];
        return *this;
    }
    /// Byte `by` becomes byte 0.
    [[nodiscard]] line_mask shifted_down(unsigned by) const noexcept {
        if (by == 0) return *this;
        if (by >= 64) return {{by == 64 ? words[1] : words[1] >> (by - 64), 0}};
        return {{(words[0] >> by) | (words[1] << (64 - by)), words[1] >> by}};
    }
    friend bool operator==(const line_mask& a, const line_mask& b) noexcept {
        return a.words == b.words;
    }
};

/// The first `bytes` bytes.
constexpr line_mask first_bytes(unsigned bytes) noexcept {
    const auto bits = [](unsigned n) {
        return n >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1;
    };
    return {{bits(bytes), bytes > 64 ? bits(bytes - 64) : 0}};
}

/// Copies the bytes of `mask` between lines; whole words at a time where it can.
inline void copy_bytes(std::uint8_t* to, const std::uint8_t* from, const line_mask& mask) noexcept {
    for (unsigned word = 0; word < mask.words.size(); ++word) {
        std::uint64_t bits = mask.words[word];
        if (bits == ~std::uint64_t{0}) {
            for (unsigned i = 0; i < 64; ++i) to[64 * word + i] = from[64 * word + i];
            continue;
        }
        for (; bits != 0; bits &= bits - 1) {
            const unsigned byte = 64 * word + static_cast<unsigned>(__builtin_ctzll(bits));
            to[byte] = from[byte];
        }
    }
}

}  // namespace heddle
