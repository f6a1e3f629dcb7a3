// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>
#include <limits>

#include "hw/protocol/link.h"

namespace heddle {

/// A warp with a small number: one of its registers, or what happens to it.
class warp_code {
public:
    static constexpr unsigned codes = 64;

    constexpr warp_code(unsigned warp, unsigned code) noexcept
        : value_(static_cast<std::uint16_t>(warp * codes + code)) {}
    explicit constexpr warp_code(std::size_t value) noexcept
        : value_(static_cast<std::uint16_t>(value)) {}

    [[nodiscard]] constexpr unsigned warp() const noexcept { return value_ / codes; }
    [[nodiscard]] constexpr std::uint8_t code() const noexcept { return value_ % codes; }
    [[nodiscard]] constexpr std::uint32_t value() const noexcept { return value_; }

private:
    std::uint16_t value_;
};

/// What all event wheels share.
struct event_wheel_limits {
    static constexpr unsigned horizon = 512;  ///< edges
    static constexpr std::uint32_t names = protocol::maximum_warps * warp_code::codes;
    static constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();
};

/// Events that are due at an edge less than `horizon` ahead. `Name` is a warp_code or a
/// strong_index whose values lie below `names`. An event may be pending once at a time. Adding and
/// taking are O(1) and allocate nothing. Within one edge, events are first in, first out.
template <class Name>
class event_wheel : public event_wheel_limits {
public:
    [[nodiscard]] bool empty() const noexcept {
        std::uint64_t any = 0;
        for (const std::uint64_t word : used_) any |= word;
        return any == 0;
    }

    /// Precondition: edge - now < horizon, where `now` is the last edge that was taken from.
    void add(std::uint64_t edge, Name name) noexcept {
        const auto id = static_cast<std::uint16_t>(name.value());
        const unsigned slot = edge % horizon;
        list& events = slots_[slot];
        next_[id] = none;
        if (events.head == none) {
            events.head = id;
            used_[slot / 64] |= std::uint64_t{1} << (slot % 64);
        } else {
            next_[events.tail] = id;
        }
        events.tail = id;
    }
    [[nodiscard]] bool due(std::uint64_t edge) const noexcept {
        const unsigned slot = edge % horizon;
        return ((used_[slot / 64] >> (slot % 64)) & 1) != 0;
    }
    /// Takes the first event of `edge`; precondition: due(edge).
    Name take(std::uint64_t edge) noexcept {
        const unsigned slot = edge % horizon;
        list& events = slots_[slot];
        const std::uint16_t id = events.head;
        events.head = next_[id];
        if (events.head == none) used_[slot / 64] &= ~(std::uint64_t{1} << (slot % 64));
        return Name(std::size_t{id});
    }
    /// Moves the remaining events of `edge` to the next edge, in front of the events there.
    void defer(std::uint64_t edge) noexcept {
        const unsigned from = edge % horizon;
        const unsigned to = (edge + 1) % horizon;
        list& late = slots_[from];
        list& next = slots_[to];
        if (late.head == none) return;
        next_[late.tail] = next.head;
        if (next.head == none) next.tail = late.tail;
        next.head = late.head;
        late.head = none;
        used_[from / 64] &= ~(std::uint64_t{1} << (from % 64));
        used_[to / 64] |= std::uint64_t{1} << (to % 64);
    }
    /// Earliest edge after `now` at which something is due, or `never`.
    [[nodiscard]] std::uint64_t next_due(std::uint64_t now) const noexcept {
        if (empty()) return never;
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

    /// The events of an edge: values of their names, linked by next_.
    struct list {
        std::uint16_t head = none;
        std::uint16_t tail = none;
    };
    /// One bit per slot that has events. Every cycle asks for these bits, so they have a line of
    /// the host's cache to themselves.
    alignas(64) std::array<std::uint64_t, words> used_{};
    std::array<list, horizon> slots_;
    std::array<std::uint16_t, names> next_{};
};

}  // namespace heddle
