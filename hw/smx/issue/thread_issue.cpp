// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Groups of threads that pools have picked issue.
#include "hw/smx/issue/thread_front.h"
#include "hw/smx/thread_pool/issue_filter.h"

namespace heddle {

static constexpr std::uint32_t memory_unit_bit = 1u << static_cast<unsigned>(unit_class::memory);
static constexpr std::uint32_t constants_bit = 1u << needs_constants;

/// It works on registers of other lanes, or is a call of the home warp to a unit.
static bool is_of_home_warp(const isa::instruction& i) {
    return i.cls == isa::instruction_class::exchange || i.cls == isa::instruction_class::launch;
}

/// A vote or shuffle in a transaction, whose group doesn't wait for others: of those of its threads
/// that have the same home warp.
static execution_outcome exchange_apart(instruction_executor& executor, const thread_group& group,
                                        const isa::instruction& i, std::uint64_t edge,
                                        unsigned warp_size) {
    execution_outcome outcome(execution_outcome::kind::straight_on);
    for_each_home(group, group.lanes, warp_size, [&](unsigned warp, isa::lane_mask lanes) {
        if (outcome.what == execution_outcome::kind::refused) return;
        thread_group at_home = group;
        at_home.lanes = lanes;
        at_home.home = static_cast<std::uint16_t>(warp);
        at_home.threads = nullptr;
        outcome = executor.execute(at_home, i, edge);
    });
    return outcome;
}

/// Where lanes have units of their own, the pool keeps account of them.
std::uint32_t thread_front::accepting(unsigned s, std::uint32_t units) const noexcept {
    const load_store_room& room = gate_.now();
    if (lane_units_) {
        // Each thread that issues may take a place in the queue, also for constants.
        constexpr std::uint32_t memory = memory_unit_bit | constants_bit;
        return room.in_queue ? execution_units::all_units | memory
                             : execution_units::all_units & ~memory;
    }
    if (units_.pipeline_busy(s, edge_)) units &= memory_unit_bit;
    if (!room.in_queue) units &= ~memory_unit_bit;
    return room.constants ? units | constants_bit : units;
}

// Issue

unsigned thread_front::issue(unsigned s, const protocol::thread_part& part,
                             const std::uint16_t* threads, unsigned conflict_clocks,
                             std::uint16_t transaction) {
    const unsigned pool = schedulers_[s].pool;
    const unsigned lanes = bits::count(part.lanes);
    // A transaction goes on until its end.
    const bool stops = moves_.stopping() != 0 && transaction == thread_group::no_transaction;
    if (stops && moves_.stop(pool, part, threads)) return 0;
    const std::uint32_t position = program_.position(part.pc);
    const isa::instruction& i = instruction_at(part.block.value(), part.pc);
    const issue_info& info = parts_.table[position];
    const unsigned extra = info.extra_read_cycles + conflict_clocks;
    if (!info.loads_constants && !lane_units_) {
        units_.take(info.unit, s, edge_, extra);
    }
    const std::uint64_t result =
        edge_ + configuration_.operand_latency + extra + units_.latency(info.unit);
    const bool in_transaction = transaction != thread_group::no_transaction;
    if (is_of_home_warp(i) && !in_transaction) {
        meet(pool, part, threads, result);
        return lanes;
    }
    const thread_flight_index at = flights_.start(pool, part, threads, warp_size_);
    thread_flight& f = flights_[at];
    f.owner = fences_.owner(f.block);
    f.result = result;
    f.transaction = transaction;
    if (in_transaction) transactions_->issued(at);
    const execution_outcome outcome =
        i.cls == isa::instruction_class::exchange && !f.in_place
            ? exchange_apart(parts_.executor, f.group(at), i, edge_, warp_size_)
            : parts_.executor.execute(f.group(at), i, edge_);
    if (profile_ != nullptr) {
        profile_->issued(position, lanes, i.is_memory(), outcome.parts_lanes());
    }
    if (i.is_memory()) {
        if (in_transaction && outcome.what != execution_outcome::kind::refused) {
            transactions_->follow(at, outcome);
        }
        flights_.put(at, info.loads_constants ? flight_place::constants : flight_place::memory);
        gate_.sent(edge_);
    } else {
        follow(at, i, outcome);
    }
    return lanes;
}

void thread_front::follow(thread_flight_index at, const isa::instruction& i,
                          const execution_outcome& outcome) {
    using kind = execution_outcome::kind;
    const thread_flight& f = flights_[at];
    switch (outcome.what) {
        case kind::refused:
            return;
        case kind::ends:
            for_each_home(f.homes(), f.lanes, warp_size_,
                          [&](unsigned warp, isa::lane_mask) { meetings_.look(warp); });
            return flights_.drop(at);
        case kind::waits_at_barrier:
            for_each_home(f.homes(), f.lanes, warp_size_, [&](unsigned warp, isa::lane_mask lanes) {
                meetings_.rest(warp, lanes);
            });
            flights_.put(at, flight_place::barrier);
            return barriers_.wait(f.block, at, f.result);
        case kind::waits_for_accesses:
            if (f.transaction != thread_group::no_transaction) transactions_->follow(at, outcome);
            flights_.put(at, flight_place::fence);
            return fences_.wait(f.block, at);
        case kind::waits_in_place:
        case kind::waits_for_unit:
            if (outcome.reason != wait_reason::transaction) {
                return parts_.blocks.faults().model_error("threads of a pool wait for a unit");
            }
            flights_.put(at, flight_place::transaction);
            return transactions_->wait(at);
        case kind::goes_to:
        case kind::straight_on:
            if (f.transaction != thread_group::no_transaction) {
                transactions_->follow(at, outcome);
            } else if (outcome.what == kind::goes_to) {
                flights_.follow(at, outcome.where);
            }
            break;
    }
    flights_.put(at, flight_place::pipeline);
    results_.add(flights_[at].result, at, i.writes_register());
}

}  // namespace heddle
