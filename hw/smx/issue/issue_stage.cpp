// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/issue/issue_stage.h"

#include <utility>

#include "hw/smx/warp_scheduler/selection_policies.h"

namespace heddle {

static constexpr std::uint32_t memory_unit_bit = 1u << static_cast<unsigned>(unit_class::memory);
static constexpr std::uint32_t constants_bit =
    1u << static_cast<unsigned>(warp_state::ready_constants);

namespace {

/// What a warp's next instruction is taken for; `memory`: it is for memory, and could issue.
void look_at_head(unsigned warp, bool memory, const warp_paths& paths,
                  memory_heads& heads) noexcept {
    if (!heads.look_closer()) return;
    heads.look(warp, memory ? &paths.head(warp) : nullptr, paths.position(warp));
}

bool is_for_memory(warp_state state) noexcept {
    return state == ready_for(unit_class::memory) || state == warp_state::ready_constants;
}

/// The warp's next instruction comes later.
void expect_next(const issue_parts& parts, unsigned warp) noexcept {
    if (parts.paths.in_code(warp, parts.paths.group(warp).pc)) {
        parts.executor.registers().expect(warp, parts.paths.head(warp));
    }
}

std::string full_stack_text(std::uint32_t entries) {
    return "the warp's reconvergence stack is full: smx.stack_entries = " +
           std::to_string(entries) + "; legal: more entries, or 0 for no limit";
}

}  // namespace

issue_stage::issue_stage(const smx_configuration& smx,
                         const warp_scheduler_configuration& scheduler, unsigned warps,
                         std::unique_ptr<formation> groups, scheduler_ports& ports,
                         const issue_parts& parts)
    : configuration_(smx),
      all_(bits::below(warps)),
      ports_(ports),
      parts_(parts),
      formation_(std::move(groups)),
      units_(smx),
      results_(smx),
      gate_(parts.lsu),
      states_(warps),
      heads_(needs_of(scheduler).classification),
      fences_(parts.waits),
      barriers_(parts.blocks.block_slots(), smx.barrier_latency, parts.waits),
      account_(smx.schedulers),
      moves_({*formation_, parts.paths, scoreboard_, parts.blocks, parts.waits, events_, dirty_}) {}

thread_group issue_stage::group_of(unsigned warp) const noexcept {
    const warp_group& group = parts_.paths.group(warp);
    const auto slot = static_cast<std::uint16_t>(warp);
    return {group.lanes, group.pc, parts_.blocks.warp(warp).block, slot, nullptr, slot, slot};
}

// What memory tells

void issue_stage::loaded(const memory_flight& flight, isa::lane_mask lanes,
                         const std::uint32_t* values) {
    parts_.executor.loaded(group_of(flight.group), flight.number, flight.instruction->rd, lanes,
                           values, edge_);
    changed_ = true;
}

void issue_stage::completed(const memory_flight& flight) {
    const unsigned warp = flight.group;
    const isa::instruction& instruction = *flight.instruction;
    changed_ = true;
    if (flight.number == 0) return;  // for the log of private memory
    parts_.executor.completed(group_of(warp), flight.number, edge_);
    scoreboard_.clear(warp, instruction.rd);
    memory_results_ += instruction.writes_register() ? 1 : 0;
    if (heads_.completion_counts(parts_.paths.position_of(warp, instruction))) {
        events_.memory_done |= bits::one(warp);
    }
    fences_.check(warp);
    dirty_ |= bits::one(warp);
    expect_next(parts_, warp);
}

void issue_stage::writes_drained(access_owner owner) {
    if (parts_.observer.get() != nullptr) {
        parts_.observer.get()->writes_drained(edge_, owner.value());
    }
    fences_.written(owner.value());
    changed_ = true;
}

void issue_stage::access_fault(const memory_flight& flight, unsigned lane, std::uint32_t,
                               const std::string& what) {
    parts_.blocks.fault(flight.group, lane, parts_.paths.group(flight.group).pc, what);
}

/// A fence lets its warp go on when all its accesses have been performed.
void issue_stage::finish_fences() {
    if (!fences_.unchecked()) return;
    const auto drained = [&](unsigned warp) { return parts_.lsu.is_idle(access_owner(warp)); };
    fences_.finish(drained, [&](unsigned warp) {
        parts_.lsu.invalidate_global();
        if (parts_.observer.get() != nullptr) parts_.observer.get()->fenced(edge_, warp);
        dirty_ |= bits::one(warp);
    });
}

// Write-back

void issue_stage::write_results() {
    if (!results_.due(edge_) && memory_results_ == 0) return;
    changed_ = true;
    results_.cycle(edge_, memory_results_, [&](unsigned warp, std::uint8_t rd) {
        scoreboard_.clear(warp, rd);
        dirty_ |= bits::one(warp);
    });
}

// Selection

void issue_stage::cycle() {
    issued_ = turned_ = 0;
    picks_ = 0;
    barriers_.release(edge_);
    dirty_ |= parts_.waits.take_ended();
    if (dirty_ != 0) refresh_states();
    const bool held = results_.holds(edge_);
    if (gate_.begin() || held) touched_ = all_;
    protocol::warp_mask events = events_.any();
    if (events != 0 && ports_.follow_smx()) events = all_;
    events_.ended = 0;  // those that end now are told in the next cycle
    protocol::warp_mask issuable = 0;
    if (states_.ready() != 0 && !held) issuable = issuable_warps(units_.accepting(edge_));
    if ((events | issuable) != 0) describe_cycle();
    for (std::uint32_t left = ports_.owners_of(events | issuable | touched_); left != 0;
         left &= left - 1) {
        run_scheduler(bits::first(left), events, issuable);
        if (parts_.blocks.faults().stopped()) return;
    }
    if (configuration_.dual_issue) issue_seconds();
    events_.started = events_.memory_done = events_.lost_locality = 0;
}

void issue_stage::run_scheduler(unsigned s, protocol::warp_mask events,
                                protocol::warp_mask& issuable) {
    const protocol::warp_mask own = ports_.own(s);
    const std::uint32_t interval = configuration_.issue_interval;
    const bool turn = interval == 1 || edge_ % interval == s % interval;
    protocol::warp_mask now = turn ? issuable : 0;
    if (units_.pipeline_busy(s, edge_)) now &= states_.ready_for_memory();
    if (((events | now) & own) != 0) {
        const bool issued = select(s, now);
        if (parts_.blocks.faults().stopped()) return;
        if (issued) {
            account_.set(s, cycle_cause::issued, edge_);
            issuable = issuable_warps(units_.still_accepting());
            return;
        }
        if ((now & own) != 0) {
            // The policy holds its warps back: they are offered again in the next cycle.
            account_.set(s, cycle_cause::held_back, edge_);
            touched_ |= own;
            changed_ = true;
            return;
        }
    }
    if (!turn || (touched_ & own) == 0) return;
    if (!results_.holds(edge_)) return classify(s);
    account_.set(s, cycle_cause::writeback, edge_);
}

/// Ready warps whose unit takes an instruction now; `accepting` are the units that have an input.
protocol::warp_mask issue_stage::issuable_warps(std::uint32_t accepting) const noexcept {
    accepting &= ~(gate_.now().in_queue ? 0 : memory_unit_bit);
    return states_.ready_for_any(accepting | (gate_.now().constants ? constants_bit : 0));
}

/// What all schedulers are told in this cycle.
void issue_stage::describe_cycle() {
    protocol::warp_status& status = ports_.status();
    status.resident = all_ & ~states_.in(warp_state::absent);
    status.ready = states_.ready();
    status.memory = states_.ready_for_memory() & ~heads_.uncounted();
    status.long_latency = states_.waiting_for_data();
    status.memory_done = events_.memory_done;
    status.started = events_.started;
    status.lost_locality = events_.lost_locality;
    status.cycle = edge_;
}

/// Scheduler `s` picks one of the `issuable` warps that are its own, which issues. True if one did.
bool issue_stage::select(unsigned s, protocol::warp_mask issuable) {
    const std::optional<unsigned> picked = ports_.select(s, issuable);
    if (!picked) return false;
    if ((issuable & ports_.own(s) & bits::one(*picked & 63)) == 0 || *picked > 63) {
        parts_.blocks.faults().model_error("scheduler " + std::to_string(s) + " issues warp " +
                                           std::to_string(*picked) +
                                           ", which is not issuable or not its own");
        return false;
    }
    issue(s, *picked);
    picked_[s] = static_cast<std::uint8_t>(*picked);
    picks_ |= 1U << s;
    return true;
}

/// Whether its unit takes the next instruction of a warp in this ready state.
bool issue_stage::is_taken(warp_state state) const noexcept {
    if (state == warp_state::ready_constants) return gate_.now().constants;
    if (state == ready_for(unit_class::memory) && !gate_.now().in_queue) return false;
    return ((units_.still_accepting() >> static_cast<unsigned>(state)) & 1U) != 0;
}

/// Each scheduler may issue the instruction behind the one that it has just issued, if nothing
/// keeps that; the schedulers take turns to be first, so that none has the units to itself.
void issue_stage::issue_seconds() {
    // One scheduler needs no turns, and most cycles no division.
    const bool several = (picks_ & (picks_ - 1)) != 0;
    const std::uint32_t from_first = several ? ~0U << edge_ % ports_.count() : ~0U;
    for (std::uint32_t left : {picks_ & from_first, picks_ & ~from_first}) {
        for (; left != 0 && !parts_.blocks.faults().stopped(); left &= left - 1) {
            const unsigned s = bits::first(left);
            const unsigned warp = picked_[s];
            const warp_state state = state_of(warp);
            if (!is_ready(state) || !is_taken(state)) continue;
            ++second_issues_;
            issue(s, warp);
        }
    }
}

/// Why scheduler `s` issues nothing from this cycle on, until one of its warps is touched.
void issue_stage::classify(unsigned s) {
    const protocol::warp_mask own = ports_.own(s);
    touched_ &= ~own;
    const protocol::warp_mask ready = states_.ready() & own;
    cycle_cause cause = cycle_cause::no_warp;
    if (ready != 0) {
        cause = ready_cause(ready);
    } else if (const protocol::warp_mask memory = states_.in(warp_state::waits_for_memory)&own;
               memory != 0) {
        const protocol::warp_mask at_fences = parts_.waits.counted_as<cycle_cause::fence>();
        cause = (memory & ~at_fences) != 0 ? cycle_cause::memory : cycle_cause::fence;
    } else if ((states_.in(warp_state::waits_for_constants)&own) != 0) {
        cause = cycle_cause::constants;
    } else if ((states_.in(warp_state::waits_for_result)&own) != 0) {
        cause = cycle_cause::dependency;
    } else if ((states_.in(warp_state::waits_for_fetch)&own) != 0) {
        cause = cycle_cause::fetch;
    } else if ((states_.in(warp_state::waits_at_barrier)&own) != 0) {
        cause = cycle_cause::barrier;
    }
    account_.set(s, cause, edge_);
}

/// What keeps `ready` warps from issuing; of several units the one that the lowest slot needs.
cycle_cause issue_stage::ready_cause(protocol::warp_mask ready) const noexcept {
    const protocol::warp_mask others = ready & ~states_.ready_for_memory();
    if (others != 0) return busy_cause(static_cast<unit_class>(states_.of(bits::first(others))));
    if ((ready & states_.in(ready_for(unit_class::memory))) == 0) {
        return cycle_cause::constants_busy;
    }
    if (gate_.at_begin().in_queue) return cycle_cause::memory_busy;
    return gate_.refused() ? cycle_cause::reservation_fail : cycle_cause::memory_stall;
}

void issue_stage::refresh_states() {
    bits::for_each(dirty_, [&](unsigned warp) {
        const warp_state state = state_of(warp);
        states_.set(warp, state);
        look_at_head(warp, is_for_memory(state), parts_.paths, heads_);
        if (is_ready(state)) parts_.blocks.can_issue(parts_.blocks.warp(warp).block);
    });
    changed_ = true;
    touched_ |= dirty_;
    dirty_ = 0;
}

warp_state issue_stage::state_of(unsigned warp) const {
    // Also where none of its lanes runs, in a transaction.
    if (bits::test(parts_.waits.in<warp_state::waits_for_memory>(), warp)) {
        return warp_state::waits_for_memory;
    }
    if (parts_.paths.group(warp).lanes == 0) return warp_state::absent;
    if (bits::test(parts_.waits.in<warp_state::waits_at_barrier>(), warp)) {
        return warp_state::waits_at_barrier;
    }
    if (parts_.paths.buffers().empty(warp)) return warp_state::waits_for_fetch;
    const issue_info& info = parts_.table[parts_.paths.position(warp)];
    if (!scoreboard_.blocked(warp, info.operands)) {
        return info.loads_constants ? warp_state::ready_constants : ready_for(info.unit);
    }
    if (scoreboard_.waits_for_memory(warp, info.operands)) return warp_state::waits_for_memory;
    return scoreboard_.waits_for_constants(warp, info.operands) ? warp_state::waits_for_constants
                                                                : warp_state::waits_for_result;
}

// Issue

void issue_stage::issue(unsigned s, unsigned warp) {
    const std::uint32_t at = parts_.paths.position(warp);
    const isa::instruction& i = parts_.paths.head(warp);
    const issue_info& info = parts_.table[at];
    const thread_group group = group_of(warp);
    parts_.paths.buffers().take(warp);
    if (!info.loads_constants) units_.take(info.unit, s, edge_, info.extra_read_cycles);
    sizes_.add(bits::count(group.lanes));
    dirty_ |= bits::one(warp);
    issued_ |= bits::one(warp);
    changed_ = true;
    const execution_outcome outcome = parts_.executor.execute(group, i, edge_);
    follow(warp, outcome, group.lanes);
    if (info.unit == unit_class::memory) {
        if (i.writes_register() || configuration_.barrel) {
            scoreboard_.set_memory(warp, i.rd, info.loads_constants);
        }
        if (heads_.issued(at, outcome.first_address)) {
            // What has been learnt holds for the warps that wait with this instruction, too.
            bits::for_each(states_.ready_for_memory() & ~dirty_,
                           [&](unsigned each) { look_at_head(each, true, parts_.paths, heads_); });
        }
        gate_.sent(edge_);
    } else {
        expect_result(warp, i, info);
    }
    expect_next(parts_, warp);
}

/// The warp's threads go where the outcome says; where its formation waits for them, it decides
/// which of them run next.
void issue_stage::follow(unsigned warp, const execution_outcome& outcome, isa::lane_mask lanes) {
    using kind = execution_outcome::kind;
    warp_group& group = parts_.paths.group(warp);
    switch (outcome.what) {
        case kind::goes_to:
            turned_ |= bits::one(warp);
            if (outcome.where.what == simt::transfer::kind::together) {
                return go_to(warp, outcome.where.groups[0].pc);
            }
            if (const auto next = formation_->follow(warp, outcome.where)) {
                group = *next;
            } else {
                parts_.blocks.fault(warp, bits::first(lanes), group.pc,
                                    full_stack_text(configuration_.stack_entries));
            }
            return;
        case kind::ends:
            group = formation_->exit(warp, lanes);
            (group.lanes != 0 ? turned_ : events_.ended) |= bits::one(warp);
            return;
        case kind::refused:
            return;
        case kind::waits_in_place:
            parts_.waits.begin(outcome.reason, warp);
            return;
        case kind::waits_at_barrier:
            parts_.waits.begin(wait_reason::barrier, warp);
            break;
        case kind::waits_for_accesses:
            fences_.wait(warp, parts_.blocks.block(parts_.blocks.warp(warp).block).warps,
                         parts_.lsu);
            break;
        case kind::waits_for_unit:
            parts_.waits.begin(outcome.reason, warp);
            break;
        case kind::straight_on:
            break;
    }
    go_to(warp, group.pc + 4);
}

void issue_stage::go_to(unsigned warp, std::uint32_t pc) {
    warp_group& group = parts_.paths.group(warp);
    group.pc = pc;
    if (pc == group.limit) group = formation_->advance(warp, pc);
}

/// The result may be used when it has been written back; barrel issue waits also where there is
/// none.
void issue_stage::expect_result(unsigned warp, const isa::instruction& i, const issue_info& info) {
    if (!i.writes_register() && !configuration_.barrel) return;
    if (parts_.paths.group(warp).lanes == 0) return;  // it has ended
    scoreboard_.set(warp, i.rd);
    results_.add(
        edge_ + configuration_.operand_latency + info.extra_read_cycles + units_.latency(info.unit),
        warp, i.rd, i.writes_register());
}

}  // namespace heddle
