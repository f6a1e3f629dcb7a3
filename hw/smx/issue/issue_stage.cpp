// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/issue/issue_stage.h"

#include <algorithm>
#include <utility>

#include "hw/smx/warp_scheduler/selection_policies.h"

namespace heddle {

namespace {

/// The warp's next instruction comes later.
void expect_next(const issue_parts& parts, unsigned warp) noexcept {
    if (parts.paths.in_code(warp, parts.paths.group(warp).pc)) {
        parts.executor.registers().expect(warp, parts.paths.head(warp));
    }
}

/// The threads of a load, store or atomic: those of a warp, in place.
thread_homes homes_of(const memory_flight& flight) noexcept {
    return {static_cast<std::uint16_t>(flight.group.as<warp_slot>().value()), nullptr};
}

}  // namespace

issue_stage::issue_stage(const smx_configuration& smx,
                         const warp_scheduler_configuration& scheduler, unsigned warps,
                         std::unique_ptr<formation> groups, scheduler_ports& ports,
                         const issue_parts& parts)
    : configuration_(smx),
      parts_(parts),
      readiness_(warps, needs_of(scheduler).classification,
                 {parts.paths, parts.table, parts.blocks, parts.waits, scoreboard_}),
      turns_(smx, warps, ports, readiness_, parts.lsu, parts.blocks.faults()),
      follower_(std::move(groups), smx.stack_entries,
                {parts.paths, parts.blocks, parts.lsu, parts.waits, events_}),
      results_(smx),
      barriers_(parts.blocks.block_slots(), smx.barrier_latency, parts.waits),
      moves_({follower_.groups(), parts.paths, scoreboard_, parts.waits, events_,
              readiness_.dirty()}) {}

void issue_stage::follow(code_profile& profile) {
    profile_ = std::make_unique<warp_profile>(warp_profile::parts{
        profile, parts_.paths, parts_.table, parts_.waits, scoreboard_, configuration_.barrel});
    turns_.follow(*profile_);
}

void issue_stage::use_program(const program::kernel_code& code) {
    readiness_.use_program(code);
    if (profile_) profile_->use_program();
}

thread_group issue_stage::group_of(unsigned warp) const noexcept {
    const warp_group& group = parts_.paths.group(warp);
    const auto slot = static_cast<std::uint16_t>(warp);
    return {group.lanes,
            group.pc,
            parts_.blocks.warp(warp).block,
            slot,
            nullptr,
            group_name(warp_slot(warp)),
            slot,
            bits::test(parts_.in_transactions, warp) ? slot : thread_group::no_transaction};
}

// What memory tells

void issue_stage::loaded(const memory_flight& flight, isa::lane_mask lanes,
                         const std::uint32_t* values) {
    parts_.executor.loaded(homes_of(flight), flight.number, flight.instruction->rd, lanes, values,
                           edge_);
    used_ = true;
}

void issue_stage::completed(const memory_flight& flight) {
    const unsigned warp = flight.group.as<warp_slot>().value();
    const isa::instruction& instruction = *flight.instruction;
    used_ = true;
    parts_.executor.completed(homes_of(flight), flight.number, 0, edge_);
    scoreboard_.clear(warp, instruction.rd);
    memory_results_ += instruction.writes_register() ? 1 : 0;
    if (readiness_.completion_counts(parts_.paths.position_of(warp, instruction))) {
        events_.memory_done |= bits::one(warp);
    }
    follower_.waits_at_fences().check(warp);
    readiness_.touch(bits::one(warp));
    expect_next(parts_, warp);
}

void issue_stage::writes_drained(access_owner owner) {
    if (parts_.observer.get() != nullptr) {
        parts_.observer.get()->writes_drained(edge_, owner.value());
    }
    follower_.waits_at_fences().written(owner.value());
    changed_ = true;
}

/// A fence lets its warp go on when all its accesses have been performed.
void issue_stage::finish_fences() {
    if (!follower_.waits_at_fences().unchecked()) return;
    const auto drained = [&](unsigned warp) { return parts_.lsu.is_idle(access_owner(warp)); };
    follower_.waits_at_fences().finish(drained, [&](unsigned warp) {
        parts_.lsu.maintenance().invalidate_global();
        if (parts_.observer.get() != nullptr) parts_.observer.get()->fenced(edge_, warp);
        readiness_.touch(bits::one(warp));
    });
}

// Write-back

void issue_stage::write_results() {
    if (!results_.due(edge_) && memory_results_ == 0) return;
    used_ = true;
    results_.cycle(edge_, memory_results_, [&](warp_code done) {
        scoreboard_.clear(done.warp(), done.code());
        readiness_.touch(bits::one(done.warp()));
    });
}

// Issue

void issue_stage::cycle() {
    issued_ = 0;
    follower_.begin();
    barriers_.release(edge_);
    readiness_.touch(parts_.waits.take_ended());
    protocol::warp_mask refreshed = 0;
    if (readiness_.dirty() != 0) {
        refreshed = readiness_.refresh();
        used_ = true;
    }
    changed_ |= turns_.cycle(edge_, refreshed, results_.holds(edge_), events_,
                             [this](unsigned s, unsigned warp) { issue(s, warp); });
}

void issue_stage::issue(unsigned s, unsigned warp) {
    const std::uint32_t at = parts_.paths.position(warp);
    const isa::instruction& i = parts_.paths.head(warp);
    const issue_info& info = parts_.table[at];
    const thread_group group = group_of(warp);
    parts_.paths.buffers().take(warp);
    turns_.take(info, s);
    sizes_.add(bits::count(group.lanes));
    readiness_.touch(bits::one(warp));
    issued_ |= bits::one(warp);
    changed_ = true;
    const execution_outcome outcome = parts_.executor.execute(group, i, edge_);
    if (profile_) profile_->issued(warp, at, i, group.lanes, outcome);
    follower_.follow(warp, outcome, group.lanes);
    if (info.unit == unit_class::memory) {
        if (i.writes_register() || configuration_.barrel) {
            scoreboard_.set_memory(warp, i.rd, info.loads_constants);
        }
        readiness_.memory_issued(at, outcome.first_address);
        turns_.sent_to_memory();
    } else {
        expect_result(warp, i, info);
    }
    expect_next(parts_, warp);
}

/// The result may be used when it has been written back; barrel issue waits also where there is
/// none.
void issue_stage::expect_result(unsigned warp, const isa::instruction& i, const issue_info& info) {
    if (!i.writes_register() && !configuration_.barrel) return;
    if (parts_.paths.group(warp).lanes == 0) return;  // it has ended
    scoreboard_.set(warp, i.rd);
    results_.add(
        edge_ + configuration_.operand_latency + info.extra_read_cycles + turns_.latency(info.unit),
        {warp, i.rd}, i.writes_register());
}

bool issue_stage::settle() {
    const unsigned in_flight = bits::count(scoreboard_.in_flight());
    if (in_flight != in_flight_.level()) in_flight_.set(edge_, in_flight);
    if (changed_ || readiness_.dirty() != 0 || turns_.gate_has_changed()) return true;
    if (used_ && !turns_.foresees()) return true;
    turns_.foresee();
    return false;
}

std::uint64_t issue_stage::next_due(std::uint64_t edge) const noexcept {
    const std::uint64_t result = std::min(results_.next_due(edge), barriers_.next_due());
    return readiness_.states().ready() == 0 ? result : std::min(result, turns_.next_due(edge));
}

}  // namespace heddle
