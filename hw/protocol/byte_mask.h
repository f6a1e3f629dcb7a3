// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

#include "hw/protocol/link.h"
#include "models/base/bits.h"

namespace heddle {

/// One bit per byte of a cache line of up to 128 bytes.
struct byte_mask {
    std::array<std::uint64_t, 2> word{};
    static_assert(protocol::maximum_line_bytes == 128);

    /// Bytes first ... first + count - 1; all of them below 128.
    [[nodiscard]] static constexpr byte_mask bytes(unsigned first, unsigned count) noexcept {
        return ones(first + count) & ~ones(first);
    }
    /// Bits of an access moved to where the access begins in its line.
    [[nodiscard]] constexpr byte_mask moved_up(unsigned count) const noexcept {
        if (count == 0) {
            return *this;
        }
        if (count >= 64) {
            return {{0, word[0] << (count - 64)}};
        }
        return {{word[0] << count, (word[1] << count) | (word[0] >> (64 - count))}};
    }

    /// The inverse; bits below `count` are lost.
    [[nodiscard]] constexpr byte_mask moved_down(unsigned count) const noexcept {
        if (count == 0) {
            return *this;
        }
        if (count >= 64) {
            return {{word[1] >> (count - 64), 0}};
        }
        return {{(word[0] >> count) | (word[1] << (64 - count)), word[1] >> count}};
    }

    [[nodiscard]] constexpr bool any() const noexcept { return (word[0] | word[1]) != 0; }
    [[nodiscard]] constexpr bool test(unsigned byte) const noexcept {
        return ((word[byte / 64] >> (byte % 64)) & 1) != 0;
    }
    [[nodiscard]] constexpr bool covers(const byte_mask& other) const noexcept {
        return !(other & ~*this).any();
    }
    /// Lowest byte and one beyond the highest; call only if any().
    [[nodiscard]] unsigned first() const noexcept {
        return static_cast<unsigned>(word[0] != 0 ? __builtin_ctzll(word[0])
                                                  : 64 + __builtin_ctzll(word[1]));
    }
    [[nodiscard]] unsigned end() const noexcept {
        return static_cast<unsigned>(word[1] != 0 ? 128 - __builtin_clzll(word[1])
                                                  : 64 - __builtin_clzll(word[0]));
    }
    /// Calls f(first, count) for every run of neighbouring bytes.
    template <class F>
    void runs(const F& f) const {
        for (unsigned at = 0; at < 128;) {
            const byte_mask rest = *this & ~ones(at);
            if (!rest.any()) {
                return;
            }
            const unsigned begin = rest.first();
            const byte_mask gaps = ~*this & ~ones(begin);
            at = gaps.any() ? gaps.first() : 128;
            f(begin, at - begin);
        }
    }

    constexpr byte_mask& operator|=(const byte_mask& other) noexcept {
        word[0] |= other.word[0];
        word[1] |= other.word[1];
        return *this;
    }
    friend constexpr byte_mask operator|(byte_mask a, const byte_mask& b) noexcept {
        return a |= b;
    }
    friend constexpr byte_mask operator&(const byte_mask& a, const byte_mask& b) noexcept {
        return {{a.word[0] & b.word[0], a.word[1] & b.word[1]}};
    }
    friend constexpr byte_mask operator~(const byte_mask& a) noexcept {
        return {{~a.word[0], ~a.word[1]}};
    }
    friend constexpr bool operator==(const byte_mask& a, const byte_mask& b) noexcept {
        return a.word[0] == b.word[0] && a.word[1] == b.word[1];
    }
    friend constexpr bool operator!=(const byte_mask& a, const byte_mask& b) noexcept {
        return !(a == b);
    }

private:
    [[nodiscard]] static constexpr byte_mask ones(unsigned count) noexcept {
        return {{bits::below(count), count > 64 ? bits::below(count - 64) : 0}};
    }
};

/// copy_bytes() of a mask that is not whole.
[[gnu::noinline]] inline void copy_some_bytes(std::uint8_t* to, const std::uint8_t* from,
                                              const byte_mask& mask) {
    // Most have one run, in the first word.
    if (mask.word[1] == 0 && mask.word[0] != 0) {
        const unsigned first = mask.first();
        const std::uint64_t run = mask.word[0] >> first;
        if ((run & (run + 1)) == 0) {
            std::memcpy(to + first, from + first, mask.end() - first);
            return;
        }
    }
    mask.runs(
        [&](unsigned first, unsigned count) { std::memcpy(to + first, from + first, count); });
}

/// Copies the bytes of `mask`.
inline void copy_bytes(std::uint8_t* to, const std::uint8_t* from, const byte_mask& mask) {
    // A line: as the compiler knows its length, a few moves.
    if ((mask.word[0] & mask.word[1]) == ~std::uint64_t{0}) {
        std::memcpy(to, from, protocol::maximum_line_bytes);
    } else {
        copy_some_bytes(to, from, mask);
    }
}

/// Whether the bytes of `mask` are the same.
inline bool equal_bytes(const std::uint8_t* a, const std::uint8_t* b, const byte_mask& mask) {
    bool equal = true;
    mask.runs([&](unsigned first, unsigned count) {
        equal = equal && std::memcmp(a + first, b + first, count) == 0;
    });
    return equal;
}

}  // namespace heddle
