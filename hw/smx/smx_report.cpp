// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// What an SMX tells about a run that gets nowhere.
#include <fmt/format.h>

#include "hw/smx/local_memory/local_memory.h"
#include "hw/smx/smx_core.h"
#include "models/simt/fault_text.h"
#include "models/simt/progress_text.h"

namespace heddle {

std::uint64_t smx_core::progress() const noexcept {
    return progress_ + links_.memory_banks.counters().changes;
}

/// What the warp does, or what keeps it from its next instruction.
std::string smx_core::doing(unsigned warp) const {
    if ((fenced_ & bit(warp)) != 0) return "waits at a fence for its accesses";
    switch (state_of(warp)) {
        case warp_state::waits_for_memory:
            return "waits for memory";
        case warp_state::waits_for_result:
            return "waits for a result";
        case warp_state::waits_for_fetch:
            return "waits for instructions";
        case warp_state::waits_at_barrier:
            return simt::at_barrier;
        default:
            return "runs";
    }
}

std::vector<std::string> smx_core::waiting_warps() const {
    std::vector<std::string> lines;
    for (protocol::warp_mask left = all_ & ~free_; left != 0; left &= left - 1) {
        const unsigned slot = first(left);
        const warp_context& w = warps_[slot];
        const block_context& block = blocks_[w.block];
        std::string line = simt::warp_text(block.kernel->name, block.identity.index, w.index);
        const unsigned writes = lsu_.outstanding_writes(warp_slot(slot));
        if (w.group.lanes == 0) {
            if (writes == 0) continue;  // has ended; only others keep its block
            lines.push_back(line +
                            fmt::format("has ended; {} stores are not acknowledged", writes));
            continue;
        }
        const program::image& image = *programs_.get();
        line += fmt::format("{} (last issue in cycle {})", doing(slot), w.last_issue);
        const warp_group others = formation_->waiting(slot, w.live);
        if (others.lanes != 0) {
            line += "; " + simt::simt_deadlock_text(image, {w.group.pc, w.group.lanes},
                                                    {others.pc, others.lanes});
        } else {
            line += " at " + simt::place_text(image, w.group.pc);
        }
        lines.push_back(std::move(line));
    }
    return lines;
}

std::string smx_core::waiting_for() const {
    std::string text;
    const unsigned warps = static_cast<unsigned>(__builtin_popcountll(all_ & ~free_));
    if (warps != 0) text = fmt::format("{} warps of resident blocks", warps);
    for (const std::string& part : {lsu_.waiting_for(), port_.waiting_for()}) {
        if (!part.empty()) text += (text.empty() ? "" : "; ") + part;
    }
    return text;
}

}  // namespace heddle
