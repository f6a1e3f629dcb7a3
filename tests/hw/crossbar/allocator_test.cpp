// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Each allocator on examples worked by hand.
#include "hw/crossbar/allocator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "hw/crossbar/allocators.h"
#include "models/base/error.h"
#include "tests/hw/base/slot_rig.h"
#include "tests/hw/crossbar/request_text.h"

namespace heddle {
namespace {

// ---- draws ------------------------------------------------------------------------------------

// One step of the register: shift right; if a 1 falls out, exclusive or with 80200003. The first
// draw over four positions is (upper 16 bits * 4) >> 16, the two upper bits:
const lfsr32 first_0(0x00000002);  // -> 00000001: upper bits 00
const lfsr32 first_1(0x80000000);  // -> 40000000: 01
const lfsr32 first_2(0x00000001);  // -> 00000000 ^ 80200003 = 80200003: 10
const lfsr32 first_3(0x80000001);  // -> 40000000 ^ 80200003 = c0200003: 11

TEST(random_arbiters, draw_as_written_out_by_hand) {
    random_arbiters arbiters({first_2}, 4);
    const std::uint64_t all = 0b1111;
    const auto draw = [&](const std::uint64_t& set) {
        const std::uint32_t picked = arbiters.pick(0, &set, 1);
        arbiters.commit();
        return picked;
    };
    EXPECT_EQ(draw(all), 2U);  // 80200003
    EXPECT_EQ(draw(all), 3U);  // 40100001 ^ 80200003 = c0300002
    EXPECT_EQ(draw(all), 1U);  // 60180001
    EXPECT_EQ(draw(all), 2U);  // 300c0000 ^ 80200003 = b02c0003
    EXPECT_EQ(draw(all), 3U);  // 58160001 ^ 80200003 = d8360002
    EXPECT_EQ(draw(all), 1U);  // 6c1b0001
}

TEST(random_arbiters, the_first_requester_from_the_drawn_position_wins) {
    const auto draw = [](lfsr32 seed, std::uint64_t set) {
        return random_arbiters({seed}, 4).pick(0, &set, 1);
    };
    EXPECT_EQ(draw(first_1, 0b1001), 3U);
    EXPECT_EQ(draw(first_3, 0b0110), 1U) << "from 3 over 0 to 1";
    EXPECT_EQ(draw(first_0, 0b0100), 2U);
}

TEST(random_arbiters, position_is_scaled_where_their_number_is_no_power_of_two) {
    const std::uint64_t all = 0b11111;
    EXPECT_EQ(random_arbiters({first_3}, 5).pick(0, &all, 1), 3U);  // c020 * 5 = 3c0a0
    EXPECT_EQ(random_arbiters({first_2}, 5).pick(0, &all, 1), 2U);  // 8020 * 5 = 280a0
}

TEST(random_arbiters, step_only_when_they_pick_and_only_at_the_clock_edge) {
    random_arbiters arbiters({first_2, first_2}, 4);
    const std::uint64_t all = 0b1111;
    EXPECT_EQ(arbiters.pick(0, &all, 1), 2U);
    EXPECT_EQ(arbiters.pick(0, &all, 1), 3U) << "a second pick in one cycle";
    arbiters.begin();  // forgotten
    EXPECT_EQ(arbiters.pick(0, &all, 1), 2U);
    arbiters.commit();
    EXPECT_EQ(arbiters.pick(0, &all, 1), 3U);
    EXPECT_EQ(arbiters.pick(1, &all, 1), 2U) << "has not picked before";
}

TEST(random_arbiters, registers_depend_on_run_seed_and_path) {
    const auto draws = [](std::uint64_t seed, const char* name) {
        random_arbiters arbiters(2, 1000, seed, name);
        const std::uint64_t all[16] = {~0U, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ~0ULL << 20};
        std::vector<std::uint32_t> result;
        for (unsigned i = 0; i < 20; ++i) {
            result.push_back(arbiters.pick(i % 2, all, 16));
        }
        return result;
    };
    EXPECT_EQ(draws(1, "a"), draws(1, "a"));
    EXPECT_NE(draws(1, "a"), draws(2, "a"));
    EXPECT_NE(draws(1, "a"), draws(1, "b"));
    lfsr32 second(5, "x.input_1");
    const std::uint64_t all = 0xffff;
    EXPECT_EQ(random_arbiters(2, 16, 5, "x.input").pick(1, &all, 1), second.step() >> 28);
}

// ---- the thesis' example (section 5.1.2) ------------------------------------------------------

const std::vector<std::string> thesis_requests = {"1101", "0110", "1011", "0001"};

TEST(input_first_allocator, gives_both_results_that_the_thesis_names) {
    const request_matrix r = requests_of(thesis_requests);
    // Y = {0: 3, 1: 2, 2: 0, 3: 3}; column 3 is left with rows 0 and 3
    const std::vector<lfsr32> rows = {first_2, first_2, first_0, first_1};
    input_first_allocator to_row_3({4, 4, 1}, random_arbiters(rows, 4),
                                   random_arbiters({first_0, first_0, first_0, first_1}, 4));
    EXPECT_EQ(cycle(to_row_3, r), (pairs{{1, 2}, {2, 0}, {3, 3}}));
    input_first_allocator to_row_0({4, 4, 1}, random_arbiters(rows, 4),
                                   random_arbiters({first_0, first_0, first_0, first_0}, 4));
    EXPECT_EQ(cycle(to_row_0, r), (pairs{{0, 3}, {1, 2}, {2, 0}}));
}

TEST(pim_allocator, columns_grant_then_rows_accept_pass_by_pass) {
    const request_matrix r = requests_of(thesis_requests);
    // columns grant: 0 -> row 0, 1 -> row 0, 2 -> row 1, 3 -> row 0; row 0 accepts 1 of {0, 1, 3}
    const std::vector<lfsr32> columns = {first_0, first_0, first_0, first_0};
    const std::vector<lfsr32> rows = {first_1, first_0, first_0, first_0};
    pim_allocator once({4, 4, 1}, random_arbiters(rows, 4), random_arbiters(columns, 4));
    EXPECT_EQ(cycle(once, r), (pairs{{0, 1}, {1, 2}}));
    // second pass: 0 -> row 2 (the only one left), 3 -> first of rows 2, 3 from position 2:
    // 2 -> 1 -> 80200003, so row 2, which accepts column 0 or 3 from its first position, 0
    pim_allocator twice({4, 4, 2}, random_arbiters(rows, 4), random_arbiters(columns, 4));
    EXPECT_EQ(cycle(twice, r), (pairs{{0, 1}, {1, 2}, {2, 0}}));
    pim_allocator thrice({4, 4, 3}, random_arbiters(rows, 4), random_arbiters(columns, 4));
    EXPECT_EQ(cycle(thrice, r), (pairs{{0, 1}, {1, 2}, {2, 0}, {3, 3}}));
}

TEST(wavefront_allocator, wave_starts_at_the_next_diagonal_each_cycle) {
    const request_matrix r = requests_of(thesis_requests);
    wavefront_allocator wave({4, 4, 1});
    // diagonals 0: (0,0), (2,2); 1: nothing free; 2: (1,1), (3,3)
    EXPECT_EQ(cycle(wave, r), (pairs{{0, 0}, {1, 1}, {2, 2}, {3, 3}}));
    // diagonals 1: (0,1), (2,3); 2: columns 1 and 3 are taken; 3: (1,2); 0: row 3 has none left
    EXPECT_EQ(cycle(wave, r), (pairs{{0, 1}, {1, 2}, {2, 3}}));
    // diagonals 2: (1,1), (2,0), (3,3); 3: (0,3) is taken; 0: (0,0) is taken; 1: (0,1) is taken
    EXPECT_EQ(cycle(wave, r), (pairs{{1, 1}, {2, 0}, {3, 3}}));
}

// ---- islip ------------------------------------------------------------------------------------

TEST(islip_allocator, pointers_come_apart_until_all_are_served) {
    const request_matrix r = requests_of({"111", "111", "111"});
    islip_allocator chooser({3, 3, 1});
    EXPECT_EQ(cycle(chooser, r), (pairs{{0, 0}})) << "all columns grant row 0";
    EXPECT_EQ(chooser.column_pointer(0), 1U);
    EXPECT_EQ(chooser.row_pointer(0), 1U);
    EXPECT_EQ(chooser.column_pointer(1), 0U) << "its grant was not accepted";
    EXPECT_EQ(cycle(chooser, r), (pairs{{0, 1}, {1, 0}}));
    EXPECT_EQ(cycle(chooser, r), (pairs{{0, 2}, {1, 1}, {2, 0}}));
    EXPECT_EQ(cycle(chooser, r), (pairs{{0, 0}, {1, 2}, {2, 1}})) << "and so on for ever";
    EXPECT_EQ(cycle(chooser, r), (pairs{{0, 1}, {1, 0}, {2, 2}}));
    chooser.reset();
    EXPECT_EQ(cycle(chooser, r), (pairs{{0, 0}}));
}

TEST(islip_allocator, later_passes_match_and_leave_the_pointers) {
    const request_matrix r = requests_of({"111", "111", "111"});
    islip_allocator chooser({3, 3, 2});
    EXPECT_EQ(cycle(chooser, r), (pairs{{0, 0}, {1, 1}}));
    EXPECT_EQ(chooser.column_pointer(1), 0U);
    EXPECT_EQ(chooser.row_pointer(1), 0U);
}

TEST(islip_allocator, pointers_skip_who_does_not_ask) {
    const request_matrix r = requests_of({"010", "000", "010"});
    islip_allocator chooser({3, 3, 1});
    EXPECT_EQ(cycle(chooser, r), (pairs{{0, 1}}));
    EXPECT_EQ(cycle(chooser, r), (pairs{{2, 1}}));
    EXPECT_EQ(chooser.column_pointer(1), 0U) << "one past row 2, around";
    EXPECT_EQ(cycle(chooser, r), (pairs{{0, 1}}));
}

// ---- the slot ---------------------------------------------------------------------------------

TEST(request_matrix, counts_what_comes_and_goes_once) {
    for (const std::uint32_t rows : {3U, 64U, 70U}) {
        for (const std::uint32_t columns : {2U, 64U, 65U}) {
            request_matrix r(rows, columns);
            const auto twice = [&](const auto& change, std::uint32_t row, std::uint32_t column) {
                change(row, column);
                change(row, column);
            };
            const auto insert = [&](auto row, auto column) { r.insert(row, column); };
            const auto erase = [&](auto row, auto column) { r.erase(row, column); };
            twice(insert, 0, 0);
            twice(insert, rows - 1, columns - 1);
            EXPECT_EQ(r.requests(), 2U);
            EXPECT_TRUE(r.without_conflict());
            twice(insert, rows - 1, 0);
            EXPECT_EQ(r.requests(), 3U);
            EXPECT_FALSE(r.without_conflict());
            twice(erase, 0, 0);
            twice(erase, rows - 1, 0);
            EXPECT_EQ(r.requests(), 1U);
            EXPECT_TRUE(r.without_conflict());
            EXPECT_FALSE(port_bits::test(r.active_rows(), 0));
            EXPECT_FALSE(port_bits::test(r.active_columns(), 0));
            EXPECT_TRUE(port_bits::test(r.active_rows(), rows - 1));
            EXPECT_TRUE(port_bits::test(r.active_columns(), columns - 1));
            erase(rows - 1, columns - 1);
            EXPECT_EQ(r.requests(), 0U);
            EXPECT_FALSE(port_bits::any(r.active_rows(), r.row_words()));
            EXPECT_FALSE(port_bits::any(r.active_columns(), r.column_words()));
        }
    }
}

TEST(allocator, prints_what_it_was_asked) {
    const request_matrix r = requests_of({"101", "000", "010"});
    std::ostringstream text;
    text << r;
    EXPECT_EQ(text.str(), "{0: 0 2, 2: 1}");
}

TEST(allocator, refuses_a_shape_it_has_no_room_for) {
    slot_rig slots;
    const auto make = [&](const allocator_shape& shape) {
        return slots.tlm<allocator_traits>().make({allocators::key<pim_allocator>, shape},
                                                  "gpu.crossbar.request.allocator_0");
    };
    for (const allocator_shape& shape :
         {allocator_shape{0, 4, 1}, allocator_shape{4, 0, 1}, allocator_shape{1025, 4, 1}}) {
        EXPECT_THROW(static_cast<void>(make(shape)), configuration_error);
    }
    EXPECT_NE(make({1024, 1024, 1}), nullptr);
}

/// What lock step says about two matchings.
std::string difference(const matching& tlm, const matching& rtl) {
    slot_rig slots;
    lock_step comparison(allocator_traits::name,
                         slot_context("gpu.x", 1, slots.clock, slots.status));
    comparison.compare(allocator_traits::fields, tlm, rtl, [](std::ostream& to) { to << "{}"; });
    return slots.status.text();
}

TEST(matching, differs_where_a_row_is_granted_another_column_or_none) {
    matching a, b;
    EXPECT_EQ(difference(a, b), "");
    a.grant(3, 1);
    a.grant(70, 2);
    b.grant(70, 2);
    EXPECT_THAT(difference(a, b), testing::HasSubstr(": grant[3]: tlm 1, rtl none;"));
    b.grant(3, 1);
    EXPECT_EQ(difference(a, b), "");
    b.grant(1023, 0);
    EXPECT_THAT(difference(a, b), testing::HasSubstr(": grant[1023]: tlm none, rtl 0;"));
    a.grant(1023, 5);
    EXPECT_THAT(difference(a, b), testing::HasSubstr(": grant[1023]: tlm 5, rtl 0;"));
}

}  // namespace
}  // namespace heddle
