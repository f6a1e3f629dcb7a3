// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "hw/protocol/thread_turn.h"
#include "hw/smx/execute/opcode_unit.h"
#include "hw/smx/pipeline/thread_group.h"
#include "models/base/free_list.h"

namespace heddle {

/// Where threads are that have issued an instruction and have not come back to the pool.
enum class flight_place : std::uint8_t {
    none,       ///< no flight
    pipeline,   ///< until its result is written
    memory,     ///< load, store, atomic: until it has completed
    constants,  ///< load of constants: until it has completed
    fence,      ///< until the accesses of the block have been performed
    barrier,    ///< until all threads of the block have arrived
};
inline constexpr std::size_t flight_place_count = 6;

/// Names a flight of an SMX.
using thread_flight_index = strong_index<struct thread_flight_tag>;

/// Threads of one block that have issued an instruction together, under barrel issue: none of them
/// does anything else before the flight is over.
struct thread_flight {
    flight_place place = flight_place::none;
    bool parted = false;  ///< next_pc says where each goes; else all go to `goes_to`
    std::uint16_t block = 0;
    std::uint16_t owner = 0;  ///< of its accesses
    std::uint32_t pc = 0;     ///< of the instruction
    std::uint32_t goes_to = 0;
    std::uint64_t result = 0;  ///< edge at which the pipeline is done with it
    isa::lane_mask lanes = 0;
    isa::lane_mask returned = 0;  ///< lanes whose threads are in the pool again
    isa::lane_mask loaded = 0;    ///< lanes whose own data has come
    bool in_place = false;        ///< all in their home lanes of `home`
    std::uint16_t home = 0;
    std::array<std::uint16_t, protocol::maximum_lanes> threads;
    std::array<std::uint32_t, protocol::maximum_lanes> next_pc;  ///< if parted

    [[nodiscard]] thread_homes homes() const noexcept {
        return {home, in_place ? nullptr : threads.data()};
    }
    /// The same threads as the executor and the load-store unit see them; refers to the flight,
    /// whose index is `own`.
    [[nodiscard]] thread_group group(thread_flight_index own) const noexcept {
        return {lanes,           pc,   block, home, in_place ? nullptr : threads.data(),
                group_name(own), owner};
    }
};

/// The flights of an SMX, named by an index. Grows to the most under way at once, then allocates
/// nothing. start() may move the flights, so that no reference to one survives it.
class thread_flights {
public:
    /// Threads that issue. In place or not is found here.
    thread_flight_index start(const protocol::thread_part& part, const std::uint16_t* threads,
                              unsigned warp_size);
    /// They have issued and are in `place` now.
    void put(thread_flight_index index, flight_place place) noexcept {
        --flights_in_[static_cast<std::size_t>(flights_[index].place)];
        ++flights_in_[static_cast<std::size_t>(place)];
        flights_[index].place = place;
    }
    void follow(thread_flight_index index, const simt::transfer& to) noexcept;
    /// It is over: appends what arrives, an entry for each next PC, in the order of the transfer.
    void end(thread_flight_index index, std::vector<protocol::thread_arrival>& arrivals);
    /// Threads whose values have been loaded come back before the others; appends their arrival.
    void end_loaded(thread_flight_index index, std::vector<protocol::thread_arrival>& arrivals);
    /// Its threads have ended.
    void drop(thread_flight_index index) noexcept {
        put(index, flight_place::none);
        free_.give_back(index);
        --count_;
    }

    [[nodiscard]] thread_flight& operator[](thread_flight_index index) noexcept {
        return flights_[index];
    }
    [[nodiscard]] const thread_flight& operator[](thread_flight_index index) const noexcept {
        return flights_[index];
    }
    [[nodiscard]] unsigned count() const noexcept { return count_; }
    /// Flights in a place.
    [[nodiscard]] unsigned in(flight_place place) const noexcept {
        return flights_in_[static_cast<std::size_t>(place)];
    }
    /// The one with the lowest index in a place; null if there is none.
    [[nodiscard]] const thread_flight* first(flight_place place) const noexcept {
        if (in(place) == 0) return nullptr;
        for (const thread_flight& each : flights_) {
            if (each.place == place) return &each;
        }
        return nullptr;
    }
    /// Calls f(flight) for all that are under way; for reports.
    template <class Function>
    void for_each(Function&& f) const {
        for (const thread_flight& each : flights_) {
            if (each.place != flight_place::none) f(each);
        }
    }

private:
    strong_vector<thread_flight_index, thread_flight> flights_;
    free_list<thread_flight_index> free_;
    unsigned count_ = 0;
    std::array<unsigned, flight_place_count> flights_in_{};
};

}  // namespace heddle
