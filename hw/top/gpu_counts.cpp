// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/top/gpu_counts.h"

#include "hw/top/gpu.h"

namespace heddle {

void gpu_counts::subtract(const gpu_counts& earlier) {
    core_cycles -= earlier.core_cycles;
    cycles -= earlier.cycles;
    gap_cycles -= earlier.gap_cycles;
    block_cycles -= earlier.block_cycles;
    launches -= earlier.launches;
    smxs.subtract(earlier.smxs);
    subtract_counts(l2, earlier.l2);
    subtract_counts(memory, earlier.memory);
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
    for (const auto& one : machine.smxs()) all.smxs.add(one->counts(moment.core));
    for (const auto& bank : machine.l2_banks()) add_counts(all.l2, bank->counts());
    all.memory = machine.memory().counts(moment.dram);
    return all;
}

}  // namespace heddle
