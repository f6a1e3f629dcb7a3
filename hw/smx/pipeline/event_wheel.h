// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>
#include <limits>

#include "hw/protocol/link.h"

namespace heddle {

/// Events of warps that fall due at an edge less than `horizon` ahead, each named by {warp, code}
/// with code < 64 and pending at most once at a time. Adding and taking are O(1); nothing is
/// allocated. First in, first out within one edge.
class event_wheel {
public:
    static constexpr unsigned horizon = 512;
    static constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

    struct event {
        std::uint8_t warp;
        std::uint8_t code;
    };

    event_wheel() noexcept { head_.fill(none); }

    [[nodiscard]] bool empty() const noexcept { return pending_ == 0; }

    /// Precondition: edge - now < horizon, where `now` is the last edge that was taken from.
    void add(std::uint64_t edge, unsigned warp, unsigned code) noexcept {
        const auto id = static_cast<std::uint16_t>(warp * 64 + code);
        const unsigned slot = edge % horizon;
        next_[id] = none;
        if (head_[slot] == none) {
            head_[slot] = id;
            used_[slot / 64] |= std::uint64_t{1} << (slot % 64);
        } else {
            next_[tail_[slot]] = id;
        }
        tail_[slot] = id;
        ++pending_;
    }
    [[nodiscard]] bool due(std::uint64_t edge) const noexcept {
        return head_[edge % horizon] != none;
    }
    /// Takes the first event of `edge`; precondition: due(edge).
    event take(std::uint64_t edge) noexcept {
        const unsigned slot = edge % horizon;
        const std::uint16_t id = head_[slot];
        head_[slot] = next_[id];
        if (head_[slot] == none) used_[slot / 64] &= ~(std::uint64_t{1} << (slot % 64));
        --pending_;
        return {static_cast<std::uint8_t>(id / 64), static_cast<std::uint8_t>(id % 64)};
    }
    /// What is left of `edge` moves to the next edge, in front of what is due there.
    void defer(std::uint64_t edge) noexcept {
        const unsigned from = edge % horizon;
        const unsigned to = (edge + 1) % horizon;
        if (head_[from] == none) return;
        next_[tail_[from]] = head_[to];
        if (head_[to] == none) tail_[to] = tail_[from];
        head_[to] = head_[from];
        head_[from] = none;
        used_[from / 64] &= ~(std::uint64_t{1} << (from % 64));
        used_[to / 64] |= std::uint64_t{1} << (to % 64);
    }
    /// Earliest edge after `now` at which something is due, or `never`.
    [[nodiscard]] std::uint64_t next_due(std::uint64_t now) const noexcept {
        if (pending_ == 0) return never;
        const unsigned first = (now + 1) % horizon;
        for (unsigned step = 0; step <= words; ++step) {
            const unsigned word = (first / 64 + step) % words;
            std::uint64_t bits = used_[word];
            if (step == 0) bits &= ~std::uint64_t{0} << (first % 64);
            if (bits == 0) continue;
            const unsigned slot = word * 64 + static_cast<unsigned>(__builtin_ctzll(bits));
            return now + 1 + (slot + horizon - first) % horizon;
        }
        return never;
    }

private:
    static constexpr std::uint16_t none = 0xffff;
    static constexpr unsigned words = horizon / 64;

    std::array<std::uint16_t, horizon> head_;
    std::array<std::uint16_t, horizon> tail_{};
    std::array<std::uint64_t, words> used_{};
    std::array<std::uint16_t, protocol::maximum_warps * 64> next_{};
    std::uint32_t pending_ = 0;
};

}  // namespace heddle
