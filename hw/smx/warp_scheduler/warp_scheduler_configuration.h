// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "models/base/parameter.h"

namespace heddle {

/// Which of its issuable warps a scheduler picks; one file per policy, one line per policy in the
/// table of selection_policies.cpp.
enum class selection_policy : std::uint8_t {
    lrr,  ///< loose round robin
    gto,  ///< greedy, then oldest
};

/// What carries the policy out; the key is `slot.warp_scheduler`, see hw/base/slot.h.
enum class scheduler_implementation : std::uint8_t { tlm };

struct warp_scheduler_slot_configuration {
    scheduler_implementation implementation = scheduler_implementation::tlm;

    void declare(parameter_list& p);
};

/// The warp schedulers of an SMX, keys `smx.` (their number is `smx.schedulers`) and, for `slot`,
/// `slot.`.
struct warp_scheduler_configuration {
    selection_policy scheduler = selection_policy::gto;
    warp_scheduler_slot_configuration slot;

    void declare(parameter_list& p);
};

}  // namespace heddle
