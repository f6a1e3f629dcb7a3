// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/thread_pool/dwf/dwf_configuration.h"

#include "hw/smx/thread_pool/dwf/warp_policies.h"

namespace heddle {

dwf_configuration::dwf_configuration()
    : policy(warp_policies::key<majority_policy>), policies(warp_policies::configurations()) {}

void dwf_configuration::declare(parameter_list& p) {
    p.add("dwf.policy", policy, warp_policies::names(),
          "Which warp of the pool issues: " + warp_policies::description());
    p.add("dwf.lut_entries", lut_entries, range(1, 4096), "entry", "Entries of the PC-warp LUT")
        .larger_is_better();
    p.add("dwf.lut_ways", lut_ways, range(1, 64), "entry", "Entries in a set of the PC-warp LUT")
        .larger_is_better();
    p.require({"dwf.lut_entries", "dwf.lut_ways"},
              "dwf.lut_entries is dwf.lut_ways * a power of two",
              [this] { return pc_table_sets_fit(lut_entries, lut_ways); });
    p.add("dwf.pool_entries", pool_entries, range(2, 4096), "warp",
          "Warps that the warp pool holds")
        .larger_is_better();
    p.add("dwf.pools", pools,
          {{"per_scheduler", pool_count::per_scheduler}, {"shared", pool_count::shared}},
          "Pools of an SMX: per_scheduler = one for each warp scheduler, with the threads of its "
          "home warps; shared = one in which all schedulers pick");
    policies.declare(p);
    p.add("dwf.lane_aware", lane_aware,
          "A thread joins a warp only where its home lane is free, so that no register moves to "
          "another lane");
    p.add(
        "dwf.swizzling", swizzling,
        {{"none", lane_swizzling::none},
         {"swap", lane_swizzling::swap},
         {"rotate", lane_swizzling::rotate}},
        "How home lanes differ between home warps: swap = every second one exchanges odd and even "
        "lanes; rotate = lanes are rotated by the warp's number");
    p.add("dwf.home_lanes", home_lanes,
          {{"warp", home_lane_count::warp}, {"pipeline", home_lane_count::pipeline}},
          "Home lanes of a warp's threads: warp = one for each thread; pipeline = one for each "
          "lane of the pipeline, which has places for several threads of the warp");
    p.add("dwf.bank_conflicts", bank_conflicts,
          "Without dwf.lane_aware, a warp whose threads share register banks takes further "
          "cycles")
        .best(false);
    p.add("dwf.infinite_resources", infinite_resources,
          "Pool, heap, LUTs, update registers and swaps of the heap have no limits")
        .best(true);
    p.add("dwf.overflow_latency", overflow_latency, range(1, 100000), "cycle",
          "Latency of moving threads without an entry of pool or heap to the overflow list in "
          "memory, and of moving them back")
        .smaller_is_better();
    p.add("dwf.patience", patience, range(0, 1000000000), "cycle",
          "A warp that has waited this long issues first; 0 = never. Majority and minority can "
          "starve warps");
    p.add("dwf.individual_return", individual_return,
          "Threads return from memory in the turn in which their own data come; otherwise all "
          "threads of a memory instruction return together")
        .best(true);
}

}  // namespace heddle
