// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "hw/smx/smx_configuration.h"

namespace heddle {

/// What `smx.formation` chooses from, and what it goes with.
struct formation_row {
    formation_policy policy;
    const char* name;
    const char* description;
    const char* schedulers;  ///< values of smx.scheduler that have an effect
    const char* needs;       ///< of other parameters; empty: nothing
    const char* refuses;     ///< kernels that reach these instructions; empty: none
};

inline constexpr char pool_needs[] =
    "smx.schedulers = 1, smx.dual_issue = false, smx.scheduler_pipeline = false; always barrel";
inline constexpr char pool_refuses[] = "votes, shuffles, launches, transactions";

inline constexpr formation_row formation_table[] = {
    {formation_policy::pdom, "pdom", "a reconvergence stack for each warp", "all", "", ""},
    {formation_policy::nrec, "nrec",
     "a warp splits where its threads branch to different PCs, and never merges again", "none",
     pool_needs, pool_refuses},
    {formation_policy::dwf, "dwf",
     "dynamic warp formation: threads with the same next PC form new warps", "none", pool_needs,
     pool_refuses},
    {formation_policy::mimd, "mimd",
     "the lanes take ready threads whatever their PCs: an ideal bound", "none", pool_needs,
     pool_refuses},
};

[[nodiscard]] const formation_row& row_of(formation_policy policy);

}  // namespace heddle
