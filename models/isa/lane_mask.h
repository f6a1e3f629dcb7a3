// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "models/isa/instruction.h"

namespace heddle::isa {

/// Lanes 0 to count - 1; `count` is at most 64.
[[nodiscard]] constexpr lane_mask lowest_lanes(unsigned count) noexcept {
    return count >= 64 ? ~lane_mask{0} : (lane_mask{1} << count) - 1;
}

/// The lowest of a non-empty set.
[[nodiscard]] inline unsigned first_lane(lane_mask lanes) noexcept {
    return static_cast<unsigned>(__builtin_ctzll(lanes));
}

/// Number of lanes.
[[nodiscard]] inline unsigned count_lanes(lane_mask lanes) noexcept {
    return static_cast<unsigned>(__builtin_popcountll(lanes));
}

/// Calls f(lane) for every set bit, lowest first.
template <class Function>
void for_each_lane(lane_mask lanes, Function&& f) {
    for (; lanes != 0; lanes &= lanes - 1) f(first_lane(lanes));
}

}  // namespace heddle::isa
