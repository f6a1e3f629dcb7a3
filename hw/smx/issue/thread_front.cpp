// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/issue/thread_front.h"

#include <algorithm>

#include "hw/smx/thread_pool/issue_filter.h"
#include "models/simt/fault_text.h"

namespace heddle {

using protocol::thread_turn;
using protocol::turn_outcome;

static constexpr std::uint32_t memory_unit_bit = 1u << static_cast<unsigned>(unit_class::memory);
static constexpr std::uint32_t constants_bit = 1u << needs_constants;

/// Where lanes have units of their own, each has a write-back port.
static smx_configuration ports_of(smx_configuration smx, bool lane_units) {
    if (lane_units) {
        smx.writeback_interval = 0;
        smx.writeback_ports = 2 * protocol::maximum_lanes;
    }
    return smx;
}

thread_front::thread_front(const smx_configuration& smx, sm_id sm, const smx_capabilities& can,
                           protocol::initiator_socket_base<protocol::thread_link>& pool,
                           const front_parts& parts)
    : configuration_(smx),
      warp_size_(parts.lanes),
      lane_units_(can.lane_units),
      pool_(pool),
      parts_(parts),
      units_(smx),
      results_(ports_of(smx, can.lane_units)),
      gate_(parts.lsu),
      fences_(parts.blocks.block_slots()),
      barriers_(parts.blocks.block_slots(), smx.barrier_latency),
      account_(1),
      pc_(std::size_t{can.warp_slots} * parts.lanes) {
    turn_.sm = sm;
}

void thread_front::use_program(const program::kernel_code& code) {
    program_.code = &code;
    program_.base = code.base;
    program_.needs.resize(parts_.table.size());
    for (std::size_t at = 0; at < program_.needs.size(); ++at) {
        const issue_info& info = parts_.table[at];
        program_.needs[at] =
            info.loads_constants ? needs_constants : static_cast<issue_need>(info.unit);
    }
    turn_.program = &program_;
}

void thread_front::start(unsigned warp, std::uint32_t pc, isa::lane_mask lanes,
                         const program::kernel_code&) {
    const unsigned block = parts_.blocks.warp(warp).block;
    protocol::thread_arrival& threads = arrivals_.emplace_back();
    threads.block = block_slot(block);
    threads.pc = pc;
    threads.lanes = lanes;
    threads.starts = true;
    for (unsigned lane = 0; lane < warp_size_; ++lane) {
        threads.threads[lane] = static_cast<std::uint16_t>(warp * warp_size_ + lane);
    }
    note_arrivals(arrivals_.size() - 1);
    parts_.blocks.can_issue(block);
}

// What memory tells

void thread_front::loaded(const memory_flight& flight, isa::lane_mask lanes,
                          const std::uint32_t* values) {
    const thread_flight& f = flights_[flight.group.as<thread_flight_index>()];
    parts_.executor.loaded(f.homes(), flight.number, flight.instruction->rd, lanes, values, edge_);
    changed_ = true;
}

void thread_front::completed(const memory_flight& flight) {
    const auto at = flight.group.as<thread_flight_index>();
    const thread_flight& f = flights_[at];
    parts_.executor.completed(f.homes(), flight.number, f.lanes, edge_);
    memory_results_ += flight.instruction->writes_register() ? 1 : 0;
    land(at);
}

void thread_front::returned(const memory_flight& flight, isa::lane_mask lanes) {
    const auto at = flight.group.as<thread_flight_index>();
    thread_flight& f = flights_[at];
    f.loaded |= lanes;
    if (f.loaded == f.lanes) return;  // the instruction completes
    parts_.executor.returned(f.homes(), flight.number, lanes, edge_);
    memory_results_ += flight.instruction->writes_register() ? 1 : 0;
    partly_loaded_.push_back(at);
    changed_ = true;
}

void thread_front::writes_drained(access_owner owner) {
    changed_ = true;
    execution_observer* const observer = parts_.observer.get();
    const unsigned block = block_fences::block_of(owner.value());
    if (observer == nullptr || !block_fences::written(parts_.lsu, block)) return;
    bits::for_each(parts_.blocks.block(block).warps,
                   [&](unsigned warp) { observer->writes_drained(edge_, warp); });
}

void thread_front::finish_fences() {
    fences_.finish(parts_.lsu, [&](thread_flight_index at) {
        parts_.lsu.maintenance().invalidate_global();
        const thread_flight& f = flights_[at];
        if (execution_observer* const observer = parts_.observer.get()) {
            observer->fenced(edge_, f.home);
        }
        changed_ = true;
        if (f.result <= edge_) return land(at);
        expect_result(at, false);
    });
}

void thread_front::land(thread_flight_index flight) {
    const std::size_t before = arrivals_.size();
    flights_.end(flight, arrivals_);
    note_arrivals(before);
    changed_ = true;
}

/// What has been loaded since the last turn comes back in this one.
void thread_front::land_loaded() {
    const std::size_t before = arrivals_.size();
    for (const thread_flight_index flight : partly_loaded_) flights_.end_loaded(flight, arrivals_);
    partly_loaded_.clear();
    note_arrivals(before);
}

/// Keeps where the threads are, for reports, and stops threads that leave the code.
void thread_front::note_arrivals(std::size_t first) {
    for (; first < arrivals_.size(); ++first) {
        const protocol::thread_arrival& a = arrivals_[first];
        bits::for_each(a.lanes, [&](unsigned lane) { pc_[a.threads[lane]] = a.pc; });
        last_pc_ = a.pc;
        if ((a.pc - program_.base) / 4 < parts_.table.size()) continue;
        const unsigned thread = a.threads[bits::first(a.lanes)];
        parts_.blocks.fault(thread / warp_size_, thread % warp_size_, a.pc, simt::past_end_text());
    }
}

// A cycle

bool thread_front::cycle() {
    if (results_.due(edge_) || memory_results_ != 0) {
        changed_ = true;
        results_.cycle(edge_, memory_results_, [&](thread_flight_index at) { land(at); });
    }
    barriers_.release(edge_, [&](thread_flight_index flight) { land(flight); });
    if (edge_ >= next_turn_ && !parts_.blocks.faults().stopped()) turn();
    return changed_;
}

/// The pool is called unless the call would change nothing.
void thread_front::turn() {
    const std::uint32_t interval = configuration_.issue_interval;
    if ((edge_ - next_turn_) % interval != 0) return;
    next_turn_ = edge_ + interval;
    if (!partly_loaded_.empty()) land_loaded();
    if (results_.holds(edge_)) {
        changed_ = true;
        charge(cycle_cause::writeback);
        return;
    }
    gate_.begin();
    turn_.accepting = accepting();
    const bool empty = arrivals_.empty() && turn_.issue.outcome == turn_outcome::nothing &&
                       edge_ < turn_.next_change;
    if (!empty) call_pool();
    if (parts_.blocks.faults().stopped()) return;
    if (turn_.issue.outcome != turn_outcome::issued) {
        changed_ |= charge(cause_of(turn_.issue));
        return;
    }
    charge(cycle_cause::issued);
    changed_ = true;
    next_turn_ += turn_.issue.conflict_clocks;
    unsigned lanes = 0;
    for (unsigned n = 0; n < turn_.issue.count; ++n) {
        lanes += bits::count(turn_.issue.parts[n].lanes);
        issue(turn_.issue.parts[n]);
        if (parts_.blocks.faults().stopped()) return;
    }
    sizes_.add(lanes);
}

void thread_front::call_pool() {
    turn_.cycle = edge_;
    turn_.arrivals = arrivals_.data();
    turn_.arrival_count = static_cast<std::uint32_t>(arrivals_.size());
    auto phase = protocol::thread_phase::turn;
    auto time = sc_core::SC_ZERO_TIME;
    turns_->nb_transport_fw(turn_, phase, time);
    arrivals_.clear();
    turn_.program = nullptr;
}

/// Where lanes have units of their own, the pool keeps account of them.
std::uint32_t thread_front::accepting() noexcept {
    const load_store_room& room = gate_.now();
    if (lane_units_) {
        // Each thread that issues may take a place in the queue, also for constants.
        constexpr std::uint32_t memory = memory_unit_bit | constants_bit;
        return room.in_queue ? execution_units::all_units | memory
                             : execution_units::all_units & ~memory;
    }
    std::uint32_t units = units_.accepting(edge_);
    if (!room.in_queue) units &= ~memory_unit_bit;
    return room.constants ? units | constants_bit : units;
}

/// Why nothing issues.
cycle_cause thread_front::cause_of(const protocol::thread_issue& issue) const {
    switch (issue.outcome) {
        case turn_outcome::unit_busy: {
            const issue_need need = program_.needs[position(issue.parts[0].pc)];
            if (need == needs_constants) return cycle_cause::constants_busy;
            const auto unit = static_cast<unit_class>(need);
            if (unit != unit_class::memory) return busy_cause(unit);
            if (gate_.at_begin().in_queue) return cycle_cause::memory_busy;
            return gate_.refused() ? cycle_cause::reservation_fail : cycle_cause::memory_stall;
        }
        case turn_outcome::forming:
            return cycle_cause::formation;
        default:
            break;
    }
    if (flights_.in(flight_place::memory) != 0) return cycle_cause::memory;
    if (flights_.in(flight_place::fence) != 0) return cycle_cause::fence;
    if (flights_.in(flight_place::constants) != 0) return cycle_cause::constants;
    if (flights_.in(flight_place::pipeline) != 0) return cycle_cause::dependency;
    if (flights_.in(flight_place::barrier) != 0) return cycle_cause::barrier;
    return cycle_cause::no_warp;
}

bool thread_front::charge(cycle_cause cause) noexcept {
    if (profile_ != nullptr) {
        const std::uint32_t at = place_of(cause);
        const bool known = at < parts_.table.size();
        profile_->charge_to(0, {cause, known ? at : code_profile::nowhere}, edge_);
    }
    return account_.set(0, cause, edge_);
}

/// The instruction that keeps the pool: one that waits for its unit, or one that threads have
/// issued and are in until it is over. Threads that wait to be formed are where the last of them
/// arrived.
std::uint32_t thread_front::place_of(cycle_cause cause) const noexcept {
    switch (cause) {
        case cycle_cause::memory:
            return place_of(flight_place::memory);
        case cycle_cause::fence:
            return place_of(flight_place::fence);
        case cycle_cause::constants:
            return place_of(flight_place::constants);
        case cycle_cause::dependency:
            return place_of(flight_place::pipeline);
        case cycle_cause::barrier:
            return place_of(flight_place::barrier);
        case cycle_cause::no_warp:
            return code_profile::nowhere;
        case cycle_cause::formation:
        case cycle_cause::writeback:
            return position(last_pc_);
        default:
            return position(turn_.issue.parts[0].pc);
    }
}

// Issue

void thread_front::issue(const protocol::thread_part& part) {
    const thread_flight_index at = flights_.start(part, turn_.issue.threads.data(), warp_size_);
    thread_flight& f = flights_[at];
    f.owner = fences_.owner(f.block);
    const std::uint32_t position = this->position(part.pc);
    const isa::instruction& i = parts_.blocks.block(f.block).kernel->code.instructions[position];
    const issue_info& info = parts_.table[position];
    const unsigned extra = info.extra_read_cycles + turn_.issue.conflict_clocks;
    if (!info.loads_constants && !lane_units_) {
        units_.take(info.unit, 0, edge_, extra);
    }
    f.result = edge_ + configuration_.operand_latency + extra + units_.latency(info.unit);
    const execution_outcome outcome = parts_.executor.execute(f.group(at), i, edge_);
    if (profile_ != nullptr) {
        profile_->issued(position, bits::count(part.lanes), i.is_memory(), outcome.parts_lanes());
    }
    if (i.is_memory()) {
        flights_.put(at, info.loads_constants ? flight_place::constants : flight_place::memory);
        gate_.sent(edge_);
        return;
    }
    follow(at, i, outcome);
}

void thread_front::follow(thread_flight_index at, const isa::instruction& i,
                          const execution_outcome& outcome) {
    using kind = execution_outcome::kind;
    const thread_flight& f = flights_[at];
    switch (outcome.what) {
        case kind::refused:
            return;
        case kind::ends:
            return flights_.drop(at);
        case kind::waits_at_barrier:
            flights_.put(at, flight_place::barrier);
            return barriers_.wait(f.block, at, f.result);
        case kind::waits_for_accesses:
            flights_.put(at, flight_place::fence);
            return fences_.wait(f.block, at);
        case kind::waits_in_place:
        case kind::waits_for_unit:
            return parts_.blocks.faults().model_error("a thread pool carries out no launches");
        case kind::goes_to:
            flights_.follow(at, outcome.where);
            break;
        case kind::straight_on:
            break;
    }
    flights_.put(at, flight_place::pipeline);
    expect_result(at, i.writes_register());
}

void thread_front::complete_barriers(protocol::warp_mask homes) {
    while (homes != 0) {
        const unsigned block = parts_.blocks.warp(bits::first(homes)).block;
        barriers_.complete(block, edge_);
        homes &= ~parts_.blocks.block(block).warps;
    }
}

// Sleep

bool thread_front::settle() {
    const unsigned in_flight = flights_.in(flight_place::pipeline) +
                               flights_.in(flight_place::memory) +
                               flights_.in(flight_place::constants);
    if (in_flight != in_flight_.level()) in_flight_.set(edge_, in_flight);
    return changed_ || !arrivals_.empty() || !partly_loaded_.empty() || gate_.has_changed();
}

std::uint64_t thread_front::next_due(std::uint64_t edge) const noexcept {
    const std::uint64_t result = std::min(results_.next_due(edge), barriers_.next_due());
    std::uint64_t turn = std::max(turn_.next_change, edge + 1);
    // What has issued, or waits for its unit, may have others behind it in the pool.
    if (turn_.issue.outcome == turn_outcome::issued) turn = std::max(next_turn_, edge + 1);
    if (turn_.issue.outcome == turn_outcome::unit_busy) turn = edge + 1;
    return std::min(result, turn);
}

}  // namespace heddle
