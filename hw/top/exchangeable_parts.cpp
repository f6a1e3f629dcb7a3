// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/top/exchangeable_parts.h"

namespace heddle {

void slot_configuration::declare(parameter_list& p) {
    const exchangeable_parts parts;
    p.add("warp_scheduler", warp_scheduler, parts.warp_scheduler.keys(),
          "What carries out the selection of warps");
    p.add("formation", formation, parts.formation.keys(),
          "What carries out the formation of warps");
    p.add("crossbar_allocator", crossbar_allocator, parts.crossbar_allocator.keys(),
          "What carries out the allocators of the crossbar");
    p.add("dram_scheduler", dram_scheduler, parts.dram_scheduler.keys(),
          "What carries out the choice among the accesses of a DRAM channel");
}

}  // namespace heddle
