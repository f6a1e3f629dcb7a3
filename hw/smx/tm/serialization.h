// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "models/base/bits.h"
#include "models/base/transaction_configuration.h"
#include "models/isa/instruction.h"

namespace heddle {

/// Which of the lanes that have lost run again while the others wait: one, or all that have lost to
/// none that comes before them; the lowest or the highest comes first. Villegas et al.,
/// "Improvements in Hardware Transactional Memory for GPU Architectures", section 3.
class serialization {
public:
    explicit serialization(transaction_serialization which) noexcept
        : ascending_(which == transaction_serialization::ascending_single ||
                     which == transaction_serialization::ascending_multiple),
          multiple_(which == transaction_serialization::ascending_multiple ||
                    which == transaction_serialization::descending_multiple) {}

    /// Of lanes that have just lost, those that are no candidates (their MCM bits clear):
    /// `to_lower` have lost to a lower lane of their warp, `to_higher` to a higher one, perhaps to
    /// both. Who has lost to another warp only stays a candidate.
    [[nodiscard]] isa::lane_mask rejected(isa::lane_mask to_lower,
                                          isa::lane_mask to_higher) const noexcept {
        if (!multiple_) return 0;
        return ascending_ ? to_lower : to_higher;
    }
    /// The lanes of `lost`, which is not empty, that run again; `candidates` is the MCM. If those
    /// that lost have committed since, there may be no candidate; then it is the first.
    [[nodiscard]] isa::lane_mask choose(isa::lane_mask lost,
                                        isa::lane_mask candidates) const noexcept {
        const isa::lane_mask chosen = multiple_ ? lost & candidates : 0;
        return chosen != 0 ? chosen : first(lost);
    }
    /// The one lane of `lost` that comes first.
    [[nodiscard]] isa::lane_mask first(isa::lane_mask lost) const noexcept {
        return ascending_ ? lost & (~lost + 1)
                          : bits::one(63 - static_cast<unsigned>(__builtin_clzll(lost)));
    }

private:
    const bool ascending_;
    const bool multiple_;
};

}  // namespace heddle
