// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Blocks that leave their SMX to wait for their children, and come back.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "models/base/bits.h"
#include "models/iss/lockstep_checker.h"

namespace heddle::iss {

template <unsigned Lanes>
void lockstep_checker<Lanes>::block_suspended(std::uint32_t sm, unsigned slot) {
    if (stopped_) return;
    block_type& b = blocks_[std::size_t{sm} * parts_.machine.smx.max_blocks + slot];
    const auto wrong = [&](const std::string& what) {
        stop(error_kind::wrong_result,
             fmt::format("difference from the functional simulator: SMX {} suspends {}", sm, what));
    };
    if (b.launch == nullptr) return wrong(fmt::format("block slot {}, which is free", slot));
    const launch_id launch = b.state.of->launch.id;
    suspended& kept = suspended_[{launch, b.index}];
    kept.warps.resize(b.state.warps.size());
    for (unsigned i = 0; i < slots_; ++i) {
        warp_type& w = warp_at(sm, i);
        if (w.in != &b) continue;
        if (!w.flights.empty() || !w.undrained.empty()) {
            return wrong(
                fmt::format("block {} of launch {} before its accesses have been performed",
                            b.index, to_text(launch)));
        }
        memory_.forget(w.state);
        w.in = nullptr;
        kept.warps[w.state.index] = spare_warps_.take();
        std::swap(*kept.warps[w.state.index], w);
    }
    kept.state = std::move(b);
    b = {};
}

template <unsigned Lanes>
void lockstep_checker<Lanes>::block_resumed(const lockstep_block& s) {
    if (stopped_) return;
    const auto found = suspended_.find({s.launch, s.index});
    if (found == suspended_.end()) {
        return stop(error_kind::wrong_result,
                    fmt::format("difference from the functional simulator at cycle {}: SMX {} "
                                "resumes block {} of launch {}, which is not suspended",
                                s.time, s.sm, s.index, to_text(s.launch)));
    }
    suspended& kept = found->second;
    block_type& b = blocks_[std::size_t{s.sm} * parts_.machine.smx.max_blocks + s.slot];
    b = std::move(kept.state);
    b.state.identity.sm = s.sm;
    lane_mask slots = s.warp_slots;
    for (unsigned index = 0; index < kept.warps.size() && slots != 0; ++index) {
        warp_type& w = warp_at(s.sm, bits::first(slots));
        slots &= slots - 1;
        std::swap(w, *kept.warps[index]);
        w.in = &b;
        b.state.warps[index] = &w.state;
        spare_warps_.give_back(std::move(kept.warps[index]));
    }
    suspended_.erase(found);
}

#define HEDDLE_INSTANTIATE(lanes) template class lockstep_checker<lanes>;
HEDDLE_FOR_EACH_WARP_SIZE(HEDDLE_INSTANTIATE)
#undef HEDDLE_INSTANTIATE

}  // namespace heddle::iss
