// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx_scheduler/cooperation/room_demand.h"

#include <algorithm>

namespace heddle {

std::uint32_t room_demand::wanted(std::uint32_t dying) const {
    if (of_.returning.pending()) {
        return lacking(*of_.returning.first()->kernel, of_.returning.size(), dying);
    }
    const control_register& sscr = of_.order.sscr();
    if (!sscr.valid()) return 0;
    const protocol::kernel_launch& launch = *sscr.launch();
    const bool begins = launch.cooperative && !of_.progress.knows(launch.launch);
    return lacking(launch, begins ? 1 : sscr.blocks_left(), dying);
}

/// Of so many blocks of a launch, those without room.
std::uint32_t room_demand::lacking(const protocol::kernel_launch& of, std::size_t blocks,
                                   std::uint32_t dying) const {
    // Where private memory is in pieces, room is not all that a block needs.
    const bool pieces = of_.counts.stall() == block_limit::private_memory;
    const std::uint32_t room = pieces ? 0 : of_.room.accounts().places(of.per_block);
    const auto all = static_cast<std::uint32_t>(blocks);
    return all - std::min(all, room + dying);
}

/// Whether a launch of higher priority than this will make blocks leave.
bool room_demand::preempts(std::uint32_t priority) const {
    const returning_blocks& back = of_.returning;
    return of_.preempted.enabled() &&
           (of_.order.next_priority() > priority ||
            (back.pending() && back.first()->kernel->priority > priority));
}

simt::cooperation_terms room_demand::terms(const protocol::kernel_launch& of, std::uint32_t most,
                                           std::uint32_t dying) const {
    simt::cooperation_terms terms;
    // A launch of higher priority does not ask: it takes.
    terms.wanted = preempts(of.priority) ? 0 : wanted(dying);
    const bool stopped = of_.returning.hold_up(of.priority) || of_.preempted.stops(of.priority);
    const bool others =
        of_.order.sscr().valid() || !of_.order.chain().empty() || !of_.forked.empty();
    if (!others && !stopped && most != 0) {
        const std::uint32_t reserved = of_.room.reserve().places(of.per_block);
        const std::uint32_t free = std::min(most + reserved, of_.room.places(of.per_block));
        terms.places = free - std::min(free, reserved);
    }
    return terms;
}

}  // namespace heddle
