// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/lsu/load_store_configuration.h"

namespace heddle {

void load_store_configuration::declare(parameter_list& p) {
    p.add("queue_depth", queue_depth, range(1, 64), "instruction",
          "Memory instructions in the load-store unit that have accesses to make")
        .larger_is_better();
    p.add("request_queue", request_queue, range(2, 256), "request",
          "Requests that wait for the link to the crossbar: so many of the data side, and as many "
          "of instruction fetch; requests still within lsu.request_latency do not count")
        .larger_is_better();
    p.add("outstanding", outstanding, range(16, 65536), "request",
          "Requests of an SMX without an answer from memory")
        .larger_is_better(8192);
    p.add("request_latency", request_latency, range(0, 1'000), "cycle",
          "Time of a request from a first-level cache of the SMX to the link to the crossbar; "
          "requests overlap")
        .smaller_is_better();
    p.add("return_latency", return_latency, range(1, 1'000), "cycle",
          "Time of an answer of memory from the link to the SMX until the load-store unit or "
          "instruction fetch has it; answers overlap")
        .smaller_is_better();
    p.add("sector", sector, one_of({4, 8, 16, 32}), "byte",
          "Sector: loads that bypass L1D request whole sectors");
}

}  // namespace heddle
