// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "models/base/counted_statistics.h"

namespace heddle {

/// Of the load-store unit, scope "smx.N.lsu".
inline constexpr statistic_declaration lsu_statistics[] = {
    {"loads", "instruction", "Load instructions of warps that entered the load-store unit"},
    {"stores", "instruction", "Store instructions of warps that entered the load-store unit"},
    {"atomics", "instruction", "Atomic instructions of warps that entered the load-store unit"},
    {"line_accesses", "access", "Coalesced accesses to global and private memory"},
    {"shared_accesses", "access", "Accesses to shared memory"},
    {"uncached_loads", "access", "Coalesced loads that bypassed L1D"},
    {"write_requests", "request", "Stores that were sent to the crossbar"},
    {"atomic_requests", "request", "Atomic accesses that were sent to the crossbar"},
};

/// What the machine shows of a data cache.
struct l1d_counts {
    std::uint64_t accesses = 0;
    std::uint64_t misses = 0;
    std::uint64_t reservation_fails = 0;  ///< cycles in which an access waited for L1D
    std::uint64_t stores_around = 0;
    std::uint64_t thread_accesses = 0;

    static constexpr std::uint64_t l1d_counts::*fields[] = {
        &l1d_counts::accesses, &l1d_counts::misses, &l1d_counts::reservation_fails,
        &l1d_counts::stores_around, &l1d_counts::thread_accesses};
};

/// Of the data cache, scope "smx.N.l1d".
inline constexpr counted_statistic<l1d_counts> l1d_load_statistics[] = {
    {{"accesses", "access", "Coalesced loads that looked up their line in L1D"},
     "l1d_accesses",
     count_of<&l1d_counts::accesses>},
    {{"misses", "access", "L1D loads that sent a request of their own to memory"},
     "l1d_misses",
     count_of<&l1d_counts::misses>},
    {{"miss_rate", "",
      "L1D misses / L1D accesses; a load that joins a miss under way is no miss, a load that "
      "bypasses L1D no access"},
     "l1d_miss_rate",
     count_of<&l1d_counts::misses>,
     count_of<&l1d_counts::accesses>},
    {{"reservation_fails", "cycle",
      "Cycles in which the oldest access of a load-store unit waited for a place in L1D"},
     "reservation_fails",
     count_of<&l1d_counts::reservation_fails>},
    {{"stores_around", "access",
      "Coalesced stores to global memory that went past L1D: all, but for those that it keeps with "
      "l1d.write_policy = back"},
     "l1d_stores_around",
     count_of<&l1d_counts::stores_around>},
    {{"thread_accesses", "access",
      "Accesses of threads: lanes of loads, stores and atomics of global and private memory"},
     "l1d_thread_accesses",
     count_of<&l1d_counts::thread_accesses>},
};

/// Beside them.
inline constexpr statistic_declaration l1d_statistics[] = {
    {"hits", "access", "Coalesced loads that found their bytes in L1D"},
    {"mshr_merges", "access", "Coalesced loads that joined a miss under way"},
    {"private_stores", "access", "Coalesced stores to private memory"},
    {"evictions", "line", "Lines that were evicted for other lines"},
    {"lost_localities", "access",
     "Misses of a warp on a line that the same warp had brought and that was evicted (counted with "
     "smx.scheduler = ccws)"},
    {"global_stores", "access",
     "Coalesced stores to global memory that L1D kept (l1d.write_policy = back)"},
    {"write_backs", "line", "Dirty lines that were written back"},
    {"lines_cleaned", "line",
     "Lines of global memory that were written back and kept their place: for fences, launches, "
     "suspensions, ends of blocks, and loads that bypass L1D"},
    {"fills_not_installed", "line",
     "Fills that were delivered but not installed, because a store, an atomic or an invalidation "
     "came first"},
    {"lines_dropped", "line", "Lines invalidated by atomics, fences and launches"},
    {"lines_discarded", "line",
     "Lines of private memory that were discarded because their block had ended"},
    {"bank_conflicts", "cycle",
     "Cycles in which lanes waited for a bank that other lanes of their warp used (l1d.banks above "
     "1)"},
    {"reservation_fails.mshr_full", "cycle",
     "Cycles in which the oldest access waited for a free miss register"},
    {"reservation_fails.mshr_merge_full", "cycle",
     "Cycles in which the oldest access waited because the miss on its line had all its targets"},
    {"reservation_fails.miss_queue_full", "cycle",
     "Cycles in which the oldest access waited for the queue to the crossbar or for answers"},
    {"reservation_fails.line_reserved", "cycle",
     "Cycles in which the oldest access waited for a fill of its line or set"},
};

/// What a cache that serves only loads counts.
struct load_cache_counts {
    std::uint64_t accesses = 0;
    std::uint64_t hits = 0;
    std::uint64_t mshr_merges = 0;
    std::uint64_t misses = 0;
    std::uint64_t evictions = 0;
    std::uint64_t fills_not_installed = 0;
    std::uint64_t lines_dropped = 0;
    std::uint64_t reservation_fails = 0;  ///< cycles in which an access waited for the cache

    static constexpr std::uint64_t load_cache_counts::*fields[] = {
        &load_cache_counts::accesses,      &load_cache_counts::hits,
        &load_cache_counts::mshr_merges,   &load_cache_counts::misses,
        &load_cache_counts::evictions,     &load_cache_counts::fills_not_installed,
        &load_cache_counts::lines_dropped, &load_cache_counts::reservation_fails};
};

/// Of the constant cache, scope "smx.N.constant_cache".
inline constexpr counted_statistic<load_cache_counts> constant_cache_statistics[] = {
    {{"accesses", "access",
      "Loads of constants that looked up a word in the constant cache; a load has one access for "
      "each word that its lanes want"},
     "constant_cache_accesses",
     count_of<&load_cache_counts::accesses>},
    {{"hits", "access", "Accesses that found their word in the constant cache"},
     nullptr,
     count_of<&load_cache_counts::hits>},
    {{"mshr_merges", "access", "Accesses of the constant cache that joined a miss under way"},
     nullptr,
     count_of<&load_cache_counts::mshr_merges>},
    {{"misses", "access",
      "Accesses of the constant cache that sent a request of their own to memory"},
     "constant_cache_misses",
     count_of<&load_cache_counts::misses>},
    {{"miss_rate", "",
      "Misses / accesses of the constant cache; an access that joins a miss under way is no miss"},
     "constant_cache_miss_rate",
     count_of<&load_cache_counts::misses>,
     count_of<&load_cache_counts::accesses>},
    {{"evictions", "line", "Lines of the constant cache that were evicted for other lines"},
     nullptr,
     count_of<&load_cache_counts::evictions>},
    {{"fills_not_installed", "line",
      "Fills of the constant cache that were delivered but not installed, because a launch had "
      "begun meanwhile"},
     nullptr,
     count_of<&load_cache_counts::fills_not_installed>},
    {{"lines_dropped", "line", "Lines of the constant cache invalidated by launches"},
     nullptr,
     count_of<&load_cache_counts::lines_dropped>},
    {{"reservation_fails", "cycle",
      "Cycles in which the oldest access of a load-store unit waited for the constant cache: for a "
      "miss register, room at a miss under way, a line of its set, or the queue to the crossbar"},
     "constant_cache_reservation_fails",
     count_of<&load_cache_counts::reservation_fails>},
};

/// Of the read-only cache, scope "smx.N.read_only_cache".
inline constexpr counted_statistic<load_cache_counts> read_only_cache_statistics[] = {
    {{"accesses", "access",
      "Coalesced loads by ldg that looked up their line in the read-only cache"},
     "read_only_cache_accesses",
     count_of<&load_cache_counts::accesses>},
    {{"hits", "access", "Accesses that found their line in the read-only cache"},
     nullptr,
     count_of<&load_cache_counts::hits>},
    {{"mshr_merges", "access", "Accesses of the read-only cache that joined a miss under way"},
     nullptr,
     count_of<&load_cache_counts::mshr_merges>},
    {{"misses", "access",
      "Accesses of the read-only cache that sent a request of their own to memory"},
     "read_only_cache_misses",
     count_of<&load_cache_counts::misses>},
    {{"miss_rate", "",
      "Misses / accesses of the read-only cache; an access that joins a miss under way is no miss"},
     "read_only_cache_miss_rate",
     count_of<&load_cache_counts::misses>,
     count_of<&load_cache_counts::accesses>},
    {{"evictions", "line", "Lines of the read-only cache that were evicted for other lines"},
     nullptr,
     count_of<&load_cache_counts::evictions>},
    {{"fills_not_installed", "line",
      "Fills of the read-only cache that were delivered but not installed, because a launch had "
      "begun meanwhile"},
     nullptr,
     count_of<&load_cache_counts::fills_not_installed>},
    {{"lines_dropped", "line", "Lines of the read-only cache invalidated by launches"},
     nullptr,
     count_of<&load_cache_counts::lines_dropped>},
    {{"reservation_fails", "cycle",
      "Cycles in which the oldest access of a load-store unit waited for the read-only cache: for "
      "a "
      "miss register, room at a miss under way, a line of its set, or the queue to the crossbar"},
     "read_only_cache_reservation_fails",
     count_of<&load_cache_counts::reservation_fails>},
};

}  // namespace heddle
