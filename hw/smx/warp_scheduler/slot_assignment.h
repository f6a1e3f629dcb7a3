// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <string>

#include "hw/protocol/link.h"
#include "hw/smx/warp_scheduler/warp_scheduler_configuration.h"
#include "models/base/error.h"

namespace heddle {

/// The warp slots of an SMX that belong to scheduler `index` of `schedulers`; each of the `warps`
/// slots is one scheduler's. Throws configuration_error for an index or number that does not exist.
inline protocol::warp_mask slots_of_scheduler(scheduler_assignment assignment, unsigned index,
                                              unsigned schedulers, unsigned warps) {
    if (schedulers == 0 || schedulers > protocol::maximum_warps || index >= schedulers) {
        throw configuration_error("warp scheduler " + std::to_string(index) + " of " +
                                  std::to_string(schedulers) +
                                  ": an SMX has 1 to 64 schedulers, counted from 0");
    }
    protocol::warp_mask slots = 0;
    for (unsigned slot = 0; slot < warps; ++slot) {
        const unsigned owner = assignment == scheduler_assignment::modulo
                                   ? slot % schedulers
                                   : slot * schedulers / warps;
        if (owner == index) slots |= protocol::warp_mask{1} << slot;
    }
    return slots;
}

}  // namespace heddle
