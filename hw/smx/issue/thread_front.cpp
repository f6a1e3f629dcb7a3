// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/issue/thread_front.h"

#include <algorithm>
#include <utility>

#include "hw/smx/pipeline/event_wheel.h"
#include "hw/smx/thread_pool/issue_filter.h"
#include "models/program/address_map.h"
#include "models/simt/fault_text.h"

namespace heddle {

using protocol::turn_outcome;

/// Where lanes have units of their own, each has a write-back port.
static smx_configuration ports_of(smx_configuration smx, bool lane_units) {
    if (lane_units) {
        smx.writeback_interval = 0;
        smx.writeback_ports = 2 * protocol::maximum_lanes;
    }
    return smx;
}

thread_front::thread_front(const smx_configuration& smx, sm_id sm, const smx_capabilities& can,
                           const std::vector<pool_user>& schedulers, const front_parts& parts)
    : configuration_(smx),
      warp_size_(parts.lanes),
      lane_units_(can.lane_units),
      parts_(parts),
      flights_(can.shared_pool ? 1 : static_cast<unsigned>(schedulers.size())),
      units_(smx),
      results_(ports_of(smx, can.lane_units), can.individual_return ? parts.lanes : 0),
      gate_(parts.lsu),
      fences_(parts.blocks.block_slots()),
      barriers_(parts.blocks.block_slots(), smx.barrier_latency),
      meetings_(can.warp_slots),
      moves_({parts.lanes, parts.blocks, flights_, pools_, pool_of_, meetings_, barriers_,
              parts.waits, pc_}),
      causes_({program_, pools_, flights_, gate_}),
      account_(static_cast<unsigned>(schedulers.size())),
      pc_(std::size_t{can.warp_slots} * parts.lanes) {
    for (unsigned s = 0; s < schedulers.size(); ++s) {
        if (s == 0 || !can.shared_pool) pools_.emplace_back(sm, *schedulers[s].pool);
        const auto pool = static_cast<std::uint8_t>(pools_.size() - 1);
        // The turns of schedulers with an interval follow each other.
        schedulers_.push_back({pool, s % smx.issue_interval});
        bits::for_each(schedulers[s].warps, [&](unsigned warp) { pool_of_[warp] = pool; });
    }
    tm_unit* const unit = parts.transactions.unit();
    if (unit == nullptr) return;
    transactions_.emplace(thread_transactions::parts{
        *unit,
        {parts.lanes, parts.registers, parts.blocks, parts.lsu, parts.observer},
        flights_,
        pools_,
        fences_,
        can.warp_slots,
        can.lane_units,
        smx.stack_entries});
    parts.executor.attach(*transactions_, isa::instruction_class::transaction);
}

void thread_front::use_program(const program::kernel_code& code) {
    const std::size_t first = program::code_position(code.base);
    program_.base = program::code_window.base;
    program_.needs.resize(parts_.table.size());
    program_.flags.resize(parts_.table.size());
    for (std::size_t at = 0; at < code.flags.size(); ++at) {
        const issue_info& info = parts_.table[first + at];
        program_.needs[first + at] =
            info.loads_constants ? needs_constants : static_cast<issue_need>(info.unit);
        program_.flags[first + at] = code.flags[at];
    }
    for (pool_port& each : pools_) each.use_program(program_);
}

void thread_front::start(unsigned warp, std::uint32_t pc, isa::lane_mask lanes,
                         const program::kernel_code&) {
    const unsigned block = parts_.blocks.warp(warp).block;
    pool_port& pool = pools_[pool_of_[warp]];
    protocol::thread_arrival& threads = pool.arrivals.emplace_back();
    threads.block = block_slot(block);
    threads.pc = pc;
    threads.lanes = lanes;
    threads.starts = true;
    for (unsigned lane = 0; lane < warp_size_; ++lane) {
        threads.threads[lane] = static_cast<std::uint16_t>(warp * warp_size_ + lane);
    }
    note_arrivals(pool, pool.arrivals.size() - 1);
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
    if (flight.instruction->writes_register()) {
        memory_results_ += results_.taken(f.lanes & ~f.loaded, 1);
    }
    land(at);
}

void thread_front::returned(const memory_flight& flight, isa::lane_mask lanes) {
    const auto at = flight.group.as<thread_flight_index>();
    thread_flight& f = flights_[at];
    if (f.transaction != thread_group::no_transaction) return;  // its threads stay together
    f.loaded |= lanes;
    const bool completes = f.loaded == f.lanes;
    if (flight.instruction->writes_register()) {
        memory_results_ += results_.taken(lanes, completes ? 0 : 1);
    }
    if (completes) return;
    parts_.executor.returned(f.homes(), flight.number, lanes, edge_);
    pools_[f.pool].partly_loaded.push_back(at);
    changed_ = true;
}

void thread_front::lost(const memory_flight& flight, isa::lane_mask lanes) {
    changed_ = true;
    transactions_->lost(flights_[flight.group.as<thread_flight_index>()].transaction, lanes);
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
        const thread_flight& f = flights_[at];
        if (f.place == flight_place::call) return execute_called(f.home);
        parts_.lsu.maintenance().invalidate_global();
        if (execution_observer* const observer = parts_.observer.get()) {
            observer->fenced(edge_, f.home);
        }
        changed_ = true;
        land_at_result(at);
    });
}

/// The instruction, which writes no register now, is over; the pipeline may still be in it.
void thread_front::land_at_result(thread_flight_index flight) {
    if (flights_[flight].result <= edge_) return land(flight);
    results_.add(flights_[flight].result, flight, false);
}

void thread_front::land(thread_flight_index flight) {
    pool_port& pool = pools_[flights_[flight].pool];
    const std::size_t before = pool.arrivals.size();
    if (flights_[flight].transaction != thread_group::no_transaction) {
        transactions_->land(flight);
    } else {
        flights_.end(flight, pool.arrivals);
    }
    note_arrivals(pool, before);
    changed_ = true;
}

/// Keeps where the threads are, for reports, and stops threads that leave the code.
void thread_front::note_arrivals(const pool_port& pool, std::size_t first) {
    for (; first < pool.arrivals.size(); ++first) {
        const protocol::thread_arrival& a = pool.arrivals[first];
        bits::for_each(a.lanes, [&](unsigned lane) { pc_[a.threads[lane]] = a.pc; });
        last_pc_ = a.pc;
        if (parts_.blocks.block(a.block.value()).kernel->code.contains(a.pc)) continue;
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
    barriers_.release(edge_, [&](thread_flight_index at) {
        const thread_flight& f = flights_[at];
        for_each_home(f.homes(), f.lanes, warp_size_,
                      [&](unsigned warp, isa::lane_mask lanes) { meetings_.go_on(warp, lanes); });
        land(at);
    });
    end_calls();
    if (transactions_) {
        std::array<std::size_t, smx_configuration::maximum_schedulers> before{};
        for (std::size_t p = 0; p < pools_.size(); ++p) before[p] = pools_[p].arrivals.size();
        changed_ |= transactions_->cycle(edge_);
        for (std::size_t p = 0; p < pools_.size(); ++p) note_arrivals(pools_[p], before[p]);
    }
    if (!parts_.blocks.faults().stopped()) take_turns();
    execute_meetings();
    return changed_;
}

void thread_front::take_turns() {
    bool begun = false;
    std::uint32_t issued = 0;  ///< schedulers
    for (unsigned s = 0; s < schedulers_.size(); ++s) {
        const std::uint64_t next = schedulers_[s].next_turn;
        if (edge_ < next || (edge_ - next) % configuration_.issue_interval != 0) continue;
        if (!results_.holds(edge_) && !std::exchange(begun, true)) gate_.begin();
        turn(s);
        if (parts_.blocks.faults().stopped()) return;
        issued |= std::uint32_t{account_.current(s) == cycle_cause::issued} << s;
    }
    if (!configuration_.dual_issue) return;
    // One that has issued a group issues another one, unless the first takes longer.
    for (; issued != 0 && !parts_.blocks.faults().stopped(); issued &= issued - 1) {
        const unsigned s = bits::first(issued);
        const pool_scheduler& its = schedulers_[s];
        if (its.next_turn != edge_ + configuration_.issue_interval) continue;
        const std::uint32_t accepting = this->accepting(s, units_.accepting(edge_));
        if (pools_[its.pool].call(edge_, accepting).outcome != turn_outcome::issued) continue;
        ++second_issues_;
        issue_all(s);
    }
}

/// The pool of scheduler `s` is called unless the call would change nothing.
void thread_front::turn(unsigned s) {
    pool_scheduler& its = schedulers_[s];
    its.next_turn = edge_ + configuration_.issue_interval;
    pool_port& pool = pools_[its.pool];
    // What has been loaded since the last turn comes back in this one.
    const std::size_t before = pool.arrivals.size();
    for (const thread_flight_index flight : pool.partly_loaded) {
        flights_.end_loaded(flight, pool.arrivals);
    }
    pool.partly_loaded.clear();
    note_arrivals(pool, before);
    if (results_.holds(edge_)) {
        changed_ = true;
        charge(s, cycle_cause::writeback);
        return;
    }
    const std::uint32_t accepting = this->accepting(s, units_.accepting(edge_));
    if (!pool.rests(edge_, accepting)) pool.call(edge_, accepting);
    if (parts_.blocks.faults().stopped()) return;
    if (pool.issue().outcome != turn_outcome::issued) {
        changed_ |= charge(s, causes_.of(its.pool));
        return;
    }
    charge(s, cycle_cause::issued);
    issue_all(s);
}

bool thread_front::charge(unsigned s, cycle_cause cause) noexcept {
    if (profile_ != nullptr) {
        const std::uint32_t at = causes_.place(schedulers_[s].pool, cause, last_pc_);
        const bool known = at < parts_.table.size();
        profile_->charge_to(s, {cause, known ? at : code_profile::nowhere}, edge_);
    }
    return account_.set(s, cause, edge_);
}

void thread_front::issue_all(unsigned s) {
    changed_ = true;
    pool_scheduler& its = schedulers_[s];
    const protocol::thread_issue& group = pools_[its.pool].issue();
    its.next_turn += group.conflict_clocks;
    unsigned lanes = 0;
    for (unsigned n = 0; n < group.count; ++n) {
        const protocol::thread_part& part = group.parts[n];
        const auto one = [&](const protocol::thread_part& issues, const std::uint16_t* threads,
                             std::uint16_t transaction) {
            if (parts_.blocks.faults().stopped()) return;
            lanes += issue(s, issues, threads, group.conflict_clocks, transaction);
        };
        if (transactions_) {
            const isa::instruction& i = instruction_at(part.block.value(), part.pc);
            transactions_->part(part, i.cls == isa::instruction_class::transaction,
                                group.threads.data(), one);
        } else {
            one(part, group.threads.data(), thread_group::no_transaction);
        }
        if (parts_.blocks.faults().stopped()) return;
    }
    if (lanes != 0) sizes_.add(lanes);
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
    unsigned in_flight = 0;
    bool comes = false;
    for (unsigned pool = 0; pool < pools_.size(); ++pool) {
        in_flight += flights_.in(pool, flight_place::pipeline) +
                     flights_.in(pool, flight_place::memory) +
                     flights_.in(pool, flight_place::constants);
        comes |= !pools_[pool].arrivals.empty() || !pools_[pool].partly_loaded.empty();
    }
    if (in_flight != in_flight_.level()) in_flight_.set(edge_, in_flight);
    return changed_ || comes || gate_.has_changed();
}

front_rest thread_front::rest(std::uint64_t edge) const noexcept {
    const std::uint64_t interval = configuration_.issue_interval;
    front_rest all{std::min(results_.next_due(edge), barriers_.next_due()),
                   event_wheel_limits::never, false, false};
    if (transactions_) all.due = std::min(all.due, transactions_->next_due(edge));
    for (unsigned s = 0; s < schedulers_.size(); ++s) {
        const pool_scheduler& its = schedulers_[s];
        const pool_port& pool = pools_[its.pool];
        const std::uint64_t turn = its.turn_from(edge + 1, interval);
        const std::uint64_t change =
            its.next_change(pool, accepting(s, units_.still_accepting()), units_, interval);
        all.due = std::min(all.due, change > edge + 1 ? change : turn);
        all.turn = std::min(all.turn, turn);
        all.may_issue |= its.may_issue(pool, edge);
    }
    return all;
}

}  // namespace heddle
