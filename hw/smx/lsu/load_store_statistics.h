// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "models/base/statistics.h"

namespace heddle {

/// Of the load-store unit, scope "smx.N.lsu".
inline constexpr statistic_declaration lsu_statistics[] = {
    {"loads", "instruction", "Load instructions of warps"},
    {"stores", "instruction", "Store instructions of warps"},
    {"atomics", "instruction", "Atomic instructions of warps"},
    {"line_accesses", "access", "Coalesced accesses to global and private memory"},
    {"shared_accesses", "access", "Accesses to shared memory"},
    {"uncached_loads", "access", "Coalesced loads that bypassed the data cache"},
    {"write_requests", "request", "Stores that were sent to memory"},
    {"atomic_requests", "request", "Atomic accesses that were sent to memory"},
};

/// Of its data cache, scope "smx.N.l1d".
inline constexpr statistic_declaration l1d_statistics[] = {
    {"accesses", "access", "Coalesced loads that looked for their line"},
    {"hits", "access", "Loads that found their bytes"},
    {"pending_hits", "access", "Loads that joined a miss under way"},
    {"misses", "access", "Loads that asked memory for the line"},
    {"miss_rate", "", "Misses per access, pending hits not counted as misses"},
    {"private_stores", "access", "Coalesced stores to private memory"},
    {"evictions", "line", "Lines that gave way to others"},
    {"lost_localities", "access",
     "Misses on lines that the warp had brought and lost (counted with smx.scheduler = ccws)"},
    {"write_backs", "line", "Dirty lines of private memory that were written to memory"},
    {"fills_not_installed", "line", "Fills that a store, an atomic or an invalidation overtook"},
    {"lines_dropped", "line", "Lines forgotten because of atomics, fences and launches"},
    {"lines_discarded", "line", "Lines of private memory of blocks that have ended"},
    {"bank_conflicts", "cycle",
     "Cycles in which lanes waited for a bank that others of their warp used (l1d.banks above 1)"},
    {"reservation_fails", "cycle", "Cycles in which an access had to wait for the cache"},
    {"reservation_fails.mshr_full", "cycle", "... because every miss register was taken"},
    {"reservation_fails.mshr_merge_full", "cycle", "... because the miss had all its targets"},
    {"reservation_fails.miss_queue_full", "cycle", "... because requests did not get away"},
    {"reservation_fails.line_reserved", "cycle", "... because the line or set waited for a fill"},
};

}  // namespace heddle
