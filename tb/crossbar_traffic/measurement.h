// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "tb/crossbar_traffic/traffic_options.h"
#include "tb/kit/testbench.h"

namespace heddle::crossbar_traffic {

/// Runs a crossbar with its sources and sinks for each offered load, prints throughput and latency
/// with closed forms beside, and checks: nothing lost, repeated or reordered within a flow, all
/// buffers empty at the end, and the closed forms where they hold exactly.
void measure(testbench& bench, const traffic_options& options);

}  // namespace heddle::crossbar_traffic
