// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/issue/thread_moves.h"

#include <algorithm>

namespace heddle {

bool thread_moves::stop(unsigned pool, const protocol::thread_part& part,
                        const std::uint16_t* threads) {
    const unsigned warp = threads[bits::first(part.lanes)] / of_.warp_size;
    if (!bits::test(stopping_, warp)) return false;
    const thread_flight_index at = of_.flights.start(pool, part, threads, of_.warp_size);
    of_.flights[at].goes_to = part.pc;  // they have not issued
    of_.flights.put(at, flight_place::held);
    return true;
}

/// All home warps of the block go on: a group that has stopped may have threads of several.
void thread_moves::go_on(unsigned warp) {
    stopping_ &= ~bits::one(warp);
    of_.flights.for_each_index([&](thread_flight_index at) {
        const thread_flight& f = of_.flights[at];
        if (f.place != flight_place::held) return;
        if (of_.flights.home_lanes(f, warp, of_.warp_size) == 0) return;
        of_.flights.end(at, of_.pools[f.pool].arrivals);
    });
}

isa::lane_mask thread_moves::lanes_in(flight_place place, unsigned warp) const {
    isa::lane_mask found = 0;
    of_.flights.for_each([&](const thread_flight& f) {
        if (f.place == place) found |= of_.flights.home_lanes(f, warp, of_.warp_size);
    });
    return found;
}

protocol::warp_mask thread_moves::held() const {
    protocol::warp_mask all = 0;
    bits::for_each(stopping_, [&](unsigned warp) {
        if ((of_.blocks.warp(warp).live & ~resting(warp)) == 0) all |= bits::one(warp);
    });
    return all;
}

/// Those that wait there with all their threads, or at votes for threads that wait there.
protocol::warp_mask thread_moves::at_barrier() const {
    protocol::warp_mask all = 0;
    bits::for_each(of_.blocks.resident(), [&](unsigned warp) {
        const isa::lane_mask live = of_.blocks.warp(warp).live;
        if (live != 0 && (live & ~of_.meetings.resting(warp)) == 0) all |= bits::one(warp);
    });
    return all;
}

bool thread_moves::rests(unsigned warp) const {
    if (of_.barriers.is_complete(of_.blocks.warp(warp).block)) return false;
    const isa::lane_mask called = lanes_in(flight_place::call, warp);
    return (of_.blocks.warp(warp).live & ~(resting(warp) | called)) == 0;
}

void thread_moves::save(unsigned warp, std::vector<std::uint32_t>& words) const {
    const std::size_t first = words.size();
    words.resize(first + of_.warp_size + 2);
    isa::lane_mask at_barrier = 0;
    of_.flights.for_each([&](const thread_flight& f) {
        const isa::lane_mask lanes = of_.flights.home_lanes(f, warp, of_.warp_size);
        if (lanes == 0) return;
        if (f.place == flight_place::barrier) at_barrier |= lanes;
        // A call is over when the block comes back; the other places are in front of it.
        const std::uint32_t pc = f.place == flight_place::call ? f.goes_to : f.pc;
        bits::for_each(lanes, [&](unsigned lane) { words[first + lane] = pc; });
    });
    words[first + of_.warp_size] = static_cast<std::uint32_t>(at_barrier);
    words[first + of_.warp_size + 1] = static_cast<std::uint32_t>(at_barrier >> 32);
}

/// The first home warp of a block takes its groups along.
void thread_moves::leave(unsigned warp) {
    const unsigned block = of_.blocks.warp(warp).block;
    of_.barriers.forget(block);
    of_.flights.for_each_index([&](thread_flight_index at) {
        if (of_.flights[at].block == block) of_.flights.drop(at);
    });
    of_.meetings.forget(warp);
    of_.waits.forget(warp);
    stopping_ &= ~bits::one(warp);
}

void thread_moves::come_back(unsigned warp, const std::uint32_t* words, bool,
                             const program::kernel_code&) {
    const isa::lane_mask at_barrier =
        words[of_.warp_size] | isa::lane_mask{words[of_.warp_size + 1]} << 32;
    const block_slot block(of_.blocks.warp(warp).block);
    const unsigned pool = of_.pool_of[warp];
    std::array<std::uint16_t, protocol::maximum_lanes> threads{};
    for (unsigned lane = 0; lane < of_.warp_size; ++lane) {
        threads[lane] = static_cast<std::uint16_t>(warp * of_.warp_size + lane);
    }
    std::copy_n(words, of_.warp_size, &of_.arrived_at[threads.front()]);
    for (isa::lane_mask left = of_.blocks.warp(warp).live; left != 0;) {
        const unsigned first = bits::first(left);
        const bool waits = bits::test(at_barrier, first);
        isa::lane_mask together = 0;
        bits::for_each(left, [&](unsigned lane) {
            const bool same = words[lane] == words[first] && bits::test(at_barrier, lane) == waits;
            together |= isa::lane_mask{same} << lane;
        });
        left &= ~together;
        if (!waits) {
            of_.pools[pool].arrivals.push_back({block, words[first], together, true, threads});
            continue;
        }
        const thread_flight_index at =
            of_.flights.start(pool, {block, words[first], together}, threads.data(), of_.warp_size);
        of_.flights[at].fresh = true;
        of_.flights.put(at, flight_place::barrier);
        execution_counts counted_before;
        of_.blocks.arrive_alone(of_.flights[at].group(at), counted_before);
        of_.barriers.wait(block.value(), at, 0);
        of_.meetings.rest(warp, together);
    }
}

}  // namespace heddle
