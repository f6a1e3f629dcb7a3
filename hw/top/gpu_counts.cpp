// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/top/gpu_counts.h"

#include "hw/smx/smx_core.h"
#include "hw/top/gpu.h"

namespace heddle {

void gpu_counts::subtract(const gpu_counts& earlier) {
    core_cycles -= earlier.core_cycles;
    cycles -= earlier.cycles;
    gap_cycles -= earlier.gap_cycles;
    block_cycles -= earlier.block_cycles;
    launches -= earlier.launches;
    smxs.subtract(earlier.smxs);
    l2_accesses -= earlier.l2_accesses;
    l2_misses -= earlier.l2_misses;
    memory.reads -= earlier.memory.reads;
    memory.writes -= earlier.memory.writes;
    memory.bytes_read -= earlier.memory.bytes_read;
    memory.bytes_written -= earlier.memory.bytes_written;
    memory.busy_cycles -= earlier.memory.busy_cycles;
    memory.pending_cycles -= earlier.memory.pending_cycles;
    memory.errors -= earlier.memory.errors;
}

gpu_moment present(const gpu& machine) {
    return {machine.core_clock().edge_count(), machine.dram_clock().edge_count()};
}

gpu_moment moment_before(const gpu& machine, std::uint64_t time) {
    return {machine.core_clock().rate().first_edge_not_before(time),
            machine.dram_clock().rate().first_edge_not_before(time)};
}

gpu_counts counts_at(const gpu& machine, const gpu_moment& moment) {
    gpu_counts all;
    all.core_cycles = moment.core;
    all.cycles = machine.host_processor().busy_cycles(moment.core);
    all.gap_cycles = machine.host_processor().gap_cycles();
    all.block_cycles = machine.block_scheduler().block_cycles(moment.core);
    all.launches = machine.block_scheduler().started_launches();
    for (const auto& one : machine.smxs()) all.smxs.add(one->core().counts(moment.core));
    for (const auto& bank : machine.l2_banks()) {
        all.l2_accesses += bank->counts().accesses;
        all.l2_misses += bank->counts().misses;
    }
    all.memory = machine.memory().counts(moment.dram);
    return all;
}

}  // namespace heddle
