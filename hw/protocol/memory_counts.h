// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "models/base/counted_statistics.h"

namespace heddle {

/// What every model of memory counts, of a channel or of all channels.
struct memory_counts {
    std::uint64_t reads = 0, writes = 0;
    std::uint64_t bytes_read = 0, bytes_written = 0;
    std::uint64_t errors = 0;
    std::uint64_t busy_cycles = 0;  ///< utilization = busy_cycles / (channels * cycles)
    std::uint64_t pending_cycles = 0;
    std::uint64_t changes = 0;  ///< see memory_traffic

    static constexpr std::uint64_t memory_counts::*fields[] = {
        &memory_counts::reads,          &memory_counts::writes, &memory_counts::bytes_read,
        &memory_counts::bytes_written,  &memory_counts::errors, &memory_counts::busy_cycles,
        &memory_counts::pending_cycles, &memory_counts::changes};
};

/// Scopes "dram", all channels, and "memory_controller.N".
inline constexpr counted_statistic<memory_counts> memory_statistics[] = {
    {{"reads", "access", "Read transactions that memory performed"},
     nullptr,
     count_of<&memory_counts::reads>},
    {{"writes", "access", "Write transactions that memory performed"},
     nullptr,
     count_of<&memory_counts::writes>},
    {{"bytes_read", "byte", "Bytes of read transactions"},
     nullptr,
     count_of<&memory_counts::bytes_read>},
    {{"bytes_written", "byte", "Bytes of write transactions"},
     nullptr,
     count_of<&memory_counts::bytes_written>},
    {{"errors", "access", "Transactions answered with an error"},
     nullptr,
     count_of<&memory_counts::errors>},
    {{"busy_cycles", "cycle",
      "Memory cycles with data on the bus of a channel, added over channels"},
     "dram_busy_cycles",
     count_of<&memory_counts::busy_cycles>},
    {{"pending_cycles", "cycle",
      "Memory cycles in which a channel has accesses waiting or under way, added over channels"},
     nullptr,
     count_of<&memory_counts::pending_cycles>},
};

/// Scope "memory_controller.N".
inline constexpr counted_statistic<memory_counts> channel_statistics[] = {
    {{"efficiency", "",
      "Time with data on the bus / time with accesses waiting or under way, both added over "
      "channels"},
     "dram_efficiency",
     count_of<&memory_counts::busy_cycles>,
     count_of<&memory_counts::pending_cycles>},
};

}  // namespace heddle
