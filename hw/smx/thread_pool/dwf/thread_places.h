// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "models/base/bits.h"
#include "models/isa/instruction.h"

namespace heddle {

/// How home lanes differ between home warps, so that a branch on the lane leaves both sides threads
/// in all lanes.
enum class lane_swizzling : std::uint8_t {
    none,    ///< not at all
    swap,    ///< every second home warp exchanges odd and even lanes (Fung 2008, 4.1)
    rotate,  ///< lanes are rotated by the number of the home warp (GPGPU-Sim 2.x)
};

/// Home lanes of threads, and the places of a warp that a thread may take (Fung 2008, 4.1).
///
/// The registers of a thread lie in the bank of its home lane: thread number mod home lanes,
/// changed by swizzling.
///
/// A warp of W threads passes a pipeline of L home lanes in W / L parts, so it has W / L places for
/// threads of one home lane: places l, l + L, l + 2L, ... for home lane l. With W home lanes each
/// thread has one place. Without lane awareness a thread may take any place.
class thread_places {
public:
    struct setting {
        unsigned warp_size;
        unsigned home_lanes;  ///< divides warp_size; both are powers of two
        bool lane_aware;
        lane_swizzling swizzling;
    };
    explicit thread_places(const setting& s) noexcept
        : warp_size_(s.warp_size),
          home_lanes_(s.home_lanes),
          exchanges_(s.swizzling == lane_swizzling::swap ? 1 : 0),
          rotates_(s.swizzling == lane_swizzling::rotate ? ~0U : 0),
          columns_(s.lane_aware ? s.home_lanes : 1) {
        for (unsigned place = 0; place < warp_size_; place += columns_) every_ |= bits::one(place);
    }

    /// Whether every thread has exactly one place, which is its home lane.
    [[nodiscard]] bool fixed() const noexcept { return columns_ == warp_size_; }
    [[nodiscard]] unsigned home_lane(unsigned thread) const noexcept {
        const unsigned home_warp = thread / warp_size_;
        return ((thread ^ (home_warp & exchanges_)) + (home_warp & rotates_)) & (home_lanes_ - 1);
    }
    /// The places that a thread may take.
    [[nodiscard]] isa::lane_mask places(unsigned thread) const noexcept {
        return every_ << (home_lane(thread) & (columns_ - 1));
    }
    /// Clocks that the register banks take for these threads beyond those of a warp without
    /// conflicts: each bank gives one thread's registers a clock.
    [[nodiscard]] unsigned conflict_clocks(isa::lane_mask lanes,
                                           const std::uint16_t* threads) const noexcept {
        if (columns_ == home_lanes_) return 0;
        std::array<std::uint8_t, 64> of_bank{};
        unsigned most = 0;
        bits::for_each(lanes, [&](unsigned lane) {
            most = std::max<unsigned>(most, ++of_bank[home_lane(threads[lane])]);
        });
        const unsigned free_of_charge = warp_size_ / home_lanes_;
        return most > free_of_charge ? most - free_of_charge : 0;
    }

private:
    const unsigned warp_size_;
    const unsigned home_lanes_;
    const unsigned exchanges_;  ///< the bit of a home warp's number that exchanges lanes, or none
    const unsigned rotates_;    ///< the bits of it that rotate them, or none
    const unsigned columns_;    ///< home lanes that the conflict check tells apart
    isa::lane_mask every_ = 0;  ///< places of home lane 0
};

}  // namespace heddle
