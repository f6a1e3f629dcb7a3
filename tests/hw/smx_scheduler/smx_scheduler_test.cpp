// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx_scheduler/smx_scheduler.h"

#include <gmock/gmock.h>

#include <string>
#include <utility>
#include <vector>

#include "tb/kit/tlm_slots.h"
#include "tests/hw/protocol/scripted_link.h"

namespace heddle {
namespace {

using protocol::block_dispatch;
using protocol::block_phase;
using protocol::kde_event;
using protocol::kde_phase;
using protocol::kde_update;
using protocol::kernel_launch;
using protocol::testing::report_catcher;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

machine_configuration machine() {
    machine_configuration m;
    m.smx_count = 2;
    m.smx.max_blocks = 2;
    m.smx.max_threads = 256;
    return m;
}

/// An SMX scheduler with everything around it scripted; edge k lies at k ns.
struct bench {
    explicit bench(const smx_scheduler_configuration& configuration = {})
        : dut("scheduler", core, configuration, machine(), 4,
              {tlm_slots<kde_chain_traits>(core, status),
               tlm_slots<group_allocator_traits>(core, status)}) {
        distributor.socket.bind(dut.kernel_ready_socket);
        dut.block_update_socket.bind(updates.socket);
        updates.on_forward = [this](kde_update& u, kde_phase&, sc_core::sc_time&) {
            told.emplace_back(core.edge(), u.event);
            return tlm::TLM_COMPLETED;
        };
        for (auto* smx : {&smx_0, &smx_1}) {
            dut.smxs().block_socket.bind(smx->socket);
            smx->on_forward = [this](block_dispatch& b, block_phase&, sc_core::sc_time&) {
                dispatched.emplace_back(core.edge(), b.block);
                blocks.emplace_back(&b);
                return tlm::TLM_ACCEPTED;
            };
        }
        sc_core::sc_start(500, sc_core::SC_PS);  // between edge 0 and edge 1
    }
    static void run(double edges) { sc_core::sc_start(edges, sc_core::SC_NS); }
    kernel_launch& ready(unsigned id, unsigned grid, unsigned threads = 32, unsigned priority = 0) {
        const pool_ptr<kernel_launch> launch = launches.make();
        launch->launch = protocol::launch_id(id);
        launch->kernel_name = "scripted";
        launch->priority = priority;
        launch->grid.x = grid;
        launch->block.x = threads;
        launch->per_block.threads = (threads + 31) / 32 * 32;
        const pool_ptr<kde_update> update = readies.make();
        update->launch = launch->launch;
        update->kde = kde_index(id - 1);
        update->kernel = launch;
        kde_phase phase = kde_phase::update;
        sc_core::sc_time delay;
        (void)distributor.socket->nb_transport_fw(*update, phase, delay);
        return *launch;
    }
    void answer(unsigned block, block_phase phase,
                protocol::block_outcome outcome = protocol::block_outcome::completed) {
        block_dispatch& b = *blocks[block];
        if (phase == block_phase::done) {
            b.outcome = outcome;
        }
        auto& smx = b.sm == sm_id(0) ? smx_0 : smx_1;
        sc_core::sc_time delay;
        (void)smx.socket->nb_transport_bw(b, phase, delay);
    }
    [[nodiscard]] std::uint64_t count(const std::string& name) const {
        statistics all;
        dut.collect(all, "s");
        return std::get<std::uint64_t>(all.find(name)->value);
    }

    report_catcher catcher;
    clock_domain core{"core", frequency::megahertz(1000)};
    protocol::testing::scripted_initiator<protocol::kde_link> distributor{"distributor"};
    protocol::testing::scripted_target<protocol::kde_link> updates{"updates"};
    protocol::testing::scripted_target<protocol::block_link> smx_0{"smx_0"};
    protocol::testing::scripted_target<protocol::block_link> smx_1{"smx_1"};
    run_status status;
    smx_scheduler dut;
    pool<kernel_launch> launches{"launches"};
    pool<kde_update> readies{"readies"};
    std::vector<std::pair<std::uint64_t, std::uint32_t>> dispatched;  // edge, block
    std::vector<std::pair<std::uint64_t, kde_event>> told;
    std::vector<pool_ptr<block_dispatch>> blocks;
};

TEST(smx_scheduler, a_grid_of_one_block) {
    bench b;
    b.ready(1, 1);
    EXPECT_TRUE(b.dispatched.empty());
    b.run(1);
    EXPECT_THAT(b.dispatched, ElementsAre(Pair(1, 0)));
    EXPECT_THAT(b.told, ElementsAre(Pair(1, kde_event::block_started),
                                    Pair(1, kde_event::blocks_exhausted)));
    EXPECT_TRUE(b.blocks[0]->invalidate_l1);
    b.run(9);
    b.answer(0, block_phase::started);
    b.run(1);
    b.answer(0, block_phase::done);
    EXPECT_FALSE(b.dut.empty());
    b.run(1);
    EXPECT_EQ(b.told.back(), std::make_pair(std::uint64_t{12}, kde_event::block_finished));
    EXPECT_TRUE(b.dut.empty());
    EXPECT_EQ(b.count("launch.count"), 1U);
    statistics all;
    b.dut.collect(all, "s");
    // Launched at time 0; the SMX said started between the edges 10 and 11.
    EXPECT_EQ(std::get<histogram>(all.find("launch.waiting_time")->value).sum(), 10U);
}

TEST(smx_scheduler, one_block_a_cycle_and_the_next_one_after_started) {
    bench b;
    b.ready(1, 4);
    b.run(1);
    EXPECT_THAT(b.dispatched, ElementsAre(Pair(1, 0)));
    b.run(1);
    EXPECT_THAT(b.dispatched, ElementsAre(Pair(1, 0), Pair(2, 1)));
    EXPECT_EQ(b.blocks[1]->sm, sm_id(1));
    b.run(10);  // neither SMX has started its block
    EXPECT_EQ(b.dispatched.size(), 2U);
    EXPECT_EQ(b.count("s.stall_handshake"), 9U);  // edges 3 to 11; edge 12 is under way
    EXPECT_THAT(b.dut.waiting_for(),
                HasSubstr("block 2 of launch 1 and all that come later wait for an SMX to start"));
    b.answer(1, block_phase::started);
    b.run(1);
    EXPECT_EQ(b.dispatched.back(), std::make_pair(std::uint64_t{13}, std::uint32_t{2}));
    EXPECT_EQ(b.blocks[2]->sm, sm_id(1));
    EXPECT_EQ(b.blocks[2]->slot, block_slot(1));
    EXPECT_FALSE(b.blocks[2]->invalidate_l1);  // the launch has been there
}

TEST(smx_scheduler, room_that_a_block_gives_back_is_used_at_once) {
    bench b;
    b.ready(1, 3, 256);  // one block fills an SMX
    b.run(2);
    b.answer(0, block_phase::started);
    b.answer(1, block_phase::started);
    b.run(20);
    EXPECT_EQ(b.dispatched.size(), 2U);
    EXPECT_EQ(b.count("s.stall_threads"), 19U);
    b.answer(1, block_phase::done);
    b.run(1);
    EXPECT_EQ(b.dispatched.back(), std::make_pair(std::uint64_t{23}, std::uint32_t{2}));
    EXPECT_EQ(b.blocks[2]->context, b.blocks[1]->context);  // its private memory, too
}

TEST(smx_scheduler, two_blocks_of_an_smx_that_end_together_are_taken_one_a_cycle) {
    bench b;
    b.ready(1, 4);
    b.run(2);
    b.answer(0, block_phase::started);
    b.answer(1, block_phase::started);
    b.run(3);
    ASSERT_EQ(b.blocks.size(), 4U);
    ASSERT_EQ(b.blocks[2]->sm, b.blocks[0]->sm);
    b.answer(2, block_phase::started);
    b.answer(0, block_phase::done);
    b.answer(2, block_phase::done);
    b.run(1);
    EXPECT_EQ(b.dut.finished_blocks(), 1U);
    b.run(1);
    EXPECT_EQ(b.dut.finished_blocks(), 2U);
}

TEST(smx_scheduler, kernels_share_an_smx_and_follow_one_another) {
    bench b;
    b.ready(1, 1);
    b.run(1);
    b.ready(2, 2);
    b.run(1);
    b.answer(0, block_phase::started);
    b.run(1);
    ASSERT_EQ(b.blocks.size(), 3U);
    EXPECT_EQ(b.blocks[1]->sm, sm_id(1));
    EXPECT_EQ(b.blocks[2]->sm, sm_id(0));
    EXPECT_EQ(b.blocks[2]->launch, protocol::launch_id(2));
    EXPECT_TRUE(b.blocks[2]->invalidate_l1);
}

TEST(smx_scheduler, a_cycle_that_places_a_block_is_no_stall) {
    smx_scheduler_configuration two;
    two.blocks_per_cycle = 2;
    bench b(two);
    b.ready(1, 5);
    b.run(1);  // one for each SMX
    EXPECT_EQ(b.dispatched.size(), 2U);
    b.answer(0, block_phase::started);
    b.run(1);  // SMX 0 takes another one, and SMX 1 has not started its own
    EXPECT_EQ(b.dispatched.size(), 3U);
    EXPECT_EQ(b.count("s.stall_handshake"), 0U);
    b.run(5);
    b.answer(1, block_phase::started);
    b.run(1);
    EXPECT_EQ(b.dispatched.size(), 4U);
    EXPECT_EQ(b.count("s.stall_handshake"), 5U) << "the cycles between them";
}

/// Without preemption a launch of higher priority goes before those that have not begun.
TEST(smx_scheduler, a_launch_of_higher_priority_waits_until_all_blocks_of_another_are_placed) {
    bench b;
    b.ready(1, 3);
    b.run(2);
    EXPECT_EQ(b.dispatched.size(), 2U);
    kernel_launch& low = b.ready(2, 1);
    b.run(1);
    kernel_launch& high = b.ready(3, 1, 32, 1);
    b.run(1);
    for (unsigned block = 0; block < 3; ++block) {
        b.answer(block, block_phase::started);
        b.answer(block, block_phase::done);
        b.run(2);
    }
    ASSERT_GE(b.blocks.size(), 4U);
    EXPECT_EQ(b.blocks[2]->launch, protocol::launch_id(1));
    EXPECT_EQ(b.blocks[3]->launch, high.launch);
    b.answer(3, block_phase::started);
    b.answer(3, block_phase::done);
    b.run(2);
    ASSERT_EQ(b.blocks.size(), 5U);
    EXPECT_EQ(b.blocks[4]->launch, low.launch);
}

TEST(smx_scheduler, a_kernel_that_no_smx_can_hold_is_reported) {
    bench b;
    b.ready(1, 1, 257);
    b.run(2);
    EXPECT_THAT(report_catcher::ids(), ElementsAre(smx_scheduler_report::illegal_kernel));
    EXPECT_THAT(report_catcher::text(), HasSubstr("launch 1 (kernel 'scripted') takes 288 thr"));
    EXPECT_TRUE(b.dispatched.empty());
}

TEST(smx_scheduler, answers_that_break_the_protocol_are_reported) {
    bench b;
    b.ready(1, 2);
    b.run(2);
    b.answer(0, block_phase::dispatch);
    EXPECT_EQ(report_catcher::ids().size(), 1U);
    b.answer(0, block_phase::started);
    b.answer(0, block_phase::started);
    EXPECT_EQ(report_catcher::ids().size(), 2U);
    // Its launch is not cooperative, it can't launch, and nobody has told it to leave.
    using protocol::block_outcome;
    for (const auto outcome : {block_outcome::running, block_outcome::killed,
                               block_outcome::suspended, block_outcome::preempted}) {
        b.answer(0, block_phase::done, outcome);
        b.run(1);
    }
    EXPECT_EQ(report_catcher::ids().size(), 6U);
    b.answer(1, block_phase::done);
    b.run(1);
    b.answer(1, block_phase::done);
    b.run(1);
    EXPECT_EQ(report_catcher::ids().size(), 7U);
    b.ready(2, 50);
    b.run(1);
    b.ready(2, 50);  // the entry has blocks to distribute
    b.run(1);
    EXPECT_EQ(report_catcher::ids().size(), 8U);
    EXPECT_THAT(report_catcher::ids(),
                testing::Each(testing::StrEq(smx_scheduler_report::protocol)));
}

}  // namespace
}  // namespace heddle
