// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Update registers, look-up, conflicts, overflow, patience: clock by clock.
#include "models/base/statistics.h"
#include "tests/hw/smx/dwf_fixture.h"

namespace heddle {
namespace {

using ::testing::ElementsAre;
constexpr std::uint32_t nothing = ~0U;

dwf_configuration by_time() {
    return dwf_fixture::with(warp_policies::key<time_policy>);
}

TEST(dwf_former, what_arrives_can_issue_in_the_same_turn) {
    for (const unsigned interval : {1U, 4U}) {
        dwf_fixture f(32, interval);
        f.arrive(8, 0, 0xf0);
        const issued_group group = f.turn();
        EXPECT_EQ(group.lanes, 0xf0U);
        EXPECT_THAT(group.threads, ElementsAre(4, 5, 6, 7));
    }
}

TEST(dwf_former, two_arrivals_a_turn_reach_the_update_registers) {
    dwf_fixture f(32, 4, by_time());
    for (std::uint32_t pc = 4; pc <= 20; pc += 4) f.arrive(pc, 0, bits::one(pc / 4));
    f.former->pass(4);
    EXPECT_EQ(f.former->occupancy().groups, 2U);
    EXPECT_EQ(f.former->occupancy().arriving, 3U);
    EXPECT_EQ(f.former->next_change(), 1U);
    f.former->pass(4);
    EXPECT_EQ(f.former->occupancy().groups, 4U);
    f.former->pass(4);
    EXPECT_EQ(f.former->occupancy().groups, 5U);
    EXPECT_EQ(f.former->next_change(), f.configuration.patience + 1U - 12U);
}

TEST(dwf_former, threads_join_where_their_lane_is_free_and_open_a_warp_where_it_is_not) {
    dwf_fixture f(32, 4, by_time());
    f.arrive(8, 0, 0b0011);
    f.arrive(8, 2, 0b0110);
    f.arrive(8, 4, 0b0001);
    f.former->pass(4);
    f.former->pass(4);
    // REQ 0110, OCC 0011: lane 2 joins, lane 1 opens a warp, which the third joins.
    EXPECT_THAT(f.pick().threads, ElementsAre(0, 1, 66));
    EXPECT_THAT(f.pick().threads, ElementsAre(128, 65));
    EXPECT_EQ(f.former->counts().conflicts, 1U);
    EXPECT_EQ(f.former->counts().joined, 2U);
    EXPECT_EQ(f.former->counts().opened, 2U);
}

TEST(dwf_former, conflicts_count_threads) {
    dwf_fixture f(32, 4, by_time());
    f.arrive(8, 0, 0b0111);
    f.arrive(8, 2, 0b1111);  // lane 3 joins, the others find their lanes taken
    f.former->pass(4);
    EXPECT_EQ(f.former->counts().conflicts, 3U);
    EXPECT_EQ(f.former->counts().joined, 1U);
    EXPECT_EQ(f.former->counts().opened, 2U);
}

TEST(dwf_former, nobody_joins_a_warp_that_has_issued) {
    dwf_fixture f(32, 4, by_time());
    f.arrive(8, 0, 0b01);
    EXPECT_EQ(f.turn().lanes, 0b01U);
    f.arrive(8, 0, 0b10);
    EXPECT_EQ(f.turn().lanes, 0b10U);
}

TEST(dwf_former, the_older_warp_of_a_pc_takes_no_further_threads) {
    dwf_fixture f(32, 4, by_time());
    f.arrive(8, 0, 0b01);
    f.arrive(8, 2, 0b01);  // opens a second warp
    f.arrive(8, 0, 0b10);  // joins that, although lane 1 of the first is free
    f.former->pass(4);
    f.former->pass(4);
    EXPECT_THAT(f.pick().threads, ElementsAre(0));
    // The first has issued: the entry is that of the second, and stays.
    f.arrive(8, 0, 0b100);
    f.former->pass(4);
    EXPECT_THAT(f.pick().threads, ElementsAre(64, 1, 2));
}

TEST(dwf_former, groups_stay_within_a_block) {
    dwf_fixture f(32, 4, by_time());
    f.arrive(8, 0, 0b01, false, 0);
    f.arrive(8, 1, 0b10, false, 1);
    f.former->pass(4);
    const issued_group first = f.pick();
    const issued_group second = f.pick();
    EXPECT_EQ(first.block, 0U);
    EXPECT_EQ(second.block, 1U);
    EXPECT_THAT(second.threads, ElementsAre(33));
}

TEST(dwf_former, threads_that_start_in_an_odd_home_warp_exchange_their_lanes) {
    dwf_fixture f(8, 1, by_time());
    f.arrive(8, 1, 0b0110, true);
    const issued_group group = f.turn();
    EXPECT_EQ(group.lanes, 0b1001U);
    EXPECT_THAT(group.threads, ElementsAre(9, 10));
    f.arrive(12, group, group.lanes);
    EXPECT_EQ(f.turn().lanes, 0b1001U) << "they come back in these lanes";
}

TEST(dwf_former, home_lanes_of_the_pipeline_let_threads_of_one_lane_of_the_warp_meet) {
    for (const home_lane_count lanes : {home_lane_count::warp, home_lane_count::pipeline}) {
        dwf_configuration configuration = by_time();
        configuration.home_lanes = lanes;
        dwf_fixture f(32, 4, configuration);
        for (unsigned warp = 0; warp < 10; warp += 2) {
            f.arrive(8, warp, 0b1);
            f.former->pass(4);
        }
        // Home lane 0 of the pipeline has four places in a warp.
        EXPECT_EQ(f.former->occupancy().groups, lanes == home_lane_count::warp ? 5U : 2U);
        EXPECT_EQ(f.pick().lanes, lanes == home_lane_count::warp ? 1U : 0x01010101U);
    }
}

TEST(dwf_former, without_lane_awareness_any_threads_meet_and_pay_for_their_banks) {
    dwf_configuration configuration = by_time();
    configuration.lane_aware = false;
    for (const bool conflicts : {true, false}) {
        configuration.bank_conflicts = conflicts;
        dwf_fixture f(32, 4, configuration);
        for (unsigned warp = 0; warp < 6; warp += 2) {
            f.arrive(8, warp, 0b11);
            f.former->pass(4);
        }
        const issued_group group = f.pick();
        EXPECT_EQ(group.lanes, 0b111111U);
        EXPECT_EQ(group.conflict_clocks, conflicts ? 2U : 0U);
        EXPECT_EQ(f.former->counts().conflict_clocks, conflicts ? 2U : 0U);
    }
}

TEST(dwf_former, a_replaced_entry_leaves_its_warp_in_the_pool_without_further_threads) {
    dwf_configuration configuration = by_time();
    configuration.lut_entries = configuration.lut_ways = 1;
    dwf_fixture f(32, 4, configuration);
    f.arrive(8, 0, 0b001);
    f.former->pass(4);
    f.arrive(12, 0, 0b010);
    f.former->pass(4);
    f.arrive(8, 0, 0b100);
    f.former->pass(4);
    EXPECT_EQ(f.former->counts().lut_replacements, 2U);
    EXPECT_EQ(f.pick().lanes, 0b001U);
    EXPECT_EQ(f.pick().lanes, 0b010U);
    EXPECT_EQ(f.pick().lanes, 0b100U);
}

TEST(dwf_former, a_port_waits_a_clock_for_an_entry_that_the_other_port_uses) {
    dwf_configuration configuration = by_time();
    configuration.lut_entries = configuration.lut_ways = 1;
    dwf_fixture f(8, 1, configuration);
    f.arrive(8, 0, 0b01);
    f.arrive(12, 0, 0b10);
    f.former->pass(1);
    EXPECT_EQ(f.former->occupancy().groups, 1U);
    EXPECT_EQ(f.former->counts().waits, 1U);
    f.former->pass(1);
    EXPECT_EQ(f.former->occupancy().groups, 2U);
    EXPECT_EQ(f.former->counts().waits, 1U);
}

TEST(dwf_former, issues_nothing_while_the_unit_is_busy_and_keeps_its_choice) {
    dwf_fixture f(32, 4, by_time());
    f.needs.of[2] = 1;
    f.arrive(8, 0, 1);
    f.arrive(12, 0, 2);
    EXPECT_EQ(f.turn().lanes, 0U);
    EXPECT_EQ(f.outcome, protocol::turn_outcome::unit_busy);
    EXPECT_EQ(f.issue.parts[0].pc, 8U);
    f.accepting = 3;
    EXPECT_THAT(f.turns(2), ElementsAre(8, 12));
}

TEST(dwf_former, a_full_pool_sends_threads_to_the_overflow_list) {
    dwf_configuration configuration = by_time();
    configuration.pool_entries = 2;
    configuration.overflow_latency = 10;
    dwf_fixture f(8, 1, configuration);
    f.arrive(4, 0, 0b0001);
    f.arrive(8, 0, 0b0010);
    f.former->pass(1);
    f.arrive(12, 0, 0b0100);
    f.arrive(4, 1, 0b0011);  // lane 1 joins the first warp, lane 0 has no place
    f.former->pass(1);       // clock 2
    EXPECT_EQ(f.former->occupancy().groups, 2U);
    EXPECT_EQ(f.former->occupancy().overflow, 2U);
    EXPECT_EQ(f.former->counts().overflows, 2U);
    EXPECT_THAT(f.pick().threads, ElementsAre(0, 9));
    EXPECT_EQ(f.former->next_change(), 10U) << "out in clock 12";
    f.former->pass(10);
    EXPECT_EQ(f.former->next_change(), 10U) << "back in clock 22";
    f.former->pass(9);
    EXPECT_EQ(f.former->occupancy().groups, 1U);
    f.former->pass(1);
    EXPECT_EQ(f.former->occupancy().groups, 2U);
    EXPECT_THAT(f.turns(2), ElementsAre(8, 12));
    EXPECT_THAT(f.turns(1), ElementsAre(nothing));
    EXPECT_EQ(f.outcome, protocol::turn_outcome::forming) << "a thread is in the overflow list";
    f.former->pass(9);
    EXPECT_THAT(f.turns(1), ElementsAre(4));
    EXPECT_EQ(f.turns(1)[0], nothing);
    EXPECT_EQ(f.outcome, protocol::turn_outcome::nothing);
}

TEST(dwf_former, a_place_is_kept_for_what_was_sent_for) {
    dwf_configuration configuration = by_time();
    configuration.pool_entries = 2;
    configuration.overflow_latency = 10;
    dwf_fixture f(8, 1, configuration);
    f.arrive(4, 0, 1);
    f.arrive(8, 0, 2);
    f.former->pass(1);
    f.arrive(12, 0, 4);
    EXPECT_EQ(f.turn().pc, 4U);
    f.former->pass(11);  // the thread at 12 has been sent for
    f.arrive(16, 0, 8);
    f.former->pass(1);
    EXPECT_EQ(f.former->occupancy().groups, 1U);
    EXPECT_EQ(f.former->occupancy().overflow, 2U);
}

TEST(dwf_former, arrivals_pass_the_overflow_list_only_until_its_patience_is_over) {
    dwf_configuration configuration = by_time();
    configuration.pool_entries = 2;
    configuration.overflow_latency = 10;
    configuration.patience = 100;
    dwf_fixture f(8, 1, configuration);
    f.arrive(4, 0, 1);
    f.arrive(8, 0, 2);
    f.former->pass(1);
    f.arrive(12, 0, 4);
    f.former->pass(1);  // out in clock 12
    unsigned clock = 2;
    for (issued_group group; group.pc != 12 && clock < 1000; ++clock) {
        group = f.turn();
        if (group.lanes != 0) f.arrive(group.pc, group, group.lanes);
    }
    // Back in clock 12 + 100 + 10, and one warp is older.
    EXPECT_EQ(clock, 123U);
}

TEST(dwf_former, a_full_heap_sends_threads_to_the_overflow_list) {
    dwf_configuration configuration;
    configuration.policies.of<heap_configuration>().heap_entries = 2;
    dwf_fixture f(32, 4, configuration);
    f.needs.of[1] = 1;  // 4 is the Majority Entry, and can't issue
    f.arrive(4, 0, 1);
    f.turn();
    f.arrive(8, 0, 2);
    f.arrive(12, 0, 4);
    f.turn();
    f.arrive(16, 0, 8);
    f.arrive(8, 2, 1);
    f.turn();
    EXPECT_EQ(f.former->occupancy().heap, 2U);
    EXPECT_EQ(f.former->occupancy().overflow, 1U);
    EXPECT_EQ(f.former->occupancy().groups, 3U) << "8 has an entry, and its warp a free lane";
}

TEST(dwf_former, infinite_resources_know_neither_overflow_nor_waits) {
    dwf_configuration configuration;
    configuration.infinite_resources = true;
    configuration.pool_entries = 2;
    configuration.lut_entries = configuration.lut_ways = 1;
    configuration.policies.of<heap_configuration>() = {2, 1, 1};
    dwf_fixture f(32, 4, configuration);
    for (std::uint32_t i = 0; i < 60; ++i) f.arrive(4 * i, i, 0xf >> i % 4);
    f.former->pass(4);
    EXPECT_EQ(f.former->occupancy().groups, 60U);
    EXPECT_EQ(f.former->occupancy().heap, 59U) << "and the Majority Entry";
    EXPECT_EQ(f.former->counts().waits, 0U);
    EXPECT_EQ(f.former->counts().lut_replacements, 0U);
    std::vector<std::uint32_t> sizes;
    for (unsigned i = 0; i < 60; ++i) sizes.push_back(bits::count(f.turn().lanes));
    EXPECT_TRUE(std::is_sorted(sizes.rbegin(), sizes.rend()));
    EXPECT_EQ(sizes.back(), 1U);
}

TEST(dwf_former, a_warp_that_has_waited_for_the_patience_issues_first) {
    dwf_configuration configuration;
    configuration.patience = 103;
    dwf_fixture f(32, 4, configuration);
    f.arrive(40, 0, 0b1);  // clock 1
    f.arrive(20, 2, 0xff);
    std::vector<unsigned> lone;
    for (unsigned turn = 1; turn <= 30; ++turn) {
        const issued_group group = f.turn();
        ASSERT_NE(group.lanes, 0U);
        if (group.pc == 40) lone.push_back(turn);
        if (turn == 1) {
            EXPECT_EQ(group.pc, 20U);
        }
        // The others spin: they are the majority in each turn.
        if (group.pc != 40) f.arrive(group.pc, group, group.lanes);
    }
    // Opened in clock 1, the thread may go from clock 104 on.
    EXPECT_THAT(lone, ElementsAre(26));
    EXPECT_EQ(f.former->counts().rescues, 1U);
}

TEST(dwf_former, patience_0_lets_a_warp_starve) {
    dwf_configuration configuration;
    configuration.patience = 0;
    dwf_fixture f(32, 4, configuration);
    f.arrive(40, 0, 0b1);
    f.arrive(20, 2, 0xff);
    for (unsigned turn = 1; turn <= 3000; ++turn) {
        const issued_group group = f.turn();
        ASSERT_EQ(group.pc, 20U);
        f.arrive(20, group, group.lanes);
    }
}

TEST(dwf_former, a_sleep_takes_its_clocks_without_steps) {
    dwf_configuration configuration = by_time();
    configuration.patience = 1000000000;
    dwf_fixture f(32, 4, configuration);
    f.former->pass(std::uint64_t{1} << 60);
    EXPECT_EQ(f.former->next_change(), protocol::thread_turn::never);
    f.arrive(8, 0, 1);
    EXPECT_EQ(f.turn().pc, 8U);
}

TEST(dwf_former, arrivals_behind_a_sleep_come_in_its_last_turn) {
    dwf_configuration configuration;
    configuration.patience = 100;
    dwf_fixture f(32, 4, configuration);
    f.arrive(8, 0, 1);
    f.former->pass(4000);
    EXPECT_EQ(f.former->next_change(), 97U) << "opened in clock 3997";
}

TEST(dwf_former, collects_what_it_counts) {
    dwf_fixture f(32, 4, by_time());
    f.arrive(8, 0, 0b0011);
    f.arrive(8, 2, 0b0001);
    f.turn();
    f.turn();
    f.arrive(12, 0, 0b0001);  // alone in the pool
    f.turn();
    statistics s;
    f.former->collect(s, "smx.0.thread_pool");
    EXPECT_EQ(std::get<std::uint64_t>(s.find("smx.0.thread_pool.warps_opened")->value), 3U);
    EXPECT_EQ(std::get<std::uint64_t>(s.find("smx.0.thread_pool.lane_conflicts")->value), 1U);
    EXPECT_EQ(std::get<std::uint64_t>(s.find("smx.0.thread_pool.pool_maximum")->value), 2U);
}

}  // namespace
}  // namespace heddle
