// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "hw/top/gpu_counts.h"
#include "hw/top/simulation.h"
#include "models/base/statistics.h"

namespace heddle {

/// The figures of the whole GPU beside execution_statistics and scheduler_statistics, scope "gpu".
/// Those of the blocks follow under their own scopes.
inline constexpr statistic_declaration gpu_statistics[] = {
    {"cycles", "cycle", "Core cycles from the first launch to the last completion, without gaps"},
    {"host_gap_cycles", "cycle", "Core cycles between launches, in which the host ran alone"},
    {"time", "s", "Simulated time of these cycles"},
    {"launches", "launch", "Launches whose first block has started"},
    {"blocks_running", "block", "Mean blocks on SMXs, from dispatch to end"},
    {"ipc", "instruction/cycle", "Thread instructions per core cycle"},
    {"warp_ipc", "instruction/cycle", "Warp instructions per core cycle"},
    {"smx_occupancy", "", "Mean resident warps of an SMX / warp slots, over the cycles"},
    {"warps_resident", "warp", "Mean warps of an SMX that have not ended"},
    {"warps_in_flight", "warp",
     "Mean warps of an SMX, while it has any, with an issued instruction whose result is not "
     "written yet"},
    {"stall_cycles", "cycle",
     "Cycles x schedulers without issue because units or the load-store unit were busy"},
    {"reservation_fails", "cycle", "Cycles in which an L1D could not take an access"},
    {"l1d_accesses", "access", "Coalesced loads that looked for their line in L1D"},
    {"l1d_misses", "access", "... and asked memory for it; merged with no other miss"},
    {"l1d_miss_rate", "", "Misses of L1D / its accesses; merged and bypassing accesses aside"},
    {"l2_accesses", "access", "Loads, stores, atomics and instruction fetches at L2"},
    {"l2_misses", "access", "... that brought a line in or fetched bytes of one"},
    {"l2_miss_rate", "", "Misses of L2 / its accesses"},
    {"dram_bytes", "byte", "Bytes that memory has read and written"},
    {"dram_busy_cycles", "cycle", "Memory cycles with a transfer, all ports added"},
    {"dram_efficiency", "", "Transfer time / time with an access pending, over all ports"},
    {"dram_bandwidth", "byte/s", "Bytes that memory has read and written / simulated time"},
    {"dram_bandwidth_utilization", "", "Transfer time / time of the run, over all ports"},
};

/// Declares the three tables under "gpu".
void declare_gpu(statistics& into);
/// Sets them, for a run or an interval of it.
void set_gpu(statistics& into, const gpu_counts& counts, const gpu_configuration& configuration);

/// Declares and sets the statistics of the whole machine after a run.
void collect_gpu(const simulation& run, const gpu_configuration& configuration, statistics& into);

}  // namespace heddle
