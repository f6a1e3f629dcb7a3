// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Threads between their issue and their return to the pool.
#include "hw/smx/issue/thread_flights.h"

#include <gmock/gmock.h>

#include <numeric>

namespace heddle {
namespace {

struct flight_rig {
    thread_flights flights;
    std::vector<protocol::thread_arrival> arrivals;
    std::uint32_t flight;

    explicit flight_rig(isa::lane_mask lanes) {
        std::array<std::uint16_t, protocol::maximum_lanes> threads;
        std::iota(threads.begin(), threads.end(), std::uint16_t{32});
        flight = flights.start({block_slot(1), 100, lanes}, threads.data(), 32);
        flights.put(flight, flight_place::memory);
    }
};

TEST(thread_flights, threads_that_are_loaded_come_back_before_the_others) {
    flight_rig r(0b1111);
    r.flights[r.flight].loaded = 0b0110;
    r.flights.end_loaded(r.flight, r.arrivals);
    ASSERT_EQ(r.arrivals.size(), 1U);
    EXPECT_EQ(r.arrivals[0].lanes, 0b0110U);
    EXPECT_EQ(r.arrivals[0].pc, 104U);
    EXPECT_EQ(r.arrivals[0].threads[1], 33U);
    r.flights.end_loaded(r.flight, r.arrivals);
    EXPECT_EQ(r.arrivals.size(), 1U) << "once";
    r.flights.end(r.flight, r.arrivals);
    ASSERT_EQ(r.arrivals.size(), 2U);
    EXPECT_EQ(r.arrivals[1].lanes, 0b1001U);
    EXPECT_EQ(r.flights.count(), 0U);
}

TEST(thread_flights, the_last_threads_come_back_when_the_instruction_is_complete) {
    flight_rig r(0b11);
    r.flights[r.flight].loaded = 0b11;
    r.flights.end_loaded(r.flight, r.arrivals);
    EXPECT_TRUE(r.arrivals.empty());
    r.flights.end(r.flight, r.arrivals);
    EXPECT_EQ(r.arrivals[0].lanes, 0b11U);
    r.flights.end_loaded(r.flight, r.arrivals);
    EXPECT_EQ(r.arrivals.size(), 1U) << "the flight is over";
}

}  // namespace
}  // namespace heddle
