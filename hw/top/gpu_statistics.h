// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "models/base/statistics.h"

namespace heddle {

class simulation;
struct gpu_configuration;
struct gpu_counts;

/// What only the whole GPU has, scope "gpu". Beside them the scope has execution_statistics,
/// scheduler_statistics and what the tables of the blocks show of the machine (of_machine).
inline constexpr statistic_declaration gpu_statistics[] = {
    {"cycles", "cycle", "Core cycles in which a launch was open"},
    {"host_gap_cycles", "cycle", "Core cycles between launches, in which only the host ran"},
    {"time", "s", "Simulated time in which a launch was open"},
    {"launches", "launch", "Launches whose first block has started"},
    {"blocks_running", "block",
     "Mean number of blocks between their dispatch to an SMX and their end"},
    {"ipc", "instruction/cycle", "Thread instructions per core cycle"},
    {"warp_ipc", "instruction/cycle", "Warp instructions per core cycle"},
    {"warps_resident", "warp", "Mean number of resident warps of an SMX that have not ended"},
    {"dram_bytes", "byte", "Bytes that memory read and wrote"},
    {"dram_bandwidth", "byte/s", "Bytes that memory read and wrote / simulated time"},
    {"dram_bandwidth_utilization", "",
     "Transfer time / time of the run, both summed over all ports"},
};

/// Declares all statistics of scope "gpu".
void declare_gpu(statistics& into);
/// Sets them, for a run or an interval of it.
void set_gpu(statistics& into, const gpu_counts& counts, const gpu_configuration& configuration);

/// Declares and sets the statistics of the whole machine after a run.
void collect_gpu(const simulation& run, const gpu_configuration& configuration, statistics& into);

}  // namespace heddle
