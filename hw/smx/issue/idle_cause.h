// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "hw/protocol/link.h"
#include "hw/smx/pipeline/cycle_account.h"

namespace heddle {

/// Why a scheduler issues nothing, and the warps which have that cause: the one in the lowest slot
/// stands for them.
struct idle_cause {
    cycle_cause cause;
    protocol::warp_mask warps;  ///< none with no_warp
};

}  // namespace heddle
