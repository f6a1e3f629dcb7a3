// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Threads between their issue and their return to the pool.
#include "hw/smx/issue/thread_flights.h"

#include <gmock/gmock.h>

#include <numeric>
#include <type_traits>

namespace heddle {
namespace {

struct flight_rig {
    thread_flights flights{2};
    std::vector<protocol::thread_arrival> arrivals;
    thread_flight_index flight;

    explicit flight_rig(isa::lane_mask lanes) {
        std::array<std::uint16_t, protocol::maximum_lanes> threads;
        std::iota(threads.begin(), threads.end(), std::uint16_t{32});
        flight = flights.start(1, {block_slot(1), 100, lanes}, threads.data(), 32);
        flights.put(flight, flight_place::memory);
    }
};

static_assert(sizeof(group_name) == 2 && std::is_trivially_copyable_v<group_name>);
static_assert(!std::is_convertible_v<thread_flight_index, group_name>);
static_assert(!std::is_constructible_v<group_name, unsigned>);

TEST(thread_flights, a_flight_gives_its_group_its_own_name) {
    flight_rig r(0b1);
    std::array<std::uint16_t, protocol::maximum_lanes> threads{};
    const thread_flight_index second =
        r.flights.start(0, {block_slot(0), 200, 1}, threads.data(), 32);
    EXPECT_NE(second, r.flight);
    EXPECT_EQ(r.flights[second].group(second).name.as<thread_flight_index>(), second);
}

TEST(thread_flights, each_pool_has_an_account_of_its_own) {
    flight_rig r(0b1);
    EXPECT_EQ(r.flights.in(1, flight_place::memory), 1U);
    EXPECT_EQ(r.flights.in(0, flight_place::memory), 0U);
    EXPECT_EQ(r.flights.first(0, flight_place::memory), nullptr);
    EXPECT_EQ(r.flights.first(1, flight_place::memory), &r.flights[r.flight]);
    std::array<std::uint16_t, protocol::maximum_lanes> threads{};
    const thread_flight_index other = r.flights.start(0, {block_slot(1), 8, 1}, threads.data(), 32);
    r.flights.put(other, flight_place::memory);
    EXPECT_EQ(r.flights.first(0, flight_place::memory), &r.flights[other]);
    r.flights.drop(r.flight);
    EXPECT_EQ(r.flights.in(1, flight_place::memory), 0U);
    EXPECT_EQ(r.flights.in(0, flight_place::memory), 1U);
}

TEST(thread_flights, threads_have_the_lanes_of_their_home_warp) {
    thread_flights flights(1);
    std::array<std::uint16_t, protocol::maximum_lanes> threads{};
    threads[3] = 32 + 7;
    threads[5] = 64 + 7;
    threads[9] = 32 + 0;
    const thread_flight_index at =
        flights.start(0, {block_slot(0), 8, 0b10'0010'1000}, threads.data(), 32);
    EXPECT_EQ(flights.home_lanes(flights[at], 1, 32), 0b1000'0001U);
    EXPECT_EQ(flights.home_lanes(flights[at], 2, 32), 0b1000'0000U);
    EXPECT_EQ(flights.home_lanes(flights[at], 0, 32), 0U);
}

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
