// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/issue/turn_causes.h"

#include "hw/smx/thread_pool/issue_filter.h"

namespace heddle {

using protocol::turn_outcome;

cycle_cause turn_causes::of(unsigned pool) const {
    const protocol::thread_issue& issue = of_.pools[pool].issue();
    switch (issue.outcome) {
        case turn_outcome::unit_busy: {
            const issue_need need = of_.program.needs[of_.program.position(issue.parts[0].pc)];
            if (need == needs_constants) return cycle_cause::constants_busy;
            const auto unit = static_cast<unit_class>(need);
            if (unit != unit_class::memory) return busy_cause(unit);
            if (of_.gate.at_begin().in_queue) return cycle_cause::memory_busy;
            return of_.gate.refused() ? cycle_cause::reservation_fail : cycle_cause::memory_stall;
        }
        case turn_outcome::forming:
            return cycle_cause::formation;
        default:
            break;
    }
    if (of_.flights.in(pool, flight_place::memory) != 0) return cycle_cause::memory;
    if (of_.flights.in(pool, flight_place::call) != 0) return cycle_cause::memory;
    if (of_.flights.in(pool, flight_place::transaction) != 0) return cycle_cause::memory;
    if (of_.flights.in(pool, flight_place::fence) != 0) return cycle_cause::fence;
    if (of_.flights.in(pool, flight_place::constants) != 0) return cycle_cause::constants;
    if (of_.flights.in(pool, flight_place::pipeline) != 0) return cycle_cause::dependency;
    if (of_.flights.in(pool, flight_place::barrier) != 0) return cycle_cause::barrier;
    if (of_.flights.in(pool, flight_place::meeting) != 0) return cycle_cause::barrier;
    return cycle_cause::no_warp;
}

std::uint32_t turn_causes::place(unsigned pool, cycle_cause cause,
                                 std::uint32_t last_pc) const noexcept {
    switch (cause) {
        case cycle_cause::memory:
            for (const flight_place each : {flight_place::memory, flight_place::call}) {
                if (of_.flights.in(pool, each) != 0) return place(pool, each);
            }
            return place(pool, flight_place::transaction);
        case cycle_cause::fence:
            return place(pool, flight_place::fence);
        case cycle_cause::constants:
            return place(pool, flight_place::constants);
        case cycle_cause::dependency:
            return place(pool, flight_place::pipeline);
        case cycle_cause::barrier:
            return place(pool, of_.flights.in(pool, flight_place::barrier) != 0
                                   ? flight_place::barrier
                                   : flight_place::meeting);
        case cycle_cause::no_warp:
            return code_profile::nowhere;
        case cycle_cause::formation:
        case cycle_cause::writeback:
            return of_.program.position(last_pc);
        default:
            return of_.program.position(of_.pools[pool].issue().parts[0].pc);
    }
}

}  // namespace heddle
