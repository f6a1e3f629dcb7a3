// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/smx_waves.h"

#include "hw/smx/smx_core.h"

namespace heddle {

smx_waves::smx_waves(waveform& waves, const std::string& scope, std::size_t block_slots,
                     unsigned warps, unsigned scheduler_count)
    : resident(waves.declare_bits(scope + ".resident", warps)),
      ready(waves.declare_bits(scope + ".ready", warps)),
      memory(waves.declare_bits(scope + ".waits_for_memory", warps)),
      at_barrier(waves.declare_bits(scope + ".at_barrier", warps)) {
    for (std::size_t slot = 0; slot < block_slots; ++slot) {
        const std::string name = scope + ".tbcr_" + std::to_string(slot);
        blocks.push_back(
            {waves.declare_bits(name + ".valid", 1), waves.declare_integer(name + ".kdei"),
             waves.declare_integer(name + ".blkid"), waves.declare_bits(name + ".warps", warps)});
    }
    for (unsigned s = 0; s < scheduler_count; ++s) {
        schedulers.push_back({waves.declare_state(scope + ".issue_" + std::to_string(s),
                                                  {"issued", "unit_busy", "memory_stall", "memory",
                                                   "dependency", "fetch", "barrier", "no_warp"})});
    }
}

void smx_core::publish() {
    smx_waves& w = *waves_;
    w.resident.set(~states_.in(warp_state::absent));
    w.ready.set(states_.ready());
    w.memory.set(states_.in(warp_state::waits_for_memory));
    w.at_barrier.set(at_barrier_);
    for (std::size_t slot = 0; slot < blocks_.size(); ++slot) {
        const block_context& block = blocks_[slot];
        w.blocks[slot].valid.set(block.dispatch ? 1 : 0);
        w.blocks[slot].warps.set(block.warps);
        if (!block.dispatch) continue;
        w.blocks[slot].kdei.set(block.dispatch->kde.value());
        w.blocks[slot].blkid.set(block.dispatch->block);
    }
    for (unsigned s = 0; s < own_.size(); ++s) {
        w.schedulers[s].cause.set(static_cast<std::uint64_t>(account_.current(s)));
    }
    lsu_.publish();
}

}  // namespace heddle
