// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/l1/l1_data_cache_configuration.h"

namespace heddle {

void l1_data_cache_configuration::declare(parameter_list& p) {
    p.add("size", size, range(0, 1 << 20), "byte",
          "Capacity of an SMX's data cache; 0: no cache, and private memory is in L2")
        .larger_is_better();
    p.add("line", line, one_of({32, 64, 128}), "byte",
          "Line of the data cache; the lanes of a warp coalesce to lines");
    p.add("ways", ways, range(1, 64), "line", "Lines in a set of the data cache")
        .larger_is_better();
    p.add("hit_latency", hit_latency, range(1, 1000), "cycle",
          "Latency of a hit in the data cache, from the access to the value")
        .smaller_is_better();
    p.add("mshrs", mshrs, range(1, 256), "line",
          "Miss registers of the data cache: lines that it can fetch at a time")
        .larger_is_better();
    p.add("mshr_targets", mshr_targets, range(1, 1024), "access",
          "Accesses that can wait for one miss of the data cache")
        .larger_is_better();
    p.add("cache_global", cache_global,
          "The data cache keeps lines of global memory for plain loads; it always keeps private "
          "memory")
        .best(true);
    p.add("write_policy", policy,
          choices<write_policy>{{"through", write_policy::through}, {"back", write_policy::back}},
          "Stores to global memory, with l1d.cache_global; without it they always go through. "
          "through: memory gets them at once, and they allocate no line; "
          "back: the data cache keeps them, and writes the bytes to memory that were stored when "
          "the line is evicted, or before a fence, a launch, a suspension or the end of the block "
          "is over");
    p.add("store_miss", missed_store,
          choices<store_miss>{{"allocate", store_miss::allocate}, {"around", store_miss::around}},
          "A store to global memory that finds no line, with l1d.write_policy = back. "
          "allocate: makes a line that holds only its own bytes; "
          "around: goes to memory, and makes no line");
    p.add("set_index", sets,
          choices<set_index>{{"hashed", set_index::hashed}, {"plain", set_index::plain}},
          "What chooses the set of a line. hashed: the exclusive or of all bit groups of its "
          "number; plain: its lowest bits, so that lines a power of two apart share a set");
    p.add("banks", banks, range(1, 64), "bank",
          "Banks of the data cache: neighbouring lines are in different banks, and a load or store "
          "accesses one line of each bank in a cycle")
        .larger_is_better();
    p.require({"size", "line", "ways"}, "l1d.size is 0 or l1d.line * l1d.ways * a power of two",
              [this] { return has_whole_sets(); });
}

}  // namespace heddle
