// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/l1/l1_data_cache_configuration.h"

namespace heddle {

void l1_data_cache_configuration::declare(parameter_list& p) {
    p.add("size", size, range(0, 1 << 20), "byte",
          "Capacity of an SMX's data cache; 0: none, private memory then goes to L2");
    p.add("line", line, one_of({32, 64, 128}), "byte",
          "Line; also what a warp's lanes coalesce to");
    p.add("ways", ways, range(1, 64), "line", "Associativity");
    p.add("hit_latency", hit_latency, range(1, 1000), "cycle", "From the access to the value");
    p.add("mshrs", mshrs, range(1, 256), "line", "Misses under way");
    p.add("mshr_targets", mshr_targets, range(1, 1024), "access",
          "Accesses that wait for one miss");
    p.add("cache_global", cache_global,
          "Plain loads of global memory are cached; private memory always is");
    p.add(
        "banks", banks, range(1, 64), "bank",
        "Neighbouring lines lie in different banks; a cycle takes one line of each from a load or "
        "store");
    p.require({"size", "line", "ways"}, "size is 0 or a power of two times line times ways",
              [this] {
                  const std::uint32_t sets = size / (line * ways);
                  return size == 0 ||
                         (sets * line * ways == size && (sets & (sets - 1)) == 0 && sets != 0);
              });
}

}  // namespace heddle
