// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "hw/smx/l1/owner_set.h"

namespace heddle {

/// The dirty lines of global memory in a cache that writes back, in the order in which they became
/// dirty, and whose stores each of them holds. Lines go by their place in the cache. Every call
/// costs the same, but remove(), which costs more if many owners wrote the line.
class dirty_lines {
public:
    static constexpr std::uint32_t none = ~0u;

    explicit dirty_lines(std::size_t places) : lines_(places) {}

    /// The owner has stored to the line. False: the line held a store of the owner already.
    bool add(std::uint32_t place, access_owner owner) {
        line& l = lines_[place];
        if (!l.writers.any()) append(place);
        if (l.writers.has(owner)) return false;
        l.writers.add(owner);
        if (owned_[owner.value()]++ == 0) writers_.add(owner);
        return true;
    }
    /// The line, which is dirty, is clean now. Returns whose stores it held.
    owner_set remove(std::uint32_t place) {
        line& l = lines_[place];
        (l.before == none ? oldest_ : lines_[l.before].behind) = l.behind;
        (l.behind == none ? newest_ : lines_[l.behind].before) = l.before;
        const owner_set writers = l.writers;
        l = {};
        writers.for_each([&](access_owner owner) {
            if (--owned_[owner.value()] == 0) writers_.remove(owner);
        });
        return writers;
    }

    /// Place of the line that has been dirty longest; none if all are clean.
    [[nodiscard]] std::uint32_t oldest() const noexcept { return oldest_; }
    /// Whether a line holds a store of one of them.
    [[nodiscard]] bool hold_any_of(const owner_set& owners) const noexcept {
        return writers_.meets(owners);
    }

private:
    struct line {
        std::uint32_t before = none;  ///< became dirty before it
        std::uint32_t behind = none;
        owner_set writers;
    };

    void append(std::uint32_t place) {
        lines_[place].before = newest_;
        (newest_ == none ? oldest_ : lines_[newest_].behind) = place;
        newest_ = place;
    }

    std::vector<line> lines_;  ///< by place
    std::uint32_t oldest_ = none;
    std::uint32_t newest_ = none;
    std::array<std::uint32_t, 128> owned_{};  ///< lines by owner
    owner_set writers_;                       ///< of all lines
};

}  // namespace heddle
