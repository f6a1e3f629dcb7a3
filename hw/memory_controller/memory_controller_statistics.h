// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "hw/memory_controller/memory_channel.h"
#include "hw/protocol/memory_counts.h"
#include "models/base/histogram.h"
#include "models/base/statistics.h"

namespace heddle {

/// Beside memory_statistics and channel_statistics, scope "memory_controller.N".
inline constexpr statistic_declaration memory_controller_statistics[] = {
    {"activates", "command", "ACT commands issued"},
    {"column_reads", "command", "RD commands issued"},
    {"column_writes", "command", "WR commands issued"},
    {"precharges", "command", "PRE commands issued"},
    {"refreshes", "command", "REF commands issued; each refreshes all banks"},
    {"row_hits", "access", "Column accesses that found their row open when their bank took them"},
    {"row_misses", "access", "Column accesses that found no row open when their bank took them"},
    {"row_conflicts", "access",
     "Column accesses that found another row open when their bank took them"},
    {"row_hit_rate", "", "Row hits / column accesses"},
    {"turnarounds", "",
     "Turns of the data bus from reads to writes (counted with dram.scheduler = fr_fcfs)"},
    {"bandwidth_utilization", "", "Time with data on the bus / time of the run"},
    {"queue_occupancy", "access",
     "Mean number of column accesses in the queue, over the time with at least one"},
    {"queue_occupancy_peak", "access", "Largest number of column accesses in the queue"},
    {"queue_latency", "cycle",
     "Memory cycles from the arrival of a column access until a bank takes it"},
    {"dram_latency", "cycle",
     "Memory cycles from when a bank takes a column access until its data have passed the bus"},
};

struct memory_controller_counts : memory_counts {
    channel_counts channel;
    histogram queue_latency = histogram::powers_of_two();
    histogram dram_latency = histogram::powers_of_two();
};

}  // namespace heddle
