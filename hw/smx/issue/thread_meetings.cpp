// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Instructions that home warps execute where threads issue from pools: votes, shuffles, launch
// calls (home_meetings.h).
#include <algorithm>

#include "hw/smx/issue/thread_front.h"

namespace heddle {

/// The threads of each home warp wait for the others; their results come not before `result`.
void thread_front::meet(unsigned pool, const protocol::thread_part& part,
                        const std::uint16_t* threads, std::uint64_t result) {
    const bool exchanges =
        instruction_at(part.block.value(), part.pc).cls == isa::instruction_class::exchange;
    for (isa::lane_mask left = part.lanes; left != 0;) {
        const unsigned warp = threads[bits::first(left)] / warp_size_;
        isa::lane_mask lanes = 0;
        bits::for_each(left, [&](unsigned lane) {
            if (threads[lane] / warp_size_ == warp) lanes |= bits::one(lane);
        });
        left &= ~lanes;
        const thread_flight_index at =
            flights_.start(pool, {part.block, part.pc, lanes}, threads, warp_size_);
        flights_[at].result = result;
        flights_.put(at, flight_place::meeting);
        meetings_.come(warp, flights_.home_lanes(flights_[at], warp, warp_size_), part.pc, at,
                       exchanges);
    }
}

void thread_front::execute_meetings() {
    const auto live = [&](unsigned warp) { return parts_.blocks.warp(warp).live; };
    meetings_.complete(live, [&](unsigned warp) {
        changed_ = true;
        const home_meetings::meeting met = meetings_.take(warp);
        const std::vector<thread_flight_index>& called = meetings_.called(warp);
        for (const thread_flight_index each : called) flights_.put(each, flight_place::call);
        const unsigned block = parts_.blocks.warp(warp).block;
        const isa::opcode op = instruction_at(block, met.pc).op;
        if (op == isa::opcode::launch_kernel || op == isa::opcode::launch_group) {
            return fences_.wait(block, called.front());
        }
        execute_called(warp);
    });
}

/// The home warp executes the instruction, in place.
void thread_front::execute_called(unsigned warp) {
    using kind = execution_outcome::kind;
    const std::vector<thread_flight_index>& called = meetings_.called(warp);
    const thread_flight& first = flights_[called.front()];
    const thread_group group{meetings_.called_lanes(warp),     first.pc, first.block,
                             static_cast<std::uint16_t>(warp), nullptr,  group_name(called.front()),
                             fences_.owner(first.block)};
    const std::uint32_t position = program_.position(group.pc);
    const isa::instruction& i = instruction_at(group.block, group.pc);
    const execution_outcome outcome = parts_.executor.execute(group, i, edge_);
    if (profile_ != nullptr) profile_->issued(position, bits::count(group.lanes), false, false);
    if (outcome.what == kind::refused) return;
    if (outcome.what == kind::waits_for_unit) return parts_.waits.begin(outcome.reason, warp);
    const std::uint64_t result =
        edge_ + configuration_.operand_latency + units_.latency(parts_.table[position].unit);
    for (const thread_flight_index each : called) {
        flights_[each].result = std::max(flights_[each].result, result);
        flights_.put(each, flight_place::pipeline);
        results_.add(flights_[each].result, each, i.writes_register());
    }
}

/// Calls of home warps that their unit has carried out.
void thread_front::end_calls() {
    bits::for_each(parts_.waits.take_ended(), [&](unsigned warp) {
        for (const thread_flight_index each : meetings_.called(warp)) land_at_result(each);
    });
}

}  // namespace heddle
