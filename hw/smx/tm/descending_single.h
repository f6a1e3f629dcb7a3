// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "hw/smx/tm/serialization.h"
#include "models/base/bits.h"

namespace heddle {

/// `descending_single`: the highest lane.
class descending_single final : public serialization {
public:
    [[nodiscard]] isa::lane_mask rejected(isa::lane_mask /*to_lower*/,
                                          isa::lane_mask /*to_higher*/) const noexcept override {
        return 0;
    }
    [[nodiscard]] isa::lane_mask choose(isa::lane_mask lost,
                                        isa::lane_mask /*candidates*/) const noexcept override {
        return first(lost);
    }
    [[nodiscard]] isa::lane_mask first(isa::lane_mask lost) const noexcept override {
        return bits::one(63 - static_cast<unsigned>(__builtin_clzll(lost)));
    }
};

}  // namespace heddle
