// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "hw/protocol/link.h"

namespace heddle {

/// Calls f(lane, in) for every lane that a warp can have; `in` has all bits set for lanes of
/// `lanes`, else none. Without branches and 32 bits wide, so that the host does eight lanes at
/// once.
template <class Function>
void for_all_lanes(isa::lane_mask lanes, Function&& f) {
    for (unsigned first = 0; first < protocol::maximum_lanes; first += 32) {
        const auto half = static_cast<std::uint32_t>(lanes >> first);
        for (unsigned n = 0; n < 32; ++n) f(first + n, 0 - (half >> n & 1));
    }
}

}  // namespace heddle
