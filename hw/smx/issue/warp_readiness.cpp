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

warp_state warp_readiness::state_of(unsigned warp) const {
    // Also where none of its lanes runs, in a transaction.
    if (bits::test(of_.waits.in<warp_state::waits_for_memory>(), warp)) {
        return warp_state::waits_for_memory;
    }
    if (of_.paths.group(warp).lanes == 0) return warp_state::absent;
    if (bits::test(of_.waits.in<warp_state::waits_at_barrier>(), warp)) {
        return warp_state::waits_at_barrier;
    }
    if (of_.paths.buffers().empty(warp)) return warp_state::waits_for_fetch;
    const issue_info& info = of_.table[of_.paths.position(warp)];
    if (!of_.results.blocked(warp, info.operands)) {
        return info.loads_constants ? warp_state::ready_constants : ready_for(info.unit);
    }
    if (of_.results.waits_for_memory(warp, info.operands)) return warp_state::waits_for_memory;
    return of_.results.waits_for_constants(warp, info.operands) ? warp_state::waits_for_constants
                                                                : warp_state::waits_for_result;
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

cycle_cause warp_readiness::waiting_cause(protocol::warp_mask own) const noexcept {
    const protocol::warp_mask memory = states_.in(warp_state::waits_for_memory)&own;
    if (memory != 0) {
        const protocol::warp_mask at_fences = of_.waits.counted_as<cycle_cause::fence>();
        return (memory & ~at_fences) != 0 ? cycle_cause::memory : cycle_cause::fence;
    }
    if ((states_.in(warp_state::waits_for_constants)&own) != 0) return cycle_cause::constants;
    if ((states_.in(warp_state::waits_for_result)&own) != 0) return cycle_cause::dependency;
    if ((states_.in(warp_state::waits_for_fetch)&own) != 0) return cycle_cause::fetch;
    if ((states_.in(warp_state::waits_at_barrier)&own) != 0) return cycle_cause::barrier;
    return cycle_cause::no_warp;
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
