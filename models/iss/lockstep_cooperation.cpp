// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Blocks of cooperative launches: which of them the machine starts and ends is its own choice,
// which is judged here.
#include <fmt/format.h>

#include <algorithm>

#include "models/iss/lockstep_checker.h"

namespace heddle::iss {

namespace {

bool at_barrier_of_all(isa::opcode call) {
    return call == isa::opcode::global_barrier || call == isa::opcode::resizing_global_barrier;
}

/// All threads are at a call at which the block may end.
template <class Block>
bool may_end(const Block& b) {
    const bool call = b.state.call == isa::opcode::offer_kill ||
                      b.state.call == isa::opcode::resizing_global_barrier;
    return call && b.state.threads.barrier_complete();
}

}  // namespace

/// Why a block may not start now; empty: it may. An answer takes its time: a block whose end is on
/// its way may start anew elsewhere.
template <unsigned Lanes>
std::string lockstep_checker<Lanes>::start_refusal(const followed_grid& g,
                                                   const lockstep_block& s) {
    if (!g.launch.shape.cooperative) return g.begun[s.index] ? "has run already" : "";
    if (s.groups > g.of.blocks() || s.index >= s.groups) {
        return fmt::format("is not one of {} active ones of {}", s.groups, g.of.blocks());
    }
    if (suspended_.count({s.launch, s.index}) != 0) return "is active";
    for (block_type& b : blocks_) {
        if (b.launch != &g || b.index != s.index || b.state.threads.live() == 0) continue;
        if (!may_end(b)) return "is active";
        b.owed = true;
    }
    return "";
}

template <unsigned Lanes>
void lockstep_checker<Lanes>::cooperated(const lockstep_answer& a) {
    if (stopped_) return;
    block_type& b = blocks_[std::size_t{a.sm} * parts_.machine.smx.max_blocks + a.slot];
    const auto wrong = [&](const std::string& what) {
        stop(error_kind::wrong_result,
             fmt::format("difference from the functional simulator at cycle {}: SMX {} answers the "
                         "call of {}",
                         a.time, a.sm, what));
    };
    if (b.launch == nullptr) return wrong(fmt::format("block slot {}, which is free", a.slot));
    followed_grid& g = *b.launch;
    const std::string name = fmt::format("block {} of launch {}", b.index, to_text(g.launch.id));
    const simt::block_threads& threads = b.state.threads;
    if (!threads.barrier_complete() || b.state.call == isa::opcode::barrier) {
        return wrong(fmt::format("{}, to which {} of {} threads have come", name, threads.waiting(),
                                 threads.live()));
    }
    if (a.groups == 0 || a.groups > g.of.blocks()) {
        return wrong(fmt::format("{} with {} active blocks; possible: 1 to {}", name, a.groups,
                                 g.of.blocks()));
    }
    if (at_barrier_of_all(b.state.call)) forgot_[a.sm] = a.time;
    if (a.ends) return kill(b, name, wrong);
    if (b.index >= a.groups || b.owed) {
        return wrong(
            fmt::format("{}, which goes on although {} blocks are active and a lower one "
                        "may have ended",
                        name, a.groups));
    }
    b.state.known_groups = a.groups;
    release_barrier(b, a.time);
}

/// The highest active block alone may end. Where answers take their time a lower one may be told
/// first: the higher ones, which wait for their answers, are owed their end then. A block that has
/// started anew has others above it that are new, too.
template <unsigned Lanes>
template <class Wrong>
void lockstep_checker<Lanes>::kill(block_type& b, const std::string& name, const Wrong& wrong) {
    followed_grid& g = *b.launch;
    if (b.index == 0 || !may_end(b)) {
        return wrong(fmt::format("{}, which ends at '{}'", name, isa::mnemonic(b.state.call)));
    }
    const bool anew = g.active.count(b.index) > 1;
    g.active.erase(g.active.find(b.index));
    for (block_type& other : blocks_) {
        if (anew || other.launch != &g || other.index <= b.index) continue;
        if (other.state.threads.live() == 0) continue;
        if (!may_end(other)) {
            return wrong(
                fmt::format("{}, which ends although block {} is active", name, other.index));
        }
        other.owed = true;
    }
    for (warp_type& w : warps_) {
        if (w.in != &b || w.state.live == 0) continue;
        b.state.threads.end(w.state.live, w.state.live);
        w.state.state = warp_state::done;
    }
}

/// Why a launch may not have ended; empty: it may.
template <unsigned Lanes>
std::string lockstep_checker<Lanes>::end_refusal(const followed_grid& g) const {
    if (!g.launch.shape.cooperative) {
        if (g.of.blocks_done == g.of.blocks()) return "";
        return fmt::format("{} of {} blocks", g.of.blocks_done, g.of.blocks());
    }
    if (g.of.blocks_done != g.of.started) {
        return fmt::format("{} of {} blocks that have started", g.of.blocks_done, g.of.started);
    }
    const auto gap = std::find(g.begun.begin(), g.begun.end(), false);
    if (gap == g.begun.begin() || std::find(gap, g.begun.end(), true) != g.begun.end()) {
        return fmt::format("block {} never started, but a higher one", gap - g.begun.begin());
    }
    return "";
}

#define HEDDLE_INSTANTIATE(lanes)                                                       \
    template void lockstep_checker<lanes>::cooperated(const lockstep_answer&);          \
    template std::string lockstep_checker<lanes>::start_refusal(const followed_grid&,   \
                                                                const lockstep_block&); \
    template std::string lockstep_checker<lanes>::end_refusal(const followed_grid&) const;
HEDDLE_FOR_EACH_WARP_SIZE(HEDDLE_INSTANTIATE)
#undef HEDDLE_INSTANTIATE

}  // namespace heddle::iss
