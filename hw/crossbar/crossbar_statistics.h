// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "models/base/statistics.h"

namespace heddle {

/// Of each of the two networks: scopes crossbar.request and crossbar.response.
inline constexpr statistic_declaration crossbar_statistics[] = {
    {"messages", "message", "Messages that left the network"},
    {"bytes", "byte", "Bytes of the messages that entered the network, headers included"},
    {"flits", "flit", "Flits that moved through the switch"},
    {"utilization", "", "Flits per output and crossbar cycle"},
    {"latency", "cycle", "Time of a message from the input buffer until it leaves the network"},
    {"stall_input_full", "cycle", "Cycles that messages waited for credits of an input buffer"},
    {"stall_not_granted", "cycle",
     "Cycles that input buffers could have sent a flit, but got no grant for one"},
    {"stall_output_full", "cycle", "Cycles that input buffers had messages to full outputs only"},
    {"stall_receiver", "cycle", "Cycles that outputs waited for the receiver to accept a message"},
    {"lost_grants", "flit",
     "Grants that were lost because the output was full (crossbar.output_check = "
     "after_allocation)"},
};

}  // namespace heddle
