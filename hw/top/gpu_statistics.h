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
    {"cycles", "cycle", "Core cycles in which a launch was open"},
    {"host_gap_cycles", "cycle", "Core cycles between launches, in which only the host ran"},
    {"time", "s", "Simulated time in which a launch was open"},
    {"launches", "launch", "Launches whose first block has started"},
    {"blocks_running", "block",
     "Mean number of blocks between their dispatch to an SMX and their end"},
    {"ipc", "instruction/cycle", "Thread instructions per core cycle"},
    {"warp_ipc", "instruction/cycle", "Warp instructions per core cycle"},
    {"smx_occupancy", "",
     "Mean number of resident warps of an SMX that have not ended / warp slots"},
    {"warps_resident", "warp", "Mean number of resident warps of an SMX that have not ended"},
    {"warps_in_flight", "warp",
     "Mean number of warps of an SMX with an instruction between issue and write-back, over the "
     "cycles with a resident warp"},
    {"stall_cycles", "cycle",
     "Cycles x schedulers without issue because units or the load-store unit were busy"},
    {"reservation_fails", "cycle",
     "Cycles in which the oldest access of a load-store unit waited for a place in L1D"},
    {"l1d_accesses", "access", "Coalesced loads that looked up their line in L1D"},
    {"l1d_misses", "access", "L1D loads that sent a request of their own to memory"},
    {"l1d_miss_rate", "",
     "L1D misses / L1D accesses; a load that joins a miss under way is no miss, a load that "
     "bypasses L1D no access"},
    {"l2_accesses", "access", "Loads, stores, atomics and instruction fetches at the L2 banks"},
    {"l2_misses", "access",
     "L2 accesses that allocated a line or fetched bytes of one from memory"},
    {"l2_miss_rate", "", "L2 misses / L2 accesses"},
    {"dram_bytes", "byte", "Bytes that memory read and wrote"},
    {"dram_busy_cycles", "cycle", "Memory cycles with a transfer, summed over all ports"},
    {"dram_efficiency", "",
     "Transfer time / time with a pending access, both summed over all ports"},
    {"dram_bandwidth", "byte/s", "Bytes that memory read and wrote / simulated time"},
    {"dram_bandwidth_utilization", "",
     "Transfer time / time of the run, both summed over all ports"},
};

/// Declares the three tables under "gpu".
void declare_gpu(statistics& into);
/// Sets them, for a run or an interval of it.
void set_gpu(statistics& into, const gpu_counts& counts, const gpu_configuration& configuration);

/// Declares and sets the statistics of the whole machine after a run.
void collect_gpu(const simulation& run, const gpu_configuration& configuration, statistics& into);

}  // namespace heddle
