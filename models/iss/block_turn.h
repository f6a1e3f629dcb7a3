// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "models/iss/warp.h"

namespace heddle::iss {

/// What a block has done in its turn that the engine has not booked yet.
struct turn_log {
    execution_counts counts;
    std::uint64_t without_progress = 0;  ///< warp instructions since the block last got on
    bool progress = false;               ///< it got on

    void got_on() noexcept {
        progress = true;
        without_progress = 0;
    }
};

/// What all threads of the block have waited for is over.
template <unsigned Lanes>
void release_threads(block<Lanes>& b) {
    for (warp<Lanes>* w : b.warps) {
        if (w->state == warp_state::at_barrier || w->state == warp_state::in_call) {
            w->state = warp_state::ready;
        }
    }
    b.threads.release();
}

/// The turn of a block: each of its ready warps runs for a while. `run` runs one, counts in
/// log.counts and returns its instructions; `call` carries out a call of the block, and may end it.
template <unsigned Lanes, class Run, class Call>
void take_turn(block<Lanes>& b, turn_log& log, const Run& run, const Call& call) {
    for (warp<Lanes>* w : b.warps) {
        if (w->state != warp_state::ready) continue;
        log.without_progress += run(*w);
        if (b.threads.live() == 0) return;
        if (!b.threads.barrier_complete() || b.waits_for_all) continue;
        if (b.call == isa::opcode::barrier) {
            release_threads(b);
            log.got_on();
        } else {
            call();
            if (b.of == nullptr) return;
        }
    }
}

}  // namespace heddle::iss
