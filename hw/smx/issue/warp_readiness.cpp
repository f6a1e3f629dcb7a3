// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/issue/warp_readiness.h"

#include <utility>

namespace heddle {

protocol::warp_mask warp_readiness::refresh() {
    bits::for_each(dirty_, [&](unsigned warp) {
        const warp_state state = state_of(warp);
        states_.set(warp, state);
        look_at_head(
            warp, state == ready_for(unit_class::memory) || state == warp_state::ready_constants);
        if (is_ready(state)) of_.blocks.can_issue(of_.blocks.warp(warp).block);
    });
    return std::exchange(dirty_, 0);
}

/// What a warp's next instruction is taken for; `memory`: it is for memory, and could issue.
void warp_readiness::look_at_head(unsigned warp, bool memory) noexcept {
    if (!heads_.look_closer()) return;
    heads_.look(warp, memory ? &of_.paths.head(warp) : nullptr, of_.paths.position(warp));
}

void warp_readiness::memory_issued(std::size_t position, std::uint32_t address) {
    if (!heads_.issued(position, address)) return;
    // What has been learnt holds for the warps that wait with this instruction, too.
    bits::for_each(states_.ready_for_memory() & ~dirty_,
                   [&](unsigned each) { look_at_head(each, true); });
}

idle_cause warp_readiness::waiting_cause(protocol::warp_mask own) const noexcept {
    const protocol::warp_mask memory = own & states_.in(warp_state::waits_for_memory);
    if (memory != 0) {
        const protocol::warp_mask data = memory & ~of_.waits.counted_as<cycle_cause::fence>();
        if (data != 0) return {cycle_cause::memory, data};
        return {cycle_cause::fence, memory};
    }
    const protocol::warp_mask constants = own & states_.in(warp_state::waits_for_constants);
    if (constants != 0) return {cycle_cause::constants, constants};
    const protocol::warp_mask results = own & states_.in(warp_state::waits_for_result);
    if (results != 0) return {cycle_cause::dependency, results};
    const protocol::warp_mask instructions = own & states_.in(warp_state::waits_for_fetch);
    if (instructions != 0) return {cycle_cause::fetch, instructions};
    const protocol::warp_mask barrier = own & states_.in(warp_state::waits_at_barrier);
    if (barrier != 0) return {cycle_cause::barrier, barrier};
    return {cycle_cause::no_warp, 0};
}

const char* warp_readiness::doing(unsigned warp) const {
    if (const char* const wait = of_.waits.doing(warp); wait != nullptr) return wait;
    switch (state_of(warp)) {
        case warp_state::waits_for_memory:
            return "waits for memory";
        case warp_state::waits_for_constants:
            return "waits for constants";
        case warp_state::waits_for_result:
            return "waits for a result";
        case warp_state::waits_for_fetch:
            return "waits for instructions";
        default:
            return "runs";
    }
}

}  // namespace heddle
