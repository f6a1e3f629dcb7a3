// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "models/isa/instruction.h"

namespace heddle::iss {

/// The lowest of a non-empty set.
inline unsigned first_lane(isa::lane_mask lanes) noexcept {
    return static_cast<unsigned>(__builtin_ctzll(lanes));
}

/// Calls f(lane) for every set bit, lowest first.
template <class Function>
void for_each_lane(isa::lane_mask lanes, Function&& f) {
    for (; lanes != 0; lanes &= lanes - 1) f(first_lane(lanes));
}

/// Number of lanes.
inline unsigned count_lanes(isa::lane_mask lanes) noexcept {
    return static_cast<unsigned>(__builtin_popcountll(lanes));
}

}  // namespace heddle::iss
