// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

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

struct motrr_configuration {
    memory_classification classify = memory_classification::opcode;

    void declare(parameter_list& p);
};

struct two_level_configuration {
    std::uint32_t group = 8;

    void declare(parameter_list& p);
};

/// The defaults are those of Rogers, O'Connor, Aamodt 2012, table 2, as far as it has them.
struct ccws_configuration {
    std::uint32_t base_score = 100;
    std::uint32_t throttle = 8;
    std::uint32_t victim_tags = 16;
    std::uint32_t victim_ways = 8;

    void declare(parameter_list& p);
};

/// The warp schedulers of an SMX, keys `smx.` (their number is `smx.schedulers`); the policies' own
/// keys are `motrr.`, `two_level.` and `ccws.`.
struct warp_scheduler_configuration {
    selection_policy scheduler;
    motrr_configuration motrr;
    two_level_configuration two_level;
    ccws_configuration ccws;
    scheduler_assignment assignment = scheduler_assignment::modulo;

    /// The default is `gto`.
    warp_scheduler_configuration();
    void declare(parameter_list& p);
};

}  // namespace heddle
