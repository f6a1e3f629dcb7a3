// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// What the front with pools of threads counts and accounts for, and what it tells about a run that
// gets nowhere.
#include <fmt/format.h>

#include <map>
#include <tuple>

#include "hw/smx/issue/thread_front.h"
#include "hw/smx/thread_pool/issue_filter.h"
#include "models/simt/fault_text.h"
#include "models/simt/progress_text.h"

namespace heddle {

using protocol::turn_outcome;

namespace {

const char* text_of(flight_place place) {
    switch (place) {
        case flight_place::pipeline:
            return "wait for a result";
        case flight_place::memory:
            return "wait for memory";
        case flight_place::constants:
            return "wait for constants";
        case flight_place::fence:
            return "wait at a fence for accesses of their block";
        case flight_place::barrier:
            return simt::threads_at_barrier;
        case flight_place::meeting:
            return "wait for the others of their warp";
        case flight_place::call:
            return "wait for a launch";
        case flight_place::held:
            return "are to leave the SMX";
        default:
            return "are in the thread pool";
    }
}

}  // namespace

/// Why nothing issues.
cycle_cause thread_front::cause_of(unsigned pool) const {
    const protocol::thread_issue& issue = pools_[pool].issue();
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
    if (flights_.in(pool, flight_place::memory) != 0) return cycle_cause::memory;
    if (flights_.in(pool, flight_place::call) != 0) return cycle_cause::memory;
    if (flights_.in(pool, flight_place::fence) != 0) return cycle_cause::fence;
    if (flights_.in(pool, flight_place::constants) != 0) return cycle_cause::constants;
    if (flights_.in(pool, flight_place::pipeline) != 0) return cycle_cause::dependency;
    if (flights_.in(pool, flight_place::barrier) != 0) return cycle_cause::barrier;
    if (flights_.in(pool, flight_place::meeting) != 0) return cycle_cause::barrier;
    return cycle_cause::no_warp;
}

bool thread_front::charge(unsigned s, cycle_cause cause) noexcept {
    if (profile_ != nullptr) {
        const std::uint32_t at = place_of(schedulers_[s].pool, cause);
        const bool known = at < parts_.table.size();
        profile_->charge_to(s, {cause, known ? at : code_profile::nowhere}, edge_);
    }
    return account_.set(s, cause, edge_);
}

/// The instruction that keeps the pool: one that waits for its unit, or one that threads have
/// issued and are in until it is over. Threads that wait to be formed are where the last of them
/// arrived.
std::uint32_t thread_front::place_of(unsigned pool, cycle_cause cause) const noexcept {
    switch (cause) {
        case cycle_cause::memory:
            return place_of(pool, flights_.in(pool, flight_place::memory) != 0
                                      ? flight_place::memory
                                      : flight_place::call);
        case cycle_cause::fence:
            return place_of(pool, flight_place::fence);
        case cycle_cause::constants:
            return place_of(pool, flight_place::constants);
        case cycle_cause::dependency:
            return place_of(pool, flight_place::pipeline);
        case cycle_cause::barrier:
            return place_of(pool, flights_.in(pool, flight_place::barrier) != 0
                                      ? flight_place::barrier
                                      : flight_place::meeting);
        case cycle_cause::no_warp:
            return code_profile::nowhere;
        case cycle_cause::formation:
        case cycle_cause::writeback:
            return position(last_pc_);
        default:
            return position(pools_[pool].issue().parts[0].pc);
    }
}

front_counts thread_front::counts(std::uint64_t edge) const {
    front_counts all;
    all.in_flight_warp_cycles = in_flight_.sum(edge);
    all.writeback_conflicts = results_.conflicts();
    all.second_issues = second_issues_;
    all.sizes = sizes_.by_lanes();
    return all;
}

/// Where each thread is; none: in the pool, or ended.
std::vector<flight_place> thread_front::places() const {
    std::vector<flight_place> all(pc_.size(), flight_place::none);
    flights_.for_each([&](const thread_flight& f) {
        bits::for_each(f.lanes & ~f.returned,
                       [&](unsigned lane) { all[f.threads[lane]] = f.place; });
    });
    return all;
}

front_masks thread_front::masks() const {
    front_masks all;
    const std::vector<flight_place> places = this->places();
    bits::for_each(parts_.blocks.resident(), [&](unsigned warp) {
        bits::for_each(parts_.blocks.warp(warp).live, [&](unsigned lane) {
            all.resident |= bits::one(warp);
            switch (places[warp * warp_size_ + lane]) {
                case flight_place::none:
                    all.ready |= bits::one(warp);
                    break;
                case flight_place::memory:
                case flight_place::constants:
                case flight_place::fence:
                case flight_place::call:
                case flight_place::held:
                    all.waits_for_memory |= bits::one(warp);
                    break;
                case flight_place::barrier:
                case flight_place::meeting:
                    all.at_barrier |= bits::one(warp);
                    break;
                case flight_place::pipeline:
                    break;
            }
        });
    });
    return all;
}

std::vector<std::string> thread_front::waiting(const program::image& image) const {
    const std::vector<flight_place> places = this->places();
    // Threads by block, PC and place. A thread at work is at the PC of its instruction.
    std::map<std::tuple<unsigned, std::uint32_t, flight_place>, unsigned> threads;
    flights_.for_each([&](const thread_flight& f) {
        threads[{f.block, f.pc, f.place}] += bits::count(f.lanes & ~f.returned);
    });
    bits::for_each(parts_.blocks.resident(), [&](unsigned warp) {
        const block_table::home_warp& w = parts_.blocks.warp(warp);
        bits::for_each(w.live, [&](unsigned lane) {
            const unsigned thread = warp * warp_size_ + lane;
            if (places[thread] != flight_place::none) return;
            ++threads[{w.block, pc_[thread], flight_place::none}];
        });
    });
    std::vector<std::string> lines;
    for (const auto& [key, count] : threads) {
        const auto& [block, pc, place] = key;
        const block_table::block_context& of = parts_.blocks.block(block);
        lines.push_back(simt::block_text(of.kernel->name, of.identity.index) +
                        fmt::format("{} threads {} at ", count, text_of(place)) +
                        simt::place_text(image, pc));
    }
    bits::for_each(parts_.blocks.slots_in(block_state::draining), [&](unsigned block) {
        if (drained(block)) return;
        const block_table::block_context& of = parts_.blocks.block(block);
        lines.push_back(simt::block_text(of.kernel->name, of.identity.index) +
                        "has ended; some of its stores are not acknowledged");
    });
    return lines;
}

}  // namespace heddle
