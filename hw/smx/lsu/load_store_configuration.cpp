// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/lsu/load_store_configuration.h"

namespace heddle {

void load_store_configuration::declare(parameter_list& p) {
    p.add("queue_depth", queue_depth, range(1, 64), "instruction",
          "Memory instructions in the load-store unit that have accesses to make");
    p.add("request_queue", request_queue, range(2, 256), "request",
          "Requests that wait for the link to the crossbar: so many of the data side, and as many "
          "of instruction fetch");
    p.add("outstanding", outstanding, range(16, 65536), "request",
          "Requests of an SMX without an answer from memory");
    p.add("sector", sector, one_of({4, 8, 16, 32}), "byte",
          "Sector: loads that bypass L1D request whole sectors");
}

}  // namespace heddle
