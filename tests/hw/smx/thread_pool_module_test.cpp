// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// The thread pool as a module: each latency at both edges, by calls of its link; errors.
#include <gmock/gmock.h>

#include <vector>

#include "hw/protocol/protocol_checker.h"
#include "hw/smx/thread_pool/dwf/warp_policies.h"
#include "hw/smx/thread_pool/formation_configurations.h"
#include "hw/smx/thread_pool/formations.h"
#include "hw/smx/thread_pool/thread_pool.h"
#include "models/base/bits.h"
#include "tests/hw/protocol/scripted_link.h"

namespace heddle {
namespace {

using protocol::thread_arrival;
using protocol::thread_turn;
using protocol::turn_outcome;
using protocol::testing::report_catcher;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::uint32_t integer_bit = 1U << static_cast<unsigned>(unit_class::integer);
constexpr std::uint32_t divide_bit = 1U << static_cast<unsigned>(unit_class::divide);

/// A pool behind a checker. PCs below 0x100 need the integer unit, those from there on divide.
struct pool_link {
    report_catcher reports;
    smx_configuration smx;
    part_configurations settings = formation_configurations();
    const dwf_configuration& dwf = settings.of<dwf_configuration>();
    issue_needs needs;
    protocol::thread_program program;
    protocol::testing::scripted_initiator<protocol::thread_link> initiator{"smx"};
    protocol::protocol_checker<protocol::thread_link> checker{"checker"};
    std::unique_ptr<thread_pool> pool;
    thread_turn turn;
    std::vector<thread_arrival> arrivals;
    std::size_t expected_reports = 0;

    pool_link(formation_policy formation, unsigned warp_size, unsigned interval,
              const dwf_configuration& with = {}) {
        settings.of<dwf_configuration>() = with;
        smx.formation = formation;
        smx.issue_interval = interval;
        needs.of.assign(128, static_cast<issue_need>(unit_class::integer));
        for (unsigned at = 64; at < 128; ++at) {
            needs.of[at] = static_cast<issue_need>(unit_class::divide);
        }
        pool = std::make_unique<thread_pool>(
            "pool", thread_pool_setting{smx, settings, warp_size, 64 * warp_size}, nullptr);
        program = {needs.base, needs.of, std::vector<std::uint8_t>(needs.of.size())};
        turn.program = &program;
        initiator.socket.bind(checker.target_socket);
        checker.initiator_socket.bind(pool->socket);
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }
    ~pool_link() {
        EXPECT_EQ(report_catcher::reports().size(), expected_reports) << report_catcher::text();
    }
    pool_link(const pool_link&) = delete;
    pool_link& operator=(const pool_link&) = delete;

    /// Threads of home warp `warp` that the next turn brings.
    void arrive(std::uint32_t pc, unsigned warp, protocol::lane_mask lanes) {
        thread_arrival& a = arrivals.emplace_back();
        a = {};
        a.pc = pc;
        a.lanes = lanes;
        bits::for_each(lanes, [&](unsigned lane) {
            a.threads[lane] = static_cast<std::uint16_t>(32 * warp + lane);
        });
    }
    turn_outcome at(std::uint64_t cycle, std::uint32_t accepting = integer_bit | divide_bit) {
        sc_core::sc_start(1, sc_core::SC_NS);
        turn.cycle = cycle;
        turn.accepting = accepting;
        turn.arrivals = arrivals.data();
        turn.arrival_count = static_cast<std::uint32_t>(arrivals.size());
        auto phase = protocol::thread_phase::turn;
        auto time = sc_core::SC_ZERO_TIME;
        EXPECT_EQ(initiator.socket->nb_transport_fw(turn, phase, time), tlm::TLM_COMPLETED);
        arrivals.clear();
        turn.program = nullptr;
        return turn.issue.outcome;
    }
    /// Threads that issue in the turn.
    unsigned issued_at(std::uint64_t cycle, std::uint32_t accepting = integer_bit | divide_bit) {
        if (at(cycle, accepting) != turn_outcome::issued) return 0;
        unsigned threads = 0;
        for (unsigned n = 0; n < turn.issue.count; ++n) {
            threads += bits::count(turn.issue.parts[n].lanes);
        }
        return threads;
    }
    /// What issued comes back in the next turn.
    void comes_back() {
        thread_arrival& a = arrivals.emplace_back();
        a = {};
        a.pc = turn.issue.parts[0].pc;
        a.lanes = turn.issue.parts[0].lanes;
        a.threads = turn.issue.threads;
    }
};

dwf_configuration by(warp_policy_kind policy) {
    dwf_configuration dwf;
    dwf.policy = policy;
    return dwf;
}

class every_formation : public ::testing::TestWithParam<formation_policy> {};

TEST_P(every_formation, threads_can_issue_in_the_turn_in_which_they_arrive_and_not_before) {
    pool_link p(GetParam(), 32, 4);
    EXPECT_EQ(p.at(1000), turn_outcome::nothing);
    EXPECT_EQ(p.turn.next_change, thread_turn::never);
    EXPECT_EQ(p.at(1004), turn_outcome::nothing);
    p.arrive(0, 0, 0b1011);
    EXPECT_EQ(p.issued_at(1008), 3U);
    EXPECT_EQ(p.at(1012), turn_outcome::nothing);
}

TEST_P(every_formation, a_group_issues_when_its_unit_takes_it_and_not_before) {
    pool_link p(GetParam(), 32, 4);
    p.arrive(0x100, 0, 0b1);
    EXPECT_EQ(p.at(4, integer_bit), turn_outcome::unit_busy);
    EXPECT_EQ(p.turn.issue.parts[0].pc, 0x100U);
    EXPECT_EQ(p.at(8, integer_bit), turn_outcome::unit_busy);
    EXPECT_EQ(p.issued_at(12, divide_bit), 1U);
}

TEST_P(every_formation, a_later_call_of_a_cycle_picks_another_group) {
    pool_link p(GetParam(), 32, 4);
    p.arrive(0, 0, 0b1);
    p.arrive(0, 2, 0b1);  // the same home lane: two groups, but MIMD's lanes take both
    const unsigned first = p.issued_at(8);
    EXPECT_EQ(first, row_of(GetParam()).name == std::string("mimd") ? 2U : 1U);
    p.turn.calls_before = 1;
    EXPECT_EQ(p.issued_at(8), 2 - first);
    p.turn.calls_before = 2;
    EXPECT_EQ(p.at(8), turn_outcome::nothing);
}

TEST_P(every_formation, a_call_that_does_not_follow_the_last_is_reported) {
    pool_link p(GetParam(), 32, 4);
    const auto call = [&](std::uint64_t cycle, std::uint32_t calls_before) {
        p.turn.calls_before = calls_before;
        EXPECT_EQ(p.at(cycle), turn_outcome::nothing);
    };
    call(8, 0);
    p.expected_reports = 4;
    call(8, 0);   // the same call again
    call(8, 2);   // one is left out
    call(4, 0);   // time goes back
    call(12, 1);  // a cycle begins with call 0
    EXPECT_THAT(report_catcher::text(),
                HasSubstr("pool: call 2 of cycle 8 after call 0 of cycle 8"));
    call(8, 1);
    call(12, 0);
}

std::vector<formation_policy> formations_on_pools() {
    std::vector<formation_policy> found;
    for (const formation_policy each : formations::all()) {
        if (row_of(each).on_pool) found.push_back(each);
    }
    return found;
}

INSTANTIATE_TEST_SUITE_P(all, every_formation, ::testing::ValuesIn(formations_on_pools()),
                         [](const auto& info) { return std::string(row_of(info.param).name); });

struct overflow_case {
    unsigned interval;
    unsigned latency;
    std::uint64_t out;  ///< turn in which the threads that overflowed issue
};

class overflow : public ::testing::TestWithParam<overflow_case> {};

/// Two warps fill the pool, the third one overflows. It takes the latency to the list and the
/// latency back; then it issues in the next turn.
TEST_P(overflow, takes_its_latency_each_way) {
    const overflow_case& c = GetParam();
    dwf_configuration dwf = by(warp_policies::key<time_policy>);
    dwf.pool_entries = 2;
    dwf.overflow_latency = c.latency;
    pool_link p(formations::key<dwf_former>, 32, c.interval, dwf);
    std::uint64_t cycle = c.interval;
    p.arrive(0, 0, 1);
    p.arrive(4, 0, 2);
    EXPECT_EQ(p.at(cycle, 0), turn_outcome::unit_busy);
    p.arrive(8, 0, 4);
    EXPECT_EQ(p.issued_at(cycle += c.interval), 1U);
    EXPECT_EQ(p.pool->occupancy().overflow, 1U);
    EXPECT_EQ(p.issued_at(cycle += c.interval), 1U);
    while (cycle + c.interval < c.out) {
        ASSERT_EQ(p.at(cycle += c.interval), turn_outcome::forming) << "cycle " << cycle;
        ASSERT_LE(p.turn.next_change, c.out);
    }
    EXPECT_EQ(p.issued_at(c.out), 1U);
    EXPECT_EQ(p.at(c.out + c.interval), turn_outcome::nothing);
}

// With an interval of 1 the third warp overflows in cycle 2. With one of 4 it is in the update
// register at the beginning of the turn of cycle 8, and overflows in cycle 5.
INSTANTIATE_TEST_SUITE_P(latencies, overflow,
                         ::testing::Values(overflow_case{1, 10, 22}, overflow_case{1, 400, 802},
                                           overflow_case{4, 10, 28}, overflow_case{4, 12, 32},
                                           overflow_case{4, 400, 808}),
                         [](const auto& info) {
                             return "interval_" + std::to_string(info.param.interval) +
                                    "_latency_" + std::to_string(info.param.latency);
                         });

class impatient : public ::testing::TestWithParam<std::tuple<warp_policy_kind, unsigned>> {};

/// A warp that the policy never chooses issues in the first turn in which it has waited for the
/// patience.
TEST_P(impatient, warp_issues_after_the_patience_and_not_before) {
    const auto [policy, patience] = GetParam();
    dwf_configuration dwf = by(policy);
    dwf.patience = patience;
    pool_link p(formations::key<dwf_former>, 32, 4, dwf);
    const bool minority = policy == warp_policies::key<minority_policy>;
    // Opened in cycle 1; the others are there again in each turn, at a lower PC.
    p.arrive(8, 0, minority ? 0b111 : 0b1);
    p.arrive(4, 2, minority ? 0b1 : 0b111);
    std::uint64_t cycle = 4;
    for (; cycle < 1 + patience; cycle += 4) {
        ASSERT_EQ(p.at(cycle), turn_outcome::issued);
        ASSERT_EQ(p.turn.issue.parts[0].pc, 4U) << "cycle " << cycle;
        p.comes_back();
    }
    EXPECT_EQ(p.at(cycle), turn_outcome::issued);
    EXPECT_EQ(p.turn.issue.parts[0].pc, 8U);
}

INSTANTIATE_TEST_SUITE_P(policies, impatient,
                         ::testing::Combine(::testing::Values(warp_policies::key<majority_policy>,
                                                              warp_policies::key<minority_policy>,
                                                              warp_policies::key<pc_policy>),
                                            ::testing::Values(50U, 51U, 52U)),
                         [](const auto& info) {
                             return warp_policies::name(std::get<0>(info.param)) + "_" +
                                    std::to_string(std::get<1>(info.param));
                         });

TEST(thread_pool_module, says_when_the_patience_of_a_busy_group_is_over) {
    dwf_configuration dwf;
    dwf.patience = 50;
    pool_link p(formations::key<dwf_former>, 32, 1, dwf);
    p.arrive(0, 0, 1);
    p.at(1, 0);
    EXPECT_EQ(p.turn.next_change, 51U);
    p.at(50, 0);
    EXPECT_EQ(p.turn.next_change, 51U);
    p.at(51, 0);
    EXPECT_EQ(p.turn.next_change, thread_turn::never);
}

TEST(thread_pool_module, the_first_turn_has_one_interval_behind_it) {
    pool_link p(formations::key<dwf_former>, 32, 4);
    p.arrive(0, 0, 1);
    EXPECT_EQ(p.issued_at(0), 1U);
}

TEST(thread_pool_module, two_arrivals_a_turn_reach_the_update_registers) {
    pool_link p(formations::key<dwf_former>, 32, 4, by(warp_policies::key<time_policy>));
    for (unsigned n = 0; n < 5; ++n) p.arrive(4 * n, n, 1);
    p.at(4, 0);
    EXPECT_EQ(p.pool->occupancy().arriving, 3U);
    EXPECT_EQ(p.turn.next_change, 5U);
    p.at(8, 0);
    EXPECT_EQ(p.pool->occupancy().arriving, 1U);
    p.at(12, 0);
    EXPECT_EQ(p.pool->occupancy().arriving, 0U);
    EXPECT_EQ(p.turn.next_change, 1U + p.dwf.patience);
}

/// The Majority Entry is empty. The PC with the most threads has been added last, at the third
/// level of the heap: two swaps until it is the root.
TEST(thread_pool_module, the_next_majority_waits_for_the_swaps_of_the_heap) {
    pool_link p(formations::key<dwf_former>, 32, 1);
    p.arrive(0, 0, 1);
    ASSERT_EQ(p.at(1, 0), turn_outcome::unit_busy);
    for (unsigned pc = 1; pc <= 3; ++pc) {
        p.arrive(4 * pc, 2, 0b11);
        p.at(1 + pc, 0);
    }
    p.arrive(16, 2, 0b111);
    EXPECT_EQ(p.issued_at(5), 1U);
    EXPECT_EQ(p.turn.issue.parts[0].pc, 0U);
    EXPECT_EQ(p.at(6), turn_outcome::forming) << "the first swap";
    EXPECT_EQ(p.at(7), turn_outcome::issued) << "the second one, and the root is taken";
    EXPECT_EQ(p.turn.issue.parts[0].pc, 16U);
}

TEST(thread_pool_module, a_lane_of_mimd_takes_its_unit_again_after_the_interval) {
    pool_link p(formations::key<mimd_former>, 2, 1);
    ASSERT_EQ(p.smx.unit(unit_class::divide).initiation_interval, 8U);
    p.arrive(0x100, 0, 0b11);
    p.arrive(0x104, 1, 0b11);
    p.arrive(0, 2, 0b1);
    EXPECT_EQ(p.issued_at(10), 2U);
    EXPECT_EQ(p.turn.issue.parts[0].pc, 0x100U);
    EXPECT_EQ(p.issued_at(11), 1U) << "the lanes have other units";
    EXPECT_EQ(p.turn.issue.parts[0].pc, 0U);
    EXPECT_EQ(p.at(17), turn_outcome::unit_busy);
    EXPECT_EQ(p.issued_at(18), 2U);
}

TEST(thread_pool_module, bank_conflicts_are_told_with_the_group) {
    dwf_configuration dwf = by(warp_policies::key<time_policy>);
    dwf.lane_aware = false;
    pool_link p(formations::key<dwf_former>, 32, 4, dwf);
    for (unsigned warp = 0; warp < 6; warp += 2) p.arrive(0, warp, 0b1);
    p.at(4, 0);
    EXPECT_EQ(p.issued_at(8), 3U);
    EXPECT_EQ(p.turn.issue.conflict_clocks, 2U) << "three threads of one bank";
    p.arrive(0, 0, 0b11);
    EXPECT_EQ(p.issued_at(14), 2U);
    EXPECT_EQ(p.turn.issue.conflict_clocks, 0U);
}

using busy_unit = testing::TestWithParam<formation_policy>;

TEST_P(busy_unit, is_that_of_the_oldest_group) {
    pool_link p(GetParam(), 32, 4);
    p.arrive(0x10, 0, 0b1);
    p.arrive(0x100, 1, 0b1);
    EXPECT_EQ(p.at(4, 0), turn_outcome::unit_busy);
    EXPECT_EQ(p.turn.issue.parts[0].pc, 0x10U);
    EXPECT_EQ(p.at(8, integer_bit), turn_outcome::issued);
    p.arrive(0x10, 2, 0b1);
    EXPECT_EQ(p.at(12, 0), turn_outcome::unit_busy);
    EXPECT_EQ(p.turn.issue.parts[0].pc, 0x100U);
}
INSTANTIATE_TEST_SUITE_P(formations, busy_unit,
                         testing::Values(formations::key<nrec_former>,
                                         formations::key<mimd_former>));

TEST(thread_pool_module, keeps_the_largest_heap) {
    pool_link p(formations::key<dwf_former>, 32, 4, by(warp_policies::key<majority_policy>));
    for (const std::uint32_t pc : {0x10U, 0x20U, 0x30U}) p.arrive(pc, 0, 1U << (pc >> 4));
    for (std::uint64_t cycle = 4; cycle <= 80; cycle += 4) {
        (void)p.at(cycle, cycle < 40 ? 0 : integer_bit);
    }
    EXPECT_EQ(p.pool->occupancy().heap, 0U);
    statistics s;
    p.pool->collect(s, "pool", 400);
    EXPECT_GE(std::get<std::uint64_t>(s.find("pool.maximum_heap")->value), 2U);
    EXPECT_EQ(std::get<std::uint64_t>(s.find("pool.maximum_groups")->value), 3U);
}

/// Nine warps until cycle 40, then one fewer in each turn.
TEST(thread_pool_module, counts_the_cycles_by_warps_in_the_pool) {
    pool_link p(formations::key<nrec_former>, 32, 4);
    for (std::uint32_t warp = 0; warp < 9; ++warp) p.arrive(0x10, warp, 0b1);
    for (std::uint64_t cycle = 4; cycle <= 60; cycle += 4) {
        (void)p.at(cycle, cycle < 40 ? 0 : integer_bit);
    }
    statistics s;
    p.pool->collect(s, "pool", 100);
    const auto bins = std::get<histogram>(s.find("pool.sizes")->value).bins();
    ASSERT_EQ(bins.size(), 2U);
    EXPECT_EQ(bins[1].count, 36U + 4U) << "9 warps from cycle 4 to 40, then 8 for a turn";
    EXPECT_EQ(bins[0].count, 16U + 40U) << "7 to 4 until cycle 60, then 3 to the end";
}

TEST(thread_pool_module, reports_a_program_that_comes_while_threads_are_here) {
    pool_link p(formations::key<nrec_former>, 8, 4);
    p.arrive(0, 0x40, 0xff);
    (void)p.at(0, 0);
    p.turn.program = &p.program;
    p.expected_reports = 1;
    (void)p.at(4, 0);
    EXPECT_THAT(report_catcher::ids(), ElementsAre(thread_pool_program_report));
    EXPECT_THAT(report_catcher::text(), HasSubstr("legal: while no thread is in the pool"));
}

TEST(thread_pool_module, reports_an_unknown_phase) {
    pool_link p(formations::key<nrec_former>, 32, 4);
    p.expected_reports = 2;
    auto phase = static_cast<protocol::thread_phase>(7);
    auto time = sc_core::SC_ZERO_TIME;
    p.initiator.socket->nb_transport_fw(p.turn, phase, time);
    EXPECT_THAT(report_catcher::ids(),
                ElementsAre(protocol::rule::unknown_phase, thread_pool_phase_report));
    EXPECT_THAT(report_catcher::text(), HasSubstr("phase 7; legal: 0 (turn)"));
    EXPECT_EQ(p.turn.issue.outcome, turn_outcome::nothing);
}

}  // namespace
}  // namespace heddle
