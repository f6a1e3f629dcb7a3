// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// What the schedulers of an SMX do in a cycle: who is asked, in which order, and what it counts as.
#include "hw/smx/issue/scheduler_turns.h"

#include <functional>

#include "tb/lsu/lsu_rig.h"
#include "tests/hw/protocol/scripted_link.h"
#include "tests/hw/smx/block_table_fixture.h"

namespace heddle {
namespace {

using protocol::warp_link;
using testing::ElementsAre;
using testing::Pair;

/// Four ready warps before two schedulers, which pick what the test says.
class scheduler_turns_test : public block_table_fixture {
protected:
    scheduler_turns_test() {
        code.base = 0x10000;
        code.instructions.assign(8, isa::decode(0x002081b3));  // add x3, x1, x2
        table.add(code, {});
        readiness.use_program(code);
        EXPECT_TRUE(start(0, 4 * 32));
        for (unsigned warp = 0; warp < 4; ++warp) {
            paths.start(warp, {code.base, simt::never, full_warp}, code);
            paths.buffers().fill(warp, 2);
        }
        readiness.touch(0b1111);
        for (unsigned s = 0; s < 4; ++s) {
            smx_end[s].socket.bind(scheduler[s].socket);
            scheduler[s].on_forward = [this, s](protocol::warp_cycle& cycle, protocol::warp_phase&,
                                                sc_core::sc_time&) {
                cycle.decision.valid = picks;
                cycle.decision.warp = warp_slot(s);
                return tlm::TLM_COMPLETED;
            };
        }
        smx.schedulers = 2;
    }
    /// A cycle of the turns; what issues, by scheduler and warp.
    std::vector<std::pair<unsigned, unsigned>> cycle(scheduler_turns& turns, std::uint64_t edge) {
        if (edge == 0) {
            sc_core::sc_start(sc_core::SC_ZERO_TIME);
            ports.connect();
            four_ports.connect();
        }
        issued.clear();
        held_back = turns.cycle(edge, readiness.refresh(), false, events,
                                [&](unsigned s, unsigned warp) { issued.emplace_back(s, warp); });
        return issued;
    }
    /// These warps, whose buffers are full, wait for instructions.
    void empty(protocol::warp_mask warps) {
        bits::for_each(warps, [&](unsigned warp) {
            paths.buffers().take(warp);
            paths.buffers().take(warp);
        });
        readiness.touch(warps);
    }
    scheduler_turns make() { return {smx, 4, ports, readiness, rig.unit(), blocks.faults()}; }

    static constexpr isa::lane_mask full_warp = 0xffffffff;
    program::kernel_code code;
    smx_configuration smx;
    issue_table table;
    warp_paths paths{4, 2};
    warp_waits waits;
    scoreboard results;
    warp_events events;
    warp_readiness readiness{
        4, memory_classification::opcode, {paths, table, blocks, waits, results}};
    lsu_rig rig{"rig", domain, {}};
    protocol::testing::scripted_initiator<warp_link> smx_end[4]{
        protocol::testing::scripted_initiator<warp_link>("smx_0"),
        protocol::testing::scripted_initiator<warp_link>("smx_1"),
        protocol::testing::scripted_initiator<warp_link>("smx_2"),
        protocol::testing::scripted_initiator<warp_link>("smx_3")};
    protocol::testing::scripted_target<warp_link> scheduler[4]{
        protocol::testing::scripted_target<warp_link>("scheduler_0"),
        protocol::testing::scripted_target<warp_link>("scheduler_1"),
        protocol::testing::scripted_target<warp_link>("scheduler_2"),
        protocol::testing::scripted_target<warp_link>("scheduler_3")};
    scheduler_ports ports{
        sm_id(0), {{&smx_end[0].socket, 0b0101}, {&smx_end[1].socket, 0b1010}}, false};
    /// A warp each.
    scheduler_ports four_ports{sm_id(0),
                               {{&smx_end[0].socket, 0b0001},
                                {&smx_end[1].socket, 0b0010},
                                {&smx_end[2].socket, 0b0100},
                                {&smx_end[3].socket, 0b1000}},
                               false};
    bool picks = true;
    bool held_back = false;
    std::vector<std::pair<unsigned, unsigned>> issued;
};

TEST_F(scheduler_turns_test, the_schedulers_take_turns_to_issue_their_second_first) {
    smx.dual_issue = true;
    scheduler_turns turns = make();
    EXPECT_THAT(cycle(turns, 0), ElementsAre(Pair(0, 0), Pair(1, 1), Pair(0, 0), Pair(1, 1)));
    EXPECT_THAT(cycle(turns, 1), ElementsAre(Pair(0, 0), Pair(1, 1), Pair(1, 1), Pair(0, 0)));
    EXPECT_EQ(turns.second_issues(), 4U);
}

TEST_F(scheduler_turns_test, a_policy_that_holds_its_warps_back_is_asked_again) {
    picks = false;
    scheduler_turns turns = make();
    EXPECT_TRUE(cycle(turns, 0).empty());
    EXPECT_TRUE(held_back) << "the next cycle may differ, although nothing has changed";
    EXPECT_EQ(turns.account().current(0), cycle_cause::held_back);
    picks = true;
    EXPECT_THAT(cycle(turns, 1), ElementsAre(Pair(0, 0), Pair(1, 1)));
    EXPECT_FALSE(held_back);
}

TEST_F(scheduler_turns_test, each_scheduler_has_its_turn_within_an_issue_interval) {
    smx.issue_interval = 4;
    scheduler_turns turns = make();
    EXPECT_THAT(cycle(turns, 0), ElementsAre(Pair(0, 0)));
    EXPECT_EQ(turns.next_due(0), 1U) << "the other one's turn";
    EXPECT_THAT(cycle(turns, 1), ElementsAre(Pair(1, 1)));
    EXPECT_TRUE(cycle(turns, 2).empty());
    EXPECT_FALSE(held_back);
    EXPECT_EQ(turns.next_due(2), 4U) << "nobody has a turn in 3";
    EXPECT_THAT(cycle(turns, 4), ElementsAre(Pair(0, 0)));
    for (const auto& [edge, next] :
         {std::pair(0U, 1U), std::pair(1U, 4U), std::pair(3U, 4U), std::pair(4U, 5U)}) {
        EXPECT_EQ(turns.next_turn(edge), next) << edge;
    }
}

TEST_F(scheduler_turns_test, more_schedulers_than_cycles_of_an_interval_share_its_edges) {
    smx.issue_interval = 2;
    smx.schedulers = 4;
    scheduler_turns turns{smx, 4, four_ports, readiness, rig.unit(), blocks.faults()};
    EXPECT_THAT(cycle(turns, 0), ElementsAre(Pair(0, 0), Pair(2, 2)));
    EXPECT_THAT(cycle(turns, 1), ElementsAre(Pair(1, 1), Pair(3, 3)));
    empty(0b0111);
    EXPECT_TRUE(cycle(turns, 2).empty());
    turns.foresee();
    EXPECT_EQ(turns.next_due(2), 3U) << "the turn of scheduler 3";
    EXPECT_THAT(cycle(turns, 3), ElementsAre(Pair(3, 3)));
}

TEST_F(scheduler_turns_test, a_scheduler_hears_of_its_warps_out_of_its_turn) {
    smx.issue_interval = 4;
    scheduler_turns turns = make();
    std::vector<protocol::warp_mask> offered;
    scheduler[1].on_forward = [&](protocol::warp_cycle& cycle, protocol::warp_phase&,
                                  sc_core::sc_time&) {
        EXPECT_EQ(cycle.status.memory_done, 0b0010U);
        offered.push_back(cycle.status.issuable);
        cycle.decision.valid = false;
        return tlm::TLM_COMPLETED;
    };
    events.memory_done = 0b0010;
    EXPECT_THAT(cycle(turns, 0), ElementsAre(Pair(0, 0)));
    EXPECT_THAT(offered, ElementsAre(0U)) << "it may not issue before its turn";
}

TEST_F(scheduler_turns_test, a_turn_without_ready_warps_is_due_where_its_cycles_count_as_another) {
    smx.issue_interval = 4;
    scheduler_turns turns = make();
    cycle(turns, 0);
    cycle(turns, 1);
    empty(0b1111);
    EXPECT_TRUE(cycle(turns, 2).empty());
    EXPECT_EQ(turns.next_due(2), 4U);
    EXPECT_EQ(turns.account().current(0), cycle_cause::issued) << "as of its last turn";
    EXPECT_TRUE(cycle(turns, 4).empty());
    EXPECT_EQ(turns.account().current(0), cycle_cause::fetch);
    EXPECT_EQ(turns.next_due(4), 5U) << "the other scheduler has not had its turn";
    EXPECT_TRUE(cycle(turns, 5).empty());
    EXPECT_EQ(turns.account().current(1), cycle_cause::fetch);
    EXPECT_EQ(turns.next_due(5), execution_units::never);
}

TEST_F(scheduler_turns_test, turns_without_ready_warps_are_foreseen) {
    smx.issue_interval = 4;
    scheduler_turns turns = make();
    cycle(turns, 0);
    cycle(turns, 1);
    // Those of scheduler 0 wait for instructions, one of scheduler 1 is ready.
    empty(0b1101);
    EXPECT_TRUE(cycle(turns, 2).empty());
    turns.foresee();
    EXPECT_EQ(turns.next_due(2), 5U) << "the turn of the scheduler that has a ready warp";
    EXPECT_EQ(turns.account().total(0, cycle_cause::issued, 4), 4U);
    EXPECT_EQ(turns.account().total(0, cycle_cause::issued, 9), 4U);
    EXPECT_EQ(turns.account().total(0, cycle_cause::fetch, 9), 5U);
    EXPECT_EQ(turns.account().total(1, cycle_cause::fetch, 9), 0U);
    // They are ready again before the turn that was foreseen.
    paths.buffers().fill(0, 2);
    readiness.touch(0b0001);
    EXPECT_TRUE(cycle(turns, 3).empty());
    EXPECT_THAT(cycle(turns, 4), ElementsAre(Pair(0, 0)));
    EXPECT_EQ(turns.account().total(0, cycle_cause::fetch, 9), 0U);
}

TEST_F(scheduler_turns_test, nothing_is_foreseen_where_cycles_are_watched) {
    smx.issue_interval = 4;
    scheduler_turns turns = make();
    EXPECT_TRUE(turns.foresees());
    turns.foresee_nothing();
    cycle(turns, 0);
    cycle(turns, 1);
    empty(0b1111);
    cycle(turns, 2);
    turns.foresee();
    EXPECT_EQ(turns.next_due(2), 4U);
    EXPECT_EQ(turns.account().total(0, cycle_cause::issued, 9), 9U);
}

}  // namespace
}  // namespace heddle
