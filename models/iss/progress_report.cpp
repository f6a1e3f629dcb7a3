// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/iss/progress_report.h"

#include <fmt/format.h>

#include <set>

#include "models/base/bits.h"
#include "models/device/program_table.h"
#include "models/simt/fault_text.h"
#include "models/simt/progress_text.h"

namespace heddle::iss {
namespace {

template <unsigned Lanes>
std::string describe(const block<Lanes>& b, const warp<Lanes>& w) {
    const program::image& image = *b.of->launch.program->image;
    const std::string who = simt::warp_text(b.of->launch.kernel->name, b.identity.index, w.index);
    const auto& top = w.stack.top();
    if (w.state == warp_state::at_barrier) {
        return who +
               fmt::format("{} before {}", simt::at_barrier, simt::place_text(image, top.next_pc));
    }
    if (w.state == warp_state::in_call) {
        return who + fmt::format("{} at {} before {}", simt::in_call, isa::mnemonic(b.call),
                                 simt::place_text(image, top.next_pc));
    }
    if (w.state == warp_state::waits_for_children) {
        return who + fmt::format("waits for the launches of its block before {}",
                                 simt::place_text(image, top.next_pc));
    }
    const simt::lane_group waiting = w.stack.waiting(w.live);
    const simt::lane_group running{top.next_pc, top.lanes};
    if (const isa::lane_mask waited = w.stack.waited() & w.live; waited != 0) {
        return who + simt::simt_deadlock_text(image, running, w.stack.waiting(waited));
    }
    if (waiting.lanes != 0) return who + simt::divergence_text(image, running, waiting);
    return who + fmt::format("{} lanes run at {}", bits::count(top.lanes),
                             simt::place_text(image, top.next_pc));
}

std::string barrier_text(const grid& g) {
    const simt::cooperation_context& context = *g.cooperation;
    return "\n  " + simt::global_barrier_text(g.launch.kernel->name, context.arrived(),
                                              context.expected(),
                                              g.distributed ? 0 : g.blocks() - g.next_block);
}

}  // namespace

template <unsigned Lanes>
std::string progress_report(const std::vector<block<Lanes>*>& resident,
                            std::uint64_t instructions) {
    std::vector<std::string> lines;
    std::set<const grid*> barriers;
    std::string text = simt::no_progress_text(instructions, "warp instructions", "iss.watchdog");
    for (const block<Lanes>* b : resident) {
        if (b->waits_for_all && barriers.insert(b->of).second) text += barrier_text(*b->of);
        for (const warp<Lanes>* w : b->warps) {
            if (w->state != warp_state::done) lines.push_back(describe(*b, *w));
        }
    }
    return text + simt::first_warps_text(lines);
}

#define HEDDLE_INSTANTIATE(lanes) \
    template std::string progress_report(const std::vector<block<lanes>*>&, std::uint64_t);
HEDDLE_FOR_EACH_WARP_SIZE(HEDDLE_INSTANTIATE)
#undef HEDDLE_INSTANTIATE

}  // namespace heddle::iss
