// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "hw/base/part_configurations.h"
#include "models/base/parameter.h"

namespace heddle {

/// Which of its issuable warps a scheduler picks: a place in the list `selection_policies`.
enum class selection_policy : std::uint8_t {};

/// Which warp slots are whose, where an SMX has several schedulers (slot_assignment.h).
enum class scheduler_assignment : std::uint8_t {
    modulo,      ///< slot w: scheduler w modulo their number, the parity of w with two
    contiguous,  ///< neighbouring slots: scheduler w * schedulers / slots
};

/// What counts as a memory instruction for `mto`, `motrr` and `motrr_recency`.
enum class memory_classification : std::uint8_t {
    opcode,       ///< every load, store and atomic
    last_window,  ///< those that last went to global memory; at first every one
    loads,        ///< loads only: what `ccws` holds back; not for the user
};

/// The warp schedulers of an SMX, keys `smx.` (their number is `smx.schedulers`).
struct warp_scheduler_configuration {
    selection_policy scheduler;
    part_configurations policies;  ///< each is in the header of its policy; declared apart
    scheduler_assignment assignment = scheduler_assignment::modulo;

    /// The default is `gto`.
    warp_scheduler_configuration();
    void declare(parameter_list& p);
};

}  // namespace heddle
