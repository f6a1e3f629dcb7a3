// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <vector>

#include "models/base/strong_index.h"

namespace heddle {

/// The victim tag array of Rogers, O'Connor, Aamodt (MICRO 2012): per warp slot the tags of lines
/// that the warp has brought into L1D and that gave way to others. A miss of the warp on such a
/// line is locality that the warp has lost. Sets of `ways` tags, the least recently lost goes
/// first; the set is that of the line number's low bits. O(ways) each.
class victim_tags {
public:
    /// `entries` tags a warp, a multiple of `ways`.
    victim_tags(unsigned warps, unsigned entries, unsigned ways, std::uint32_t line_bytes)
        : ways_(ways),
          sets_(entries / ways),
          line_bytes_(line_bytes),
          tags_(std::size_t{warps} * entries, none) {}

    /// A line that the warp has brought gives way.
    void lose(warp_slot warp, std::uint32_t line) {
        std::uint32_t* const set = set_of(warp, line);
        unsigned place = 0;
        while (place + 1 < ways_ && set[place] != line) ++place;
        for (; place > 0; --place) set[place] = set[place - 1];
        set[0] = line;
    }
    /// The warp misses on `line`: whether that is lost locality. The tag goes, the line comes.
    bool missed(warp_slot warp, std::uint32_t line) {
        std::uint32_t* const set = set_of(warp, line);
        for (unsigned place = 0; place < ways_; ++place) {
            if (set[place] != line) continue;
            for (; place + 1 < ways_; ++place) set[place] = set[place + 1];
            set[ways_ - 1] = none;
            return true;
        }
        return false;
    }
    /// A new warp has the slot.
    void clear(warp_slot warp) {
        const std::size_t entries = std::size_t{sets_} * ways_;
        for (std::size_t i = 0; i < entries; ++i) tags_[warp.value() * entries + i] = none;
    }

private:
    static constexpr std::uint32_t none = 1;  ///< no line's address

    [[nodiscard]] std::uint32_t* set_of(warp_slot warp, std::uint32_t line) noexcept {
        const std::size_t set = std::size_t{warp.value()} * sets_ + line / line_bytes_ % sets_;
        return &tags_[set * ways_];
    }

    unsigned ways_;
    unsigned sets_;
    std::uint32_t line_bytes_;
    std::vector<std::uint32_t> tags_;  ///< by warp, set, and when they were lost, the latest first
};

}  // namespace heddle
