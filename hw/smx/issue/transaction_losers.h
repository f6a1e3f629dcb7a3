// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "models/isa/instruction.h"

namespace heddle {

/// Takes lanes that have lost their transaction out of their warps' groups. An object of this very
/// class stands where no lane can lose.
class transaction_losers {
public:
    virtual ~transaction_losers() = default;
    /// Lanes of the warp have lost. Their words have their old values.
    virtual void lost(unsigned /*warp*/, isa::lane_mask /*lanes*/) {}
};

}  // namespace heddle
