// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/issue/thread_flights.h"

#include "models/base/bits.h"

namespace heddle {

thread_flight_index thread_flights::start(unsigned pool, const protocol::thread_part& part,
                                          const std::uint16_t* threads, unsigned warp_size) {
    if (free_.empty()) free_.give_back(flights_.emplace_back());
    const thread_flight_index index = free_.take();
    ++count_;
    thread_flight& f = flights_[index];
    f.pool = static_cast<std::uint8_t>(pool);
    ++flights_in_[pool][static_cast<std::size_t>(flight_place::none)];
    f.parted = f.fresh = false;
    f.block = static_cast<std::uint16_t>(part.block.value());
    f.transaction = thread_group::no_transaction;
    f.pc = part.pc;
    f.goes_to = part.pc + 4;
    f.lanes = part.lanes;
    f.returned = f.loaded = 0;
    const unsigned lowest = bits::first(part.lanes);
    f.home = static_cast<std::uint16_t>(threads[lowest] / warp_size);
    bool in_place = true;
    bits::for_each(part.lanes, [&](unsigned lane) {
        f.threads[lane] = threads[lane];
        in_place &= threads[lane] == f.home * warp_size + lane;
    });
    f.in_place = in_place;
    return index;
}

void thread_flights::follow(thread_flight_index index, const simt::transfer& to) noexcept {
    thread_flight& f = flights_[index];
    f.goes_to = to.groups[0].pc;
    f.parted = to.count > 1;
    if (!f.parted) return;
    for (unsigned n = 0; n < to.count; ++n) {
        bits::for_each(to.groups[n].lanes,
                       [&](unsigned lane) { f.next_pc[lane] = to.groups[n].pc; });
    }
}

void thread_flights::end(thread_flight_index index,
                         std::vector<protocol::thread_arrival>& arrivals) {
    const thread_flight& f = flights_[index];
    isa::lane_mask left = f.lanes & ~f.returned;
    // The transfer's first group; the others come in the order of their lowest lanes.
    std::uint32_t pc = f.goes_to;
    while (left != 0) {
        isa::lane_mask together = left;
        if (f.parted) {
            together = 0;
            bits::for_each(left, [&](unsigned lane) {
                together |= isa::lane_mask{f.next_pc[lane] == pc} << lane;
            });
        }
        arrivals.push_back({block_slot(f.block), pc, together, f.fresh, f.threads});
        left &= ~together;
        if (left != 0) pc = f.next_pc[bits::first(left)];
    }
    drop(index);
}

void thread_flights::end_loaded(thread_flight_index index,
                                std::vector<protocol::thread_arrival>& arrivals) {
    thread_flight& f = flights_[index];
    const isa::lane_mask come = f.loaded & ~f.returned;
    const bool loads = f.place == flight_place::memory || f.place == flight_place::constants;
    if (!loads || come == 0 || f.loaded == f.lanes) return;
    f.returned |= come;
    arrivals.push_back({block_slot(f.block), f.goes_to, come, false, f.threads});
}

}  // namespace heddle
