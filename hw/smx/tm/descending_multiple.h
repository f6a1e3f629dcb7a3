// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "hw/smx/tm/serialization.h"
#include "models/base/bits.h"

namespace heddle {

/// `descending_multiple`: all lanes that have lost to no higher one of their warp. If those that
/// lost have committed since, there may be none; then the highest.
class descending_multiple final : public serialization {
public:
    [[nodiscard]] isa::lane_mask rejected(isa::lane_mask /*to_lower*/,
                                          isa::lane_mask to_higher) const noexcept override {
        return to_higher;
    }
    [[nodiscard]] isa::lane_mask choose(isa::lane_mask lost,
                                        isa::lane_mask candidates) const noexcept override {
        const isa::lane_mask chosen = lost & candidates;
        return chosen != 0 ? chosen : first(lost);
    }
    [[nodiscard]] isa::lane_mask first(isa::lane_mask lost) const noexcept override {
        return bits::one(63 - static_cast<unsigned>(__builtin_clzll(lost)));
    }
};

}  // namespace heddle
