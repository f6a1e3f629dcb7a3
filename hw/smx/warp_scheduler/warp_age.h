// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>

#include "hw/smx/warp_scheduler/warp_selection.h"
#include "models/base/bits.h"

namespace heddle {

/// The order in which the warps of an SMX were allocated, as an age matrix: each slot has a mask of
/// the slots whose warps are older.
///
/// Finding the oldest of a set takes a step for each candidate that is older than all candidates
/// before it. A step is one load and a few word operations; their number is about the logarithm of
/// the set's size on average. An allocation visits all slots, once in a warp's life.
class warp_age {
public:
    static constexpr unsigned slots = 64;

    /// The slot's warp is younger than all others from now on.
    void started(unsigned warp) noexcept {
        const std::uint64_t bit = std::uint64_t{1} << warp;
        for (std::uint64_t& older : older_) {
            older &= ~bit;
        }
        older_[warp] = live_ & ~bit;
        live_ |= bit;
    }
    void gone(unsigned warp) noexcept { live_ &= ~(std::uint64_t{1} << warp); }

    /// Slots that hold a warp.
    [[nodiscard]] std::uint64_t live() const noexcept { return live_; }
    /// The oldest of `warps`, a subset of live() that is not empty.
    [[nodiscard]] unsigned oldest(std::uint64_t warps) const noexcept {
        unsigned found = bits::first(warps);
        while ((warps &= older_[found]) != 0) {
            found = bits::first(warps);
        }
        return found;
    }
    /// The warps of `among`, a subset of live(), that are older.
    [[nodiscard]] std::uint64_t older(unsigned warp, std::uint64_t among) const noexcept {
        return older_[warp] & among;
    }

private:
    std::array<std::uint64_t, slots> older_{};
    std::uint64_t live_ = 0;
};

}  // namespace heddle
