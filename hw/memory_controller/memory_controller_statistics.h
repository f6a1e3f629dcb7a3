// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "hw/memory_controller/memory_channel.h"
#include "models/base/histogram.h"
#include "models/base/statistics.h"

namespace heddle {

inline constexpr statistic_declaration memory_controller_statistics[] = {
    {"reads", "access", "Read transactions performed"},
    {"writes", "access", "Write transactions performed"},
    {"bytes_read", "byte", "Bytes of read transactions"},
    {"bytes_written", "byte", "Bytes of write transactions"},
    {"errors", "access", "Transactions answered with an error"},
    {"activates", "command", "ACT commands"},
    {"column_reads", "command", "RD commands"},
    {"column_writes", "command", "WR commands"},
    {"precharges", "command", "PRE commands"},
    {"refreshes", "command", "REF commands, of all banks"},
    {"row_hits", "access", "Column accesses that found their row open when their bank took them"},
    {"row_misses", "access", "Column accesses that found their bank closed"},
    {"row_conflicts", "access", "Column accesses that found another row open"},
    {"row_hit_rate", "", "row_hits / column accesses"},
    {"turnarounds", "", "Turns of the data bus from reads to writes, fr_fcfs"},
    {"busy_cycles", "cycle", "Time with data on the bus"},
    {"pending_cycles", "cycle", "Time with column accesses waiting or under way"},
    {"efficiency", "", "busy_cycles / pending_cycles"},
    {"bandwidth_utilization", "", "busy_cycles / cycles"},
    {"queue_occupancy", "access", "Column accesses in the queue, mean over the time with any"},
    {"queue_occupancy_peak", "access", "The most at once"},
    {"queue_latency", "cycle", "From its arrival until a bank takes the column access"},
    {"dram_latency", "cycle", "From then until its data have passed the bus"},
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
