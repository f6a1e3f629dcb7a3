// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "models/isa/instruction.h"

namespace heddle {

/// Takes lanes that have lost their transaction out of their warps' groups.
class transaction_losers {
public:
    /// Lanes of the warp have lost. Their words have their old values.
    virtual void lost(unsigned warp, isa::lane_mask lanes) = 0;

protected:
    ~transaction_losers() = default;
};

}  // namespace heddle
