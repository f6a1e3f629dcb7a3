// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <vector>

#include "hw/smx/divergence/formation.h"
#include "hw/smx/fetch/warp_paths.h"
#include "hw/smx/issue/scheduler_ports.h"
#include "hw/smx/pipeline/scoreboard.h"
#include "hw/smx/pipeline/warp_waits.h"
#include "models/base/bits.h"

namespace heddle {

/// How warps come into their slots in the issue stage, and leave them before their end: with blocks
/// that leave the SMX.
class warp_moves {
public:
    /// The parts of the stage that know a warp; all of it outlives the object.
    struct parts {
        formation& groups;
        warp_paths& paths;
        scoreboard& results;
        warp_waits& waits;
        warp_events& events;
        protocol::warp_mask& dirty;  ///< warps whose states have to be found again
    };
    explicit warp_moves(const parts& of) : of_(of) {}

    /// A new warp has the slot; its threads begin at `pc`.
    void start(unsigned warp, std::uint32_t pc, isa::lane_mask lanes,
               const program::kernel_code& code) const {
        enter(warp, of_.groups.start(warp, pc, lanes), code);
    }
    [[nodiscard]] formation& groups() const noexcept { return of_.groups; }
    /// No result of the warp's instructions is under way, and no end of its wait at a fence or
    /// barrier.
    [[nodiscard]] bool rests(unsigned warp) const noexcept {
        const protocol::warp_mask ending =
            of_.waits.waiting(wait_reason::fence) | of_.waits.waiting(wait_reason::passing);
        return !bits::test(of_.results.in_flight() | ending, warp);
    }
    /// The group of the warp has become another: its state has to be found again.
    void touch(unsigned warp) const noexcept { of_.dirty |= bits::one(warp); }
    /// The warp issues nothing from the next cycle on, unless an instruction of it is under way
    /// that other units end.
    void hold(unsigned warp) const noexcept {
        const protocol::warp_mask units =
            of_.waits.waiting(wait_reason::launch) | of_.waits.waiting(wait_reason::transaction);
        if (bits::test(units, warp)) return;
        of_.waits.begin(wait_reason::leaving, warp);
        of_.dirty |= bits::one(warp);
    }
    void go_on(unsigned warp) const noexcept {
        of_.waits.end(wait_reason::leaving, bits::one(warp));
        of_.dirty |= bits::one(warp);
    }
    [[nodiscard]] protocol::warp_mask held() const noexcept {
        return of_.waits.waiting(wait_reason::leaving);
    }
    /// Warps that wait at their block's barrier, which is not complete.
    [[nodiscard]] protocol::warp_mask at_barrier() const noexcept {
        return of_.waits.waiting(wait_reason::barrier);
    }
    /// Puts PC and formation of a warp behind `words`.
    void save(unsigned warp, std::vector<std::uint32_t>& words) const {
        words.push_back(of_.paths.group(warp).pc);
        of_.groups.save(warp, words);
    }
    /// A warp that waits at a barrier or for a launch, or is held, leaves its slot.
    void leave(unsigned warp) const {
        of_.waits.forget(warp);
        of_.paths.group(warp).lanes = 0;
        of_.paths.buffers().flush(warp);
        of_.events.ended |= bits::one(warp);
        of_.dirty |= bits::one(warp);
    }
    /// A warp comes into the slot as save() has left it.
    void come_back(unsigned warp, const std::uint32_t* words, bool at_barrier,
                   const program::kernel_code& code) const {
        warp_group group = of_.groups.restore(warp, words + 1);
        group.pc = words[0];  // the formation does not follow a group that runs straight on
        enter(warp, group, code);
        if (at_barrier) of_.waits.begin(wait_reason::barrier, warp);
    }
    /// Threads of the warp's `live` ones that wait for those that run; no lanes if none do.
    [[nodiscard]] warp_group waiting_threads(unsigned warp, isa::lane_mask live) const {
        return of_.groups.waiting(warp, live);
    }

private:
    void enter(unsigned warp, const warp_group& group, const program::kernel_code& code) const {
        of_.paths.start(warp, group, code);
        of_.results.reset(warp);
        of_.events.started |= bits::one(warp);
        of_.dirty |= bits::one(warp);
    }

    const parts of_;
};

}  // namespace heddle
