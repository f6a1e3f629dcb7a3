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
    none,         ///< no flight
    pipeline,     ///< until its result is written
    memory,       ///< load, store, atomic: until it has completed
    constants,    ///< load of constants: until it has completed
    fence,        ///< until the accesses of the block have been performed
    barrier,      ///< until all threads of the block have arrived
    meeting,      ///< until the other threads of the home warp have come, too (home_meetings.h)
    call,         ///< until a unit has carried out the home warp's instruction
    held,         ///< until the block has left the SMX
    transaction,  ///< until an attempt of its transaction begins or ends
};
inline constexpr std::size_t flight_place_count = 10;

/// Names a flight of an SMX.
using thread_flight_index = strong_index<struct thread_flight_tag>;

/// Threads of one block that have issued an instruction together, under barrel issue: none of them
/// does anything else before the flight is over.
struct thread_flight {
    flight_place place = flight_place::none;
    bool parted = false;  ///< next_pc says where each goes; else all go to `goes_to`
    bool fresh = false;   ///< its threads have not issued since their block came to the SMX
    std::uint16_t block = 0;
    std::uint8_t pool = 0;    ///< that its threads come from and go back to
    std::uint16_t owner = 0;  ///< of its accesses
    std::uint16_t transaction = thread_group::no_transaction;  ///< context
    std::uint32_t pc = 0;                                      ///< of the instruction
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
        return {lanes,           pc,    block,      home, in_place ? nullptr : threads.data(),
                group_name(own), owner, transaction};
    }
};

/// The flights of an SMX, named by an index. Grows to the most under way at once, then allocates
/// nothing. start() may move the flights, so that no reference to one survives it.
class thread_flights {
public:
    explicit thread_flights(unsigned pools) : flights_in_(pools) {}

    /// Threads of a pool that issue. In place or not is found here.
    thread_flight_index start(unsigned pool, const protocol::thread_part& part,
                              const std::uint16_t* threads, unsigned warp_size);
    /// They have issued and are in `place` now.
    void put(thread_flight_index index, flight_place place) noexcept {
        thread_flight& f = flights_[index];
        --flights_in_[f.pool][static_cast<std::size_t>(f.place)];
        ++flights_in_[f.pool][static_cast<std::size_t>(place)];
        f.place = place;
    }
    void follow(thread_flight_index index, const simt::transfer& to) noexcept;
    /// The home lanes of its threads in a home warp.
    [[nodiscard]] isa::lane_mask home_lanes(const thread_flight& flight, unsigned warp,
                                            unsigned warp_size) const noexcept {
        isa::lane_mask found = 0;
        bits::for_each(flight.lanes, [&](unsigned lane) {
            if (flight.threads[lane] / warp_size == warp) {
                found |= bits::one(flight.threads[lane] % warp_size);
            }
        });
        return found;
    }
    /// It is over: appends what arrives, an entry for each next PC, in the order of the transfer.
    void end(thread_flight_index index, std::vector<protocol::thread_arrival>& arrivals);
    /// Threads whose values have been loaded come back before the others; appends their arrival.
    void end_loaded(thread_flight_index index, std::vector<protocol::thread_arrival>& arrivals);
    /// Its threads have ended.
    void drop(thread_flight_index index) noexcept {
        thread_flight& f = flights_[index];
        --flights_in_[f.pool][static_cast<std::size_t>(f.place)];
        f.place = flight_place::none;
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
    /// Flights of a pool in a place.
    [[nodiscard]] unsigned in(unsigned pool, flight_place place) const noexcept {
        return flights_in_[pool][static_cast<std::size_t>(place)];
    }
    /// The one of them with the lowest index; null if there is none.
    [[nodiscard]] const thread_flight* first(unsigned pool, flight_place place) const noexcept {
        if (in(pool, place) == 0) return nullptr;
        for (const thread_flight& each : flights_) {
            if (each.place == place && each.pool == pool) return &each;
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
    /// The same with f(index); it may end the flight.
    template <class Function>
    void for_each_index(Function&& f) const {
        for (std::size_t n = 0; n < flights_.size(); ++n) {
            const thread_flight_index index(n);
            if (flights_[index].place != flight_place::none) f(index);
        }
    }

private:
    strong_vector<thread_flight_index, thread_flight> flights_;
    free_list<thread_flight_index> free_;
    unsigned count_ = 0;
    std::vector<std::array<unsigned, flight_place_count>> flights_in_;  ///< by pool
};

}  // namespace heddle
