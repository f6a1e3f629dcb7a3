// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <vector>

#include "hw/protocol/link.h"
#include "hw/smx/smx_configuration.h"

namespace heddle {

/// Tags and miss registers of the instruction cache. The code is predecoded, so the cache keeps no
/// data. It is set-associative and evicts the least recently used line.
class instruction_cache {
public:
    explicit instruction_cache(const l1i_configuration& configuration);

    enum class outcome : std::uint8_t {
        hit,
        missed,  ///< a new miss: the caller asks memory for the line
        merged,  ///< the line is under way
        full,    ///< no room for a new miss: try again
    };

    [[nodiscard]] std::uint32_t line_bytes() const noexcept { return line_; }
    [[nodiscard]] std::uint32_t line_of(std::uint32_t pc) const noexcept {
        return pc & ~(line_ - 1);
    }
    /// Warp `warp` wants the line of `pc`; after `missed` and `merged` it waits for it. Without
    /// `may_miss` a new miss is refused as `full`.
    outcome look_up(std::uint32_t pc, unsigned warp, bool may_miss = true);
    /// The line at `address`, which had missed, has arrived. Returns the warps that wait for it.
    protocol::warp_mask fill(std::uint32_t address);
    /// Forgets all lines. Misses under way are filled as usual.
    void invalidate();
    [[nodiscard]] bool misses_pending() const noexcept { return pending_ != 0; }

private:
    struct way {
        std::uint32_t line = 0;
        bool valid = false;
        std::uint64_t used = 0;  ///< larger is more recent
    };
    struct miss {
        std::uint32_t line = 0;
        bool active = false;
        protocol::warp_mask waiting = 0;
    };

    [[nodiscard]] way* set_of(std::uint32_t line) noexcept {
        return &tags_[std::size_t{line / line_ % sets_} * ways_];
    }
    [[nodiscard]] way* find(std::uint32_t line) noexcept;

    std::uint32_t line_;
    std::uint32_t ways_;
    std::uint32_t sets_;
    std::vector<way> tags_;
    std::vector<miss> misses_;
    unsigned pending_ = 0;
    std::uint64_t clock_ = 0;
    way* last_ = nullptr;  ///< the line of the last look-up: most look-ups hit the same line again
};

}  // namespace heddle
