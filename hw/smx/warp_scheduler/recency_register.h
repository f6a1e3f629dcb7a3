// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>

#include "hw/smx/warp_scheduler/warp_selection.h"
#include "models/base/bits.h"

namespace heddle {

/// The Recency Register of Kim, Kim, Kim 2019 (Fig. 4): each warp slot of the SMX has a 6-bit
/// counter c and a bit R. c counts the memory instructions of other warps that have completed since
/// the last one of this warp. The warps with R are the recency group. It has at most max(1,
/// floor(active warps / 2)) warps.
///
/// When a load or store of w completes: c of every other active warp = min(c + 1, 63); c of w = 0,
/// its R = 1; while the group is too large, R of the largest c in it is cleared (tie: the highest
/// slot; never w). A new warp has c = 63 and R = 0. The end of a warp clears its R, then the group
/// shrinks.
///
/// A counter is stored as the number of the completion that zeroed it. So a completion does not
/// visit all slots; it visits the group only when the group is too large.
class recency_register {
public:
    static constexpr unsigned slots = 64;
    static constexpr unsigned largest = 63;  ///< of a 6-bit counter

    void started(unsigned warp) noexcept {
        active_ |= bit(warp);
        zeroed_[warp] = completions_ - largest;
    }
    void gone(unsigned warp) noexcept {
        active_ &= ~bit(warp);
        recent_ &= ~bit(warp);
        shrink(0);
    }
    /// A load or store of the warp has completed. For an empty slot it changes nothing.
    void completed(unsigned warp) noexcept {
        if ((active_ & bit(warp)) == 0) return;
        zeroed_[warp] = ++completions_;
        recent_ |= bit(warp);
        shrink(bit(warp));
    }

    /// R of all slots.
    [[nodiscard]] std::uint64_t recent() const noexcept { return recent_; }
    [[nodiscard]] std::uint64_t active() const noexcept { return active_; }
    /// c of an active warp.
    [[nodiscard]] unsigned counter(unsigned warp) const noexcept {
        const std::uint64_t age = completions_ - zeroed_[warp];
        return age < largest ? static_cast<unsigned>(age) : largest;
    }

private:
    static std::uint64_t bit(unsigned warp) noexcept { return std::uint64_t{1} << warp; }
    static int count(std::uint64_t mask) noexcept { return __builtin_popcountll(mask); }

    /// Makes the group as small as it has to be, without touching `kept`.
    void shrink(std::uint64_t kept) noexcept {
        const int half = count(active_) / 2;
        for (int excess = count(recent_) - (half > 1 ? half : 1); excess > 0; --excess) {
            unsigned oldest = 0;
            unsigned oldest_counter = 0;
            for (std::uint64_t left = recent_ & ~kept; left != 0; left &= left - 1) {
                const unsigned warp = bits::first(left);
                const unsigned c = counter(warp);
                if (c >= oldest_counter) {
                    oldest = warp;
                    oldest_counter = c;
                }
            }
            recent_ &= ~bit(oldest);
        }
    }

    std::array<std::uint64_t, slots> zeroed_{};  ///< number of the completion that made c = 0
    std::uint64_t completions_ = largest;
    std::uint64_t active_ = 0;
    std::uint64_t recent_ = 0;
};

}  // namespace heddle
