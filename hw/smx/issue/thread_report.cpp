// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// What the front with pools of threads counts, and what it tells about a run that gets nowhere.
#include <fmt/format.h>

#include <map>
#include <tuple>

#include "hw/smx/issue/thread_front.h"
#include "models/simt/fault_text.h"
#include "models/simt/progress_text.h"

namespace heddle {

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
        case flight_place::transaction:
            return "wait for their transaction";
        default:
            return "are in the thread pool";
    }
}

/// Where each thread is; none: in the pool, or ended.
std::vector<flight_place> places_of(const thread_flights& flights, std::size_t threads) {
    std::vector<flight_place> all(threads, flight_place::none);
    flights.for_each([&](const thread_flight& f) {
        bits::for_each(f.lanes & ~f.returned,
                       [&](unsigned lane) { all[f.threads[lane]] = f.place; });
    });
    return all;
}

}  // namespace

front_counts thread_front::counts(std::uint64_t edge) const {
    front_counts all;
    all.in_flight_warp_cycles = in_flight_.sum(edge);
    all.writeback_conflicts = results_.conflicts();
    all.second_issues = second_issues_;
    all.sizes = sizes_.by_lanes();
    return all;
}

front_masks thread_front::masks() const {
    front_masks all;
    const std::vector<flight_place> places = places_of(flights_, pc_.size());
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
                case flight_place::transaction:
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

/// Threads of a pool don't wait for each other, but at barriers.
std::vector<std::string> thread_front::waiting(const std::optional<std::uint64_t>&) const {
    const std::vector<flight_place> places = places_of(flights_, pc_.size());
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
            if (transactions_ && transactions_->runs_one(thread)) return;  // told with its group
            ++threads[{w.block, pc_[thread], flight_place::none}];
        });
    });
    std::vector<std::string> lines;
    for (const auto& [key, count] : threads) {
        const auto& [block, pc, place] = key;
        const block_table::block_context& of = parts_.blocks.block(block);
        lines.push_back(simt::block_text(of.kernel->name, of.identity.index) +
                        fmt::format("{} threads {} at ", count, text_of(place)) +
                        simt::place_text(*of.image, pc));
    }
    if (transactions_) {
        transactions_->for_each_waiting(
            [&](unsigned block, std::uint32_t pc, const std::string& doing) {
                const block_table::block_context& of = parts_.blocks.block(block);
                lines.push_back(simt::block_text(of.kernel->name, of.identity.index) +
                                "a group of threads " + doing + " at " +
                                simt::place_text(*of.image, pc));
            });
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
