// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/issue/scheduler_turns.h"

#include <string>

namespace heddle {

/// What all schedulers are told in this cycle.
void scheduler_turns::describe_cycle(const warp_events& events) {
    const warp_states& states = readiness_.states();
    protocol::warp_status& status = ports_.status();
    status.resident = all_ & ~states.in(warp_state::absent);
    status.ready = states.ready();
    status.memory = readiness_.ready_for_counted_memory();
    status.long_latency = states.waiting_for_data();
    status.memory_done = events.memory_done;
    status.started = events.started;
    status.lost_locality = events.lost_locality;
    status.cycle = edge_;
}

std::uint64_t scheduler_turns::next_due(std::uint64_t edge) const noexcept {
    if (configuration_.issue_interval == 1) return units_.next_free(edge);
    // A unit may be free again since the turn of the scheduler that needs it.
    const protocol::warp_mask may_issue = issuable_warps(execution_units::all_units);
    const std::uint32_t schedulers = ports_.owners_of(may_issue | touched_);
    return schedulers == 0 ? execution_units::never : turn_after(schedulers, edge);
}

void scheduler_turns::foresee() noexcept {
    if (!foresees_ || touched_ == 0) return;
    const protocol::warp_mask ready = readiness_.states().ready();
    bits::for_each(ports_.owners_of(touched_), [&](unsigned s) {
        const protocol::warp_mask own = ports_.own(s);
        if ((ready & own) != 0) return;
        account_.foresee(s, readiness_.waiting_cause(own).cause,
                         turn_after(std::uint32_t{1} << s, edge_), edge_);
        touched_ &= ~own;
    });
}

/// Whether its unit takes the next instruction of a warp in this ready state.
bool scheduler_turns::is_taken(warp_state state) const noexcept {
    if (state == warp_state::ready_constants) return gate_.now().constants;
    if (state == ready_for(unit_class::memory) && !gate_.now().in_queue) return false;
    return ((units_.still_accepting() >> static_cast<unsigned>(state)) & 1U) != 0;
}

/// Why scheduler `s` issues nothing from this cycle on, until one of its warps is touched.
idle_cause scheduler_turns::classify(unsigned s) const noexcept {
    const protocol::warp_mask own = ports_.own(s);
    const protocol::warp_mask ready = readiness_.states().ready() & own;
    return ready != 0 ? ready_cause(ready) : readiness_.waiting_cause(own);
}

/// What keeps `ready` warps from issuing; of several units the one that the lowest slot needs.
idle_cause scheduler_turns::ready_cause(protocol::warp_mask ready) const noexcept {
    const warp_states& states = readiness_.states();
    const protocol::warp_mask others = ready & ~states.ready_for_memory();
    if (others != 0) {
        return {busy_cause(static_cast<unit_class>(states.of(bits::first(others)))), others};
    }
    const protocol::warp_mask memory = ready & states.in(ready_for(unit_class::memory));
    if (memory == 0) return {cycle_cause::constants_busy, ready};
    if (gate_.at_begin().in_queue) return {cycle_cause::memory_busy, memory};
    return {gate_.refused() ? cycle_cause::reservation_fail : cycle_cause::memory_stall, memory};
}

void scheduler_turns::not_issuable(unsigned s, unsigned picked) {
    faults_.model_error("scheduler " + std::to_string(s) + " issues warp " +
                        std::to_string(picked) + ", which is not issuable or not its own");
}

}  // namespace heddle
