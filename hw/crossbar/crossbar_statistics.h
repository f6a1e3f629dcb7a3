// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "models/base/statistics.h"

namespace heddle {

/// Of each of the two networks: scopes crossbar.request and crossbar.response.
inline constexpr statistic_declaration crossbar_statistics[] = {
    {"messages", "message", "Messages that have left the network"},
    {"bytes", "byte", "Bytes of the messages that have entered, headers included"},
    {"flits", "flit", "Flits that have moved through the switch"},
    {"utilization", "", "Flits per output and cycle of the crossbar's clock"},
    {"latency", "cycle", "Time of a message from the input buffer until it leaves the network"},
    {"stall_input_full", "cycle", "Time of messages before an input buffer without credits"},
    {"stall_not_granted", "cycle",
     "Time of input buffers that could have sent a flit and were granted nothing useful"},
    {"stall_output_full", "cycle", "Time of input buffers with messages to full outputs only"},
    {"stall_receiver", "cycle", "Time of outputs whose message the receiver has not accepted"},
    {"lost_grants", "flit", "Grants to full outputs (crossbar.output_check = after_allocation)"},
};

}  // namespace heddle
