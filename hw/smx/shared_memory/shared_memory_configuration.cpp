// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/shared_memory/shared_memory_configuration.h"

namespace heddle {

void shared_memory_configuration::declare(parameter_list& p) {
    p.add("banks", banks, one_of({1, 2, 4, 8, 16, 32, 64}), "bank",
          "Banks of an SMX's shared memory; each is one word of 4 bytes wide")
        .larger_is_better();
    p.add("latency", latency, range(1, 1000), "cycle",
          "Latency of shared memory: from the access to the value, without bank conflicts")
        .smaller_is_better();
    p.add("write_interval", write_interval, range(1, 4), "cycle",
          "Time that the banks of shared memory need for each turn of a store or atomic")
        .smaller_is_better();
    p.add(
         "replay_latency", replay_latency, range(1, 100), "cycle",
         "Latency that each turn of the banks beyond the first adds to an access to shared memory; "
         "the banks are busy for one cycle a turn")
        .smaller_is_better();
}

}  // namespace heddle
