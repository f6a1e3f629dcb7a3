// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>
#include <utility>

#include "hw/smx/blocks/fault_reporter.h"
#include "hw/smx/issue/load_store_gate.h"
#include "hw/smx/issue/scheduler_ports.h"
#include "hw/smx/issue/warp_profile.h"
#include "hw/smx/issue/warp_readiness.h"
#include "hw/smx/pipeline/cycle_account.h"
#include "hw/smx/pipeline/execution_units.h"

namespace heddle {

/// What the schedulers of an SMX do in a cycle: each picks one of its warps that could issue, or
/// has a reason not to (cycle_cause). With smx.dual_issue the picked warp may issue twice.
class scheduler_turns {
public:
    scheduler_turns(const smx_configuration& smx, unsigned warps, scheduler_ports& ports,
                    const warp_readiness& readiness, const load_store_unit& lsu,
                    fault_reporter& faults)
        : configuration_(smx),
          all_(bits::below(warps)),
          ports_(ports),
          readiness_(readiness),
          faults_(faults),
          units_(smx),
          gate_(lsu),
          account_(smx.schedulers),
          in_turns_(smx.issue_interval > 1),
          foresees_(in_turns_) {
        for (unsigned s = 0; s < smx.schedulers; ++s) {
            turns_[s % smx.issue_interval] |= std::uint32_t{1} << s;
        }
    }

    /// `profile` hears what the schedulers' cycles belong to. Call before the run starts.
    void follow(warp_profile& profile) noexcept { profile_ = &profile; }

    /// Step (3) at `edge`. `refreshed`: warps whose states have been found again; `held`: a result
    /// holds the pipeline. `issue(scheduler, warp)` has the next instruction of a warp issued.
    /// True if the next edge may differ from this one although nothing issued.
    template <class Issue>
    bool cycle(std::uint64_t edge, protocol::warp_mask refreshed, bool held, warp_events& events,
               Issue issue);

    /// The unit takes the instruction that a warp issues.
    void take(const issue_info& info, unsigned scheduler) {
        if (!info.loads_constants) {
            units_.take(info.unit, scheduler, edge_, info.extra_read_cycles);
        }
    }
    [[nodiscard]] std::uint32_t latency(unit_class unit) const noexcept {
        return units_.latency(unit);
    }
    /// A memory instruction has gone to the load-store unit.
    void sent_to_memory() noexcept { gate_.sent(edge_); }

    /// What keeps warps from issuing has changed since the last cycle.
    [[nodiscard]] bool gate_has_changed() const noexcept { return gate_.has_changed(); }
    /// After a cycle() that changes nothing: what the turns of schedulers without a ready warp will
    /// count as. The SMX may sleep through them.
    void foresee() noexcept;
    [[nodiscard]] bool foresees() const noexcept { return foresees_; }
    /// Somebody sees the cycles pass. Call before the run starts.
    void foresee_nothing() noexcept { foresees_ = false; }
    /// Next edge after `edge` at which a scheduler has its turn.
    [[nodiscard]] std::uint64_t next_turn(std::uint64_t edge) const noexcept {
        const std::uint32_t phase = phase_of(edge + 1);
        return turns_[phase] != 0 ? edge + 1 : edge + 1 + configuration_.issue_interval - phase;
    }
    /// Next edge at which a ready warp may issue, or a scheduler that has one finds why not; after
    /// foresee().
    [[nodiscard]] std::uint64_t next_due(std::uint64_t edge) const noexcept;
    [[nodiscard]] const cycle_account& account() const noexcept { return account_; }
    /// Instructions that were issued second in a cycle of their scheduler.
    [[nodiscard]] std::uint64_t second_issues() const noexcept { return second_issues_; }

private:
    template <class Issue>
    bool run_scheduler(unsigned s, bool turn, protocol::warp_mask events,
                       protocol::warp_mask& issuable, bool others, Issue& issue);
    template <class Issue>
    bool select(unsigned s, protocol::warp_mask issuable, Issue& issue);
    template <class Issue>
    void issue_seconds(Issue& issue);
    [[nodiscard]] protocol::warp_mask issuable_warps(std::uint32_t accepting) const noexcept;
    [[nodiscard]] bool is_taken(warp_state state) const noexcept;
    /// Schedulers s with s % interval == phase_of(edge) have their turn at an edge.
    [[nodiscard]] std::uint32_t phase_of(std::uint64_t edge) const noexcept {
        const std::uint32_t interval = configuration_.issue_interval;
        return interval == 1 ? 0 : static_cast<std::uint32_t>(edge % interval);
    }
    /// Next turn of one of these schedulers, at least one, after `edge`.
    [[nodiscard]] std::uint64_t turn_after(std::uint32_t schedulers,
                                           std::uint64_t edge) const noexcept {
        const std::uint32_t interval = configuration_.issue_interval;
        std::uint32_t phases = schedulers;
        while ((schedulers >>= interval) != 0) phases |= schedulers;
        phases &= (1U << interval) - 1;
        const std::uint32_t from_next = (phases | phases << interval) >> phase_of(edge + 1);
        return edge + 1 + bits::first(from_next);
    }
    void describe_cycle(const warp_events& events);
    /// The cycles of scheduler `s` from this one on.
    void charge(unsigned s, const idle_cause& why) noexcept {
        account_.set(s, why.cause, edge_);
        if (profile_ != nullptr) profile_->charge_idle(s, why, edge_);
    }
    [[nodiscard]] idle_cause classify(unsigned s) const noexcept;
    [[nodiscard]] idle_cause ready_cause(protocol::warp_mask ready) const noexcept;
    void not_issuable(unsigned s, unsigned picked);

    static constexpr std::uint32_t memory_unit_bit = 1U
                                                     << static_cast<unsigned>(unit_class::memory);
    static constexpr std::uint32_t constants_bit =
        1U << static_cast<unsigned>(warp_state::ready_constants);

    const smx_configuration configuration_;
    const protocol::warp_mask all_;  ///< the slots that exist
    scheduler_ports& ports_;
    const warp_readiness& readiness_;
    fault_reporter& faults_;
    execution_units units_;
    load_store_gate gate_;
    cycle_account account_;
    warp_profile* profile_ = nullptr;  ///< null: nobody asks
    const bool in_turns_;
    bool foresees_;
    /// By the phase of an edge: a bit per scheduler that has its turn.
    std::array<std::uint32_t, smx_configuration::maximum_interval> turns_{};

    std::uint64_t edge_ = 0;
    bool held_ = false;
    protocol::warp_mask touched_ = 0;  ///< may change what its scheduler's cycles count as
    std::uint32_t picks_ = 0;          ///< schedulers that picked a warp in this cycle, and which
    std::array<std::uint8_t, smx_configuration::maximum_schedulers> picked_{};
    std::uint64_t second_issues_ = 0;
};

template <class Issue>
bool scheduler_turns::cycle(std::uint64_t edge, protocol::warp_mask refreshed, bool held,
                            warp_events& events, Issue issue) {
    edge_ = edge;
    held_ = held;
    picks_ = 0;
    touched_ |= refreshed;
    if (gate_.begin() || held) touched_ = all_;
    protocol::warp_mask told = events.any();
    if (told != 0 && ports_.follow_smx()) told = all_;
    events.ended = 0;  // those that end now are told in the next cycle
    std::uint32_t turns = ~0U;
    if (in_turns_) {
        turns = turns_[phase_of(edge)];
        if ((turns | told) == 0) return false;
    }
    protocol::warp_mask issuable = 0;
    if (readiness_.states().ready() != 0 && !held) {
        issuable = issuable_warps(units_.accepting(edge));
    }
    if ((told | issuable) != 0) describe_cycle(events);
    bool held_back = false;
    const protocol::warp_mask of_interest = told | issuable | touched_;
    for (std::uint32_t left = of_interest == 0 ? 0 : ports_.owners_of(of_interest); left != 0;) {
        const unsigned s = bits::first(left);
        left &= left - 1;
        const bool turn = (turns >> s & 1U) != 0;
        held_back |= run_scheduler(s, turn, told, issuable, left != 0, issue);
        if (faults_.stopped()) return held_back;
    }
    if (configuration_.dual_issue && picks_ != 0) issue_seconds(issue);
    events.started = events.memory_done = events.lost_locality = 0;
    return held_back;
}

/// True if the policy holds its warps back: they are offered again in the next cycle. `others`: it
/// leaves `issuable` for those behind it.
template <class Issue>
bool scheduler_turns::run_scheduler(unsigned s, bool turn, protocol::warp_mask events,
                                    protocol::warp_mask& issuable, bool others, Issue& issue) {
    const protocol::warp_mask own = ports_.own(s);
    protocol::warp_mask now = turn ? issuable : 0;
    if (units_.pipeline_busy(s, edge_)) now &= readiness_.states().ready_for_memory();
    if (((events | now) & own) != 0) {
        const bool issued = select(s, now, issue);
        if (faults_.stopped()) return false;
        if (issued) {
            account_.set(s, cycle_cause::issued, edge_);
            if (profile_ != nullptr) profile_->charge_issue(s, picked_[s], edge_);
            if (others) issuable = issuable_warps(units_.still_accepting());
            return false;
        }
        if ((now & own) != 0) {
            charge(s, {cycle_cause::held_back, now & own});
            touched_ |= own;
            return true;
        }
    }
    if (!turn || (touched_ & own) == 0) return false;
    idle_cause why = classify(s);
    if (held_) {
        why.cause = cycle_cause::writeback;
    } else {
        touched_ &= ~own;
    }
    charge(s, why);
    return false;
}

/// Scheduler `s` picks one of the `issuable` warps that are its own, which issues. True if one did.
template <class Issue>
bool scheduler_turns::select(unsigned s, protocol::warp_mask issuable, Issue& issue) {
    const std::optional<unsigned> picked = ports_.select(s, issuable);
    if (!picked) return false;
    if ((issuable & ports_.own(s) & bits::one(*picked & 63)) == 0 || *picked > 63) {
        not_issuable(s, *picked);
        return false;
    }
    issue(s, *picked);
    picked_[s] = static_cast<std::uint8_t>(*picked);
    picks_ |= 1U << s;
    return true;
}

/// Each scheduler may issue the instruction behind the one that it has just issued, if nothing
/// keeps that; the schedulers take turns to be first, so that none has the units to itself.
template <class Issue>
void scheduler_turns::issue_seconds(Issue& issue) {
    // One scheduler needs no turns, and most cycles no division.
    const bool several = (picks_ & (picks_ - 1)) != 0;
    const std::uint32_t from_first = several ? ~0U << edge_ % ports_.count() : ~0U;
    std::uint32_t later = picks_ & ~from_first;
    for (std::uint32_t left = picks_ & from_first; (left | later) != 0; left &= left - 1) {
        if (left == 0) left = std::exchange(later, 0);
        if (faults_.stopped()) return;
        const unsigned s = bits::first(left);
        const unsigned warp = picked_[s];
        const warp_state state = readiness_.state_of(warp);
        if (!is_ready(state) || !is_taken(state)) continue;
        ++second_issues_;
        issue(s, warp);
    }
}

/// Ready warps whose unit takes an instruction now; `accepting` are the units that have an input.
inline protocol::warp_mask scheduler_turns::issuable_warps(std::uint32_t accepting) const noexcept {
    accepting &= ~(gate_.now().in_queue ? 0 : memory_unit_bit);
    return readiness_.states().ready_for_any(accepting |
                                             (gate_.now().constants ? constants_bit : 0));
}

}  // namespace heddle
