// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "hw/memory_controller/memory_channel.h"
#include "models/base/histogram.h"
#include "models/base/statistics.h"

namespace heddle {

inline constexpr statistic_declaration memory_controller_statistics[] = {
    {"reads", "access", "Read transactions that the channel performed"},
    {"writes", "access", "Write transactions that the channel performed"},
    {"bytes_read", "byte", "Bytes of read transactions"},
    {"bytes_written", "byte", "Bytes of write transactions"},
    {"errors", "access", "Transactions answered with an error"},
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
    {"busy_cycles", "cycle", "Memory cycles with data on the bus"},
    {"pending_cycles", "cycle", "Memory cycles with column accesses waiting or under way"},
    {"efficiency", "",
     "Time with data on the bus / time with column accesses waiting or under way"},
    {"bandwidth_utilization", "", "Time with data on the bus / time of the run"},
    {"queue_occupancy", "access",
     "Mean number of column accesses in the queue, over the time with at least one"},
    {"queue_occupancy_peak", "access", "Largest number of column accesses in the queue"},
    {"queue_latency", "cycle",
     "Memory cycles from the arrival of a column access until a bank takes it"},
    {"dram_latency", "cycle",
     "Memory cycles from when a bank takes a column access until its data have passed the bus"},
};

struct memory_controller_counts {
    std::uint64_t reads = 0, writes = 0;
    std::uint64_t bytes_read = 0, bytes_written = 0;
    std::uint64_t errors = 0;
    std::uint64_t busy_cycles = 0;     ///< efficiency = busy_cycles / pending_cycles
    std::uint64_t pending_cycles = 0;  ///< utilization = busy_cycles / cycles
    channel_counts channel;
    histogram queue_latency = histogram::powers_of_two();
    histogram dram_latency = histogram::powers_of_two();
};

}  // namespace heddle
