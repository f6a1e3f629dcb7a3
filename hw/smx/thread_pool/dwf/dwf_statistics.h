// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "models/base/statistics.h"

namespace heddle {

/// Of dynamic warp formation, scope "smx.N.thread_pool", beside thread_pool_statistics.
inline constexpr statistic_declaration dwf_statistics[] = {
    {"warps_opened", "warp", "Warps that were opened in the warp pool"},
    {"threads_joined", "thread", "Threads that joined a warp which was in the warp pool before"},
    {"lane_conflicts", "thread",
     "Threads that could not join the warp of their PC because their lane was taken in it"},
    {"lut_replacements", "entry", "Entries of the PC-warp LUT that were replaced by another PC"},
    {"register_waits", "cycle",
     "Cycles in which a warp update register waited for the heap or for a port of a LUT"},
    {"overflows", "thread", "Threads that went to the overflow list"},
    {"rescues", "warp", "Warps that issued first because they had waited for dwf.patience"},
    {"bank_conflict_cycles", "cycle", "Cycles that conflicts in the register banks took"},
    {"pool_maximum", "warp", "Warps in the warp pool, the most at a time"},
    {"heap_maximum", "entry", "Entries of the heap over PCs, the most at a time"},
    {"heap_swaps", "swap", "Swaps of two entries of the heap over PCs"},
    {"heap_lut_replacements", "entry", "Entries of the MHeap LUT that were replaced by another PC"},
};

}  // namespace heddle
