// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/l1/load_cache_configuration.h"

namespace heddle {

l1_data_cache_configuration load_cache_configuration::as_data_cache() const noexcept {
    l1_data_cache_configuration cache;
    cache.size = size;
    cache.line = line;
    cache.ways = ways;
    cache.hit_latency = hit_latency;
    cache.mshrs = mshrs;
    cache.mshr_targets = mshr_targets;
    cache.cache_global = true;
    return cache;
}

void load_cache_configuration::declare_as(parameter_list& p, const std::string& key,
                                          const std::string& name) {
    p.add("size", size, range(0, 1 << 20), "byte",
          "Capacity of the " + name + " of an SMX; 0: none, and its loads are ordinary loads")
        .larger_is_better();
    p.add("line", line, one_of({32, 64, 128}), "byte", "Line of the " + name);
    p.add("ways", ways, range(1, 128), "line", "Lines in a set of the " + name).larger_is_better();
    p.add("hit_latency", hit_latency, range(1, 1000), "cycle",
          "Latency of a hit in the " + name + ", from the access to the value")
        .smaller_is_better();
    p.add("mshrs", mshrs, range(1, 256), "line",
          "Miss registers of the " + name + ": lines that it can fetch at a time")
        .larger_is_better();
    p.add("mshr_targets", mshr_targets, range(1, 1024), "access",
          "Accesses that can wait for one miss of the " + name)
        .larger_is_better();
    p.require({"size", "line", "ways"},
              key + ".size is 0 or " + key + ".line * " + key + ".ways * a power of two",
              [this] { return as_data_cache().has_whole_sets(); });
}

void constant_cache_configuration::declare(parameter_list& p) {
    declare_as(p, "constant_cache", "constant cache");
    p.add("ports", ports, range(1, 8), "access",
          "Loads of constants that the constant cache serves in one cycle, a word each")
        .larger_is_better();
}

void read_only_cache_configuration::declare(parameter_list& p) {
    declare_as(p, "read_only_cache", "read-only cache");
    p.add("ports", ports, range(1, 8), "access",
          "Lines of the read-only cache that a load reads in one cycle")
        .larger_is_better();
}

}  // namespace heddle
