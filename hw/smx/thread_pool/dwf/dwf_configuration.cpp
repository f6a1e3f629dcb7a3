// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/thread_pool/dwf/dwf_configuration.h"

#include "hw/smx/thread_pool/dwf/warp_policies.h"
#include "models/base/bits.h"

namespace heddle {
namespace {

bool power_of_two_sets(std::uint32_t entries, std::uint32_t ways) {
    return entries % ways == 0 && bits::count(entries / ways) == 1;
}

}  // namespace

dwf_configuration::dwf_configuration() : policy(warp_policies::key<majority_policy>) {}

void dwf_configuration::declare(parameter_list& p) {
    p.add("policy", policy, warp_policies::names(),
          "Which warp of the pool issues: " + warp_policies::description());
    p.add("lut_entries", lut_entries, range(1, 4096), "entry", "Entries of the PC-warp LUT");
    p.add("lut_ways", lut_ways, range(1, 64), "entry", "Entries in a set of the PC-warp LUT");
    p.require({"lut_entries", "lut_ways"}, "dwf.lut_entries is dwf.lut_ways * a power of two",
              [this] { return power_of_two_sets(lut_entries, lut_ways); });
    p.add("pool_entries", pool_entries, range(2, 4096), "warp", "Warps that the warp pool holds");
    p.add("heap_entries", heap_entries, range(2, 4096), "entry",
          "PCs that the heap of the policies majority and minority holds");
    p.add("heap_lut_entries", heap_lut_entries, range(1, 4096), "entry",
          "Entries of the MHeap LUT, which finds the heap's entry of a PC");
    p.add("heap_lut_ways", heap_lut_ways, range(1, 64), "entry",
          "Entries in a set of the MHeap LUT");
    p.require({"heap_lut_entries", "heap_lut_ways"},
              "dwf.heap_lut_entries is dwf.heap_lut_ways * a power of two",
              [this] { return power_of_two_sets(heap_lut_entries, heap_lut_ways); });
    p.add("lane_aware", lane_aware,
          "A thread joins a warp only where its home lane is free, so that no register moves to "
          "another lane");
    p.add("swizzling", swizzling,
          "Threads of every second home warp exchange odd and even home lanes");
    p.add("home_lanes", home_lanes,
          {{"warp", home_lane_count::warp}, {"pipeline", home_lane_count::pipeline}},
          "Home lanes of a warp's threads: warp = one for each thread; pipeline = one for each "
          "lane of the pipeline, which has places for several threads of the warp");
    p.add("bank_conflicts", bank_conflicts,
          "Without dwf.lane_aware, a warp whose threads share register banks takes further "
          "cycles");
    p.add("infinite_resources", infinite_resources,
          "Pool, heap, LUTs, update registers and swaps of the heap have no limits");
    p.add("overflow_latency", overflow_latency, range(1, 100000), "cycle",
          "Latency of moving threads without an entry of pool or heap to the overflow list in "
          "memory, and of moving them back");
    p.add("patience", patience, range(0, 1000000000), "cycle",
          "A warp that has waited this long issues first; 0 = never. Majority and minority can "
          "starve warps");
    p.add("individual_return", individual_return,
          "Threads return from memory in the turn in which their own data come; otherwise all "
          "threads of a memory instruction return together");
}

}  // namespace heddle
