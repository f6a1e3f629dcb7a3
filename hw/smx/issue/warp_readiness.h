// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "hw/smx/blocks/block_table.h"
#include "hw/smx/fetch/warp_paths.h"
#include "hw/smx/issue/idle_cause.h"
#include "hw/smx/issue/memory_heads.h"
#include "hw/smx/pipeline/issue_table.h"
#include "hw/smx/pipeline/scoreboard.h"
#include "hw/smx/pipeline/warp_states.h"
#include "hw/smx/pipeline/warp_waits.h"
#include "models/program/address_map.h"

namespace heddle {

/// Which warps are ready, and what the others wait for. The state of a warp is found again when
/// something touches the warp, so that no cycle looks at all of them.
class warp_readiness {
public:
    /// What decides about a warp; all of it outlives the object.
    struct parts {
        warp_paths& paths;
        const issue_table& table;
        block_table& blocks;
        warp_waits& waits;
        const scoreboard& results;
    };
    /// `rule`: which memory instructions count as such for the selection policy.
    warp_readiness(unsigned warps, memory_classification rule, const parts& of)
        : of_(of), states_(warps), heads_(rule) {}

    /// A new program.
    void use_program(const program::kernel_code& code) {
        heads_.use_program(program::code_position(code.base), code.instructions.size());
    }

    /// Warps whose states have to be found again.
    [[nodiscard]] protocol::warp_mask& dirty() noexcept { return dirty_; }
    void touch(protocol::warp_mask warps) noexcept { dirty_ |= warps; }
    /// Finds the states of the dirty warps again; returns these warps.
    protocol::warp_mask refresh();
    /// The state of a warp as of now, which states() may not have yet.
    [[nodiscard]] warp_state state_of(unsigned warp) const;
    [[nodiscard]] const warp_states& states() const noexcept { return states_; }

    /// Ready warps whose next instruction is for memory, as the selection policy counts it.
    [[nodiscard]] protocol::warp_mask ready_for_counted_memory() const noexcept {
        return states_.ready_for_memory() & ~heads_.uncounted();
    }
    /// The memory instruction at `position` of the code has issued; `address`: of its lowest lane.
    void memory_issued(std::size_t position, std::uint32_t address);
    /// Whether the selection policy hears of the end of the memory instruction at `position`.
    [[nodiscard]] bool completion_counts(std::size_t position) const noexcept {
        return heads_.completion_counts(position);
    }

    /// What `own` warps wait for, of which none is ready.
    [[nodiscard]] idle_cause waiting_cause(protocol::warp_mask own) const noexcept;
    /// What the warp does, or what keeps it from its next instruction.
    [[nodiscard]] const char* doing(unsigned warp) const;

private:
    void look_at_head(unsigned warp, bool memory) noexcept;

    const parts of_;
    warp_states states_;
    memory_heads heads_;
    protocol::warp_mask dirty_ = 0;
};

// Here, as refresh() and issue_stage ask for each instruction.
[[gnu::always_inline]] inline warp_state warp_readiness::state_of(unsigned warp) const {
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

}  // namespace heddle
