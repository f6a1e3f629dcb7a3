// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "models/base/parameter.h"

namespace heddle {

/// Parameters of the Kernel Management Unit, keys `kmu.*`.
struct kmu_configuration {
    unsigned queues = 32;             ///< Wang et al., ISCA 2015, 2.2: Hyper-Q of GK110
    unsigned queue_depth = 64;        ///< ours: no source gives the depth of a hardware work queue
    unsigned dispatch_latency = 283;  ///< Wang et al., ISCA 2015, Table 3
    /// 1: dispatches overlap, as Table 3 is about a latency. With dispatch_latency they do not.
    unsigned dispatch_interval = 1;

    void declare(parameter_list& p) {
        p.add("queues", queues, range(1, 64), "queue",
              "Hardware work queues; more streams than queues share queues and serialise")
            .larger_is_better();
        p.add("queue_depth", queue_depth, range(1, 65536), "launch",
              "Launches that one hardware work queue can hold")
            .larger_is_better(1024);
        p.add("dispatch_latency", dispatch_latency, range(1, 1'000'000), "cycle",
              "Time from the inspection of a queue's head to the arrival of the launch at the "
              "kernel distributor")
            .smaller_is_better();
        p.add("dispatch_interval", dispatch_interval, range(1, 1'000'000), "cycle",
              "Time between two inspections that find something to dispatch: 1 = dispatches "
              "overlap, kmu.dispatch_latency = they do not")
            .smaller_is_better();
    }
};

}  // namespace heddle
