// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <algorithm>
#include <cstdint>

namespace heddle {

/// Whether the threads of a crew get cores when they need them. Where other programs use the cores,
/// a thread that waits for another one waits for milliseconds. Then the main thread goes on alone
/// for some instants, and for twice as many each time that the next try is as bad.
class contention {
public:
    static constexpr std::uint32_t shortest_rest = 64, longest_rest = 1U << 16;
    /// So many good instants in a row make the next rest a short one.
    static constexpr std::uint32_t good_for_short = 256;

    /// Before an instant that is worth sharing: the main thread runs it alone.
    [[nodiscard]] bool rests() noexcept {
        if (left_ == 0) return false;
        --left_;
        return true;
    }
    /// After a shared instant: whether the main thread had to wait long.
    void shared(bool waited_long) noexcept {
        if (!waited_long) {
            if (++good_ >= good_for_short) rest_ = shortest_rest;
            return;
        }
        good_ = 0;
        left_ = rest_;
        rest_ = std::min(2 * rest_, longest_rest);
    }

private:
    std::uint32_t left_ = 0;  ///< instants of the present rest
    std::uint32_t rest_ = shortest_rest;
    std::uint32_t good_ = 0;
};

}  // namespace heddle
