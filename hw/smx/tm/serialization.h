// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <memory>

#include "models/base/transaction_configuration.h"
#include "models/isa/instruction.h"

namespace heddle {

/// Which of the lanes that have lost run again while the others wait: one class for each value of
/// tm.serialization. Villegas et al., "Improvements in Hardware Transactional Memory for GPU
/// Architectures", section 3.
class serialization {
public:
    serialization() = default;
    serialization(const serialization&) = delete;
    serialization& operator=(const serialization&) = delete;
    virtual ~serialization() = default;

    /// Of lanes that have just lost, those that are no candidates (their MCM bits clear):
    /// `to_lower` have lost to a lower lane of their warp, `to_higher` to a higher one, perhaps to
    /// both. Who has lost to another warp only stays a candidate.
    [[nodiscard]] virtual isa::lane_mask rejected(isa::lane_mask to_lower,
                                                  isa::lane_mask to_higher) const noexcept = 0;
    /// The lanes of `lost`, which is not empty, that run again; `candidates` is the MCM.
    [[nodiscard]] virtual isa::lane_mask choose(isa::lane_mask lost,
                                                isa::lane_mask candidates) const noexcept = 0;
    /// The one lane of `lost` that comes first.
    [[nodiscard]] virtual isa::lane_mask first(isa::lane_mask lost) const noexcept = 0;
};

[[nodiscard]] std::unique_ptr<serialization> make_serialization(transaction_serialization which);

}  // namespace heddle
