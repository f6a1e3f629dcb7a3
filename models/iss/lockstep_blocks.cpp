// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Starts and ends of blocks of the lock-step simulation.
#include <fmt/format.h>

#include <cstring>

#include "models/base/bits.h"
#include "models/iss/lockstep_checker.h"
#include "models/program/address_map.h"

namespace heddle::iss {

template <unsigned Lanes>
void lockstep_checker<Lanes>::block_started(const lockstep_block& s) {
    if (stopped_) return;
    const auto found = grids_.find(s.launch);
    const bool known = found != grids_.end() && s.index < found->second->begun.size();
    const std::string refused = known ? start_refusal(*found->second, s) : "there is not";
    if (!refused.empty()) {
        return stop(error_kind::wrong_result,
                    fmt::format("difference from the functional simulator at cycle {}: SMX {} "
                                "starts block {} of launch {}, which {}",
                                s.time, s.sm, s.index, to_text(s.launch), refused));
    }
    followed_grid& g = *found->second;
    g.begun[s.index] = true;
    ++g.of.started;
    if (g.launch.shape.cooperative) g.active.insert(s.index);
    if (!g.on_smx[s.sm] || s.origin.pc != 0) forgot_[s.sm] = s.time;
    g.on_smx[s.sm] = true;
    block_type& b = blocks_[std::size_t{s.sm} * parts_.machine.smx.max_blocks + s.slot];
    b.launch = &g;
    b.index = s.index;
    const prepared_launch& launch = g.of.launch;
    const std::uint32_t dynamic = launch.shape.dynamic_shared_bytes;
    b.state.of = &g.of;
    b.state.identity = {simt::unflatten(s.index, launch.shape.grid),
                        launch.shape.grid,
                        launch.shape.block,
                        s.sm,
                        launch.id.gridid(),
                        program::shared_window.base + launch.per_block.shared_bytes - dynamic,
                        dynamic,
                        launch.shape.offset,
                        launch.shape.work_dimensions()};
    if (parts_.foreign) {
        const auto place = static_cast<std::uint32_t>(&b - blocks_.data());
        b.shared_base = program::shared_window.base + place * shared_stride(parts_.machine);
    }
    b.state.shared.assign(launch.per_block.shared_bytes, std::byte{0});
    b.races = shared_races(launch.per_block.shared_bytes);
    b.has_transactions = launch.kernel->transaction_pc.has_value();
    if (b.has_transactions) b.transactions = transaction_words(launch.per_block.shared_bytes);
    b.state.threads.start(b.state.identity.threads());
    b.state.warps.clear();
    b.state.known_groups = s.groups;
    b.owed = false;
    b.untold_releases = 0;
    const unsigned count = (b.state.identity.threads() + Lanes - 1) / Lanes;
    lane_mask slots = s.warp_slots;
    for (unsigned index = 0; index < count && slots != 0; ++index, slots &= slots - 1) {
        warp_type& w = warp_at(s.sm, bits::first(slots));
        start_warp(b, w, index, s.time);
        if (s.origin.pc == 0) continue;
        w.state.start_at(s.origin);
        w.paths.start(s.origin.pc);
    }
}

template <unsigned Lanes>
void lockstep_checker<Lanes>::start_warp(block_type& b, warp_type& w, unsigned index,
                                         std::uint64_t started) {
    w.in = &b;
    w.last_time = started;
    w.refused.clear();
    w.undefined.start();
    w.transaction.start(0);
    warp<Lanes>& state = w.state;
    b.state.warps.push_back(&state);
    state.start(*b.state.of, index, b.state.identity.threads(), private_bytes_);
    w.paths.start(b.state.of->launch.kernel->entry);
    state.thread_instructions = parts_.threads_apart ? w.paths.instructions() : nullptr;
    const std::size_t unused = std::size_t{state.lowest_private_offset} / 4 * Lanes;
    const std::size_t used = std::size_t{private_bytes_} / 4 * Lanes - unused;
    std::memset(state.private_words + unused, 0, used * sizeof(std::uint32_t));
    std::memset(w.written + unused, 0, used);
    state.lowest_private_offset = private_bytes_;
}

template <unsigned Lanes>
void lockstep_checker<Lanes>::barrier_released(std::uint64_t time, std::uint32_t sm,
                                               unsigned slot) {
    block_type& b = blocks_[std::size_t{sm} * parts_.machine.smx.max_blocks + slot];
    if (stopped_ || b.launch == nullptr) return;
    const unsigned waiting = b.state.threads.waiting();
    if (waiting == 0 && b.untold_releases != 0) {
        --b.untold_releases;
        return;
    }
    stop(error_kind::wrong_result,
         fmt::format("difference from the functional simulator at cycle {}: SMX {} releases a "
                     "barrier of block {} of launch {} that {} of {} threads have reached",
                     time, sm, b.index, to_text(b.state.of->launch.id), waiting,
                     b.state.threads.live()));
}

template <unsigned Lanes>
void lockstep_checker<Lanes>::block_ended(std::uint32_t sm, unsigned slot) {
    if (stopped_) return;
    block_type& b = blocks_[std::size_t{sm} * parts_.machine.smx.max_blocks + slot];
    const auto wrong = [&](const std::string& what) {
        stop(error_kind::wrong_result,
             fmt::format("difference from the functional simulator: SMX {} ends {}", sm, what));
    };
    if (b.launch == nullptr) return wrong(fmt::format("block slot {}, which is free", slot));
    const std::string name =
        fmt::format("block {} of launch {}", b.index, to_text(b.state.of->launch.id));
    if (b.state.threads.live() != 0) {
        return wrong(fmt::format("{} with {} threads left", name, b.state.threads.live()));
    }
    for (unsigned i = 0; i < slots_; ++i) {
        warp_type& w = warp_at(sm, i);
        if (w.in != &b) continue;
        if (!w.flights.empty() || !w.undrained.empty()) {
            return wrong(name + " before its accesses have been performed");
        }
        memory_.forget(w.state);
        w.undrained_shared.clear();
        w.in = nullptr;
    }
    if (parts_.foreign) {
        const std::uint32_t bytes = shared_stride(parts_.machine);
        history_.restart(b.shared_base, bytes);
        chains_.forget(b.shared_base, bytes);
    }
    ++b.state.of->blocks_done;
    b.launch = nullptr;
}

#define HEDDLE_INSTANTIATE(lanes) template class lockstep_checker<lanes>;
HEDDLE_FOR_EACH_WARP_SIZE(HEDDLE_INSTANTIATE)
#undef HEDDLE_INSTANTIATE

}  // namespace heddle::iss
