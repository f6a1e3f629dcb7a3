// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// An SMX scheduler whose blocks leave and come back: suspended, preempted, cooperative.
#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "hw/smx_scheduler/smx_scheduler.h"
#include "tb/kit/tlm_slots.h"
#include "tests/hw/protocol/scripted_link.h"

namespace heddle {
namespace {

using protocol::block_dispatch;
using protocol::block_outcome;
using protocol::block_phase;
using protocol::cooperation_answer;
using protocol::cooperation_call;
using protocol::cooperation_phase;
using protocol::cooperation_request;
using protocol::kde_event;
using protocol::kde_phase;
using protocol::kde_update;
using protocol::kernel_launch;
using testing::ElementsAre;
using testing::IsEmpty;

/// Two SMXs with 16 warps and 4 blocks each.
machine_configuration small_machine(bool preempt) {
    machine_configuration m;
    m.smx_count = 2;
    m.smx.max_blocks = 4;
    m.smx.max_threads = 512;
    m.launch.enabled = true;
    m.coop.preempt = preempt;
    m.coop.latency = 1;
    return m;
}

struct bench {
    static constexpr unsigned smxs = 2;

    explicit bench(bool preempt = false)
        : machine(small_machine(preempt)),
          dut("scheduler", core, {}, machine, 4,
              {tlm_slots<kde_chain_traits>(core, status),
               tlm_slots<group_allocator_traits>(core, status)},
              nullptr, {&runtime, {}, true}) {
        distributor.socket.bind(dut.kernel_ready_socket);
        dut.block_update_socket.bind(updates.socket);
        updates.on_forward = [this](kde_update& u, kde_phase&, sc_core::sc_time&) {
            told.push_back(u.event);
            return tlm::TLM_COMPLETED;
        };
        dut.groups()->group_socket.bind(kmu.socket);
        kmu.on_forward = [this](kde_update& u, kde_phase&, sc_core::sc_time&) {
            if (u.event == kde_event::block_suspended) suspended.emplace_back(&u);
            if (u.event == kde_event::group_finished) finished.push_back(u.launch.value());
            return tlm::TLM_COMPLETED;
        };
        over.socket.bind(dut.groups()->over_socket);
        dut.groups()->memory_socket.bind(memory.socket);
        for (unsigned i = 0; i < smxs; ++i) {
            const std::string number = std::to_string(i);
            smx& s = *smx_.emplace_back(std::make_unique<smx>(number));
            dut.smxs().block_socket.bind(s.blocks.socket);
            s.blocks.on_forward = [this](block_dispatch& b, block_phase& phase, sc_core::sc_time&) {
                blocks.emplace_back(&b);
                phase = block_phase::started;
                return tlm::TLM_UPDATED;
            };
            s.calls.socket.bind(dut.cooperation().cooperation_socket);
            s.calls.on_backward = [](cooperation_call&, cooperation_phase&, sc_core::sc_time&) {
                return tlm::TLM_COMPLETED;
            };
            s.groups.socket.bind(dut.groups()->aggregation_socket);
            dut.smxs().preempt_socket.bind(s.preempted.socket);
            s.preempted.on_forward = [](kde_update&, kde_phase&, sc_core::sc_time&) {
                return tlm::TLM_COMPLETED;
            };
        }
        sc_core::sc_start(500, sc_core::SC_PS);  // between edge 0 and edge 1
    }
    static void run(double edges) { sc_core::sc_start(edges, sc_core::SC_NS); }

    pool_ptr<kernel_launch> ready(unsigned id, unsigned entry, unsigned grid, unsigned threads,
                                  bool cooperative = false, std::uint32_t priority = 0) {
        pool_ptr<kernel_launch> launch = launches.make();
        launch->launch = launch_id(id);
        entries[launch->launch] = kde_index(entry);
        launch->grid.x = grid;
        launch->block.x = threads;
        launch->per_block.threads = threads;
        launch->cooperative = cooperative;
        launch->priority = priority;
        send(distributor, kde_event::kernel_ready, launch);
        run(10);
        return launch;
    }
    /// Its children have ended.
    void return_block(const kde_update& update) {
        send(over, kde_event::block_returns, update.kernel, update.suspended);
    }
    void send(protocol::testing::scripted_initiator<protocol::kde_link>& from, kde_event event,
              const pool_ptr<kernel_launch>& of, const protocol::launched_block& block = {}) {
        const pool_ptr<kde_update> update = made.make();
        update->launch = of->launch;
        update->kde = entries[of->launch];
        update->event = event;
        update->kernel = of;
        update->suspended = block;
        kde_phase phase = kde_phase::update;
        sc_core::sc_time delay;
        (void)from.socket->nb_transport_fw(*update, phase, delay);
    }
    /// The block leaves its SMX.
    void done(std::size_t block, block_outcome outcome = block_outcome::completed) {
        block_dispatch& b = *blocks[block];
        b.outcome = outcome;
        if (comes_back(outcome)) b.saved = {0xc800'0000, 400};
        block_phase phase = block_phase::done;
        sc_core::sc_time delay;
        (void)smx_[b.sm.value()]->blocks.socket->nb_transport_bw(b, phase, delay);
        run(2);
    }
    pool_ptr<cooperation_call> call(std::size_t block, cooperation_request request) {
        const block_dispatch& b = *blocks[block];
        pool_ptr<cooperation_call> call = calls.make();
        call->launch = b.launch;
        call->block = b.block;
        call->sm = b.sm;
        call->slot = b.slot;
        call->request = request;
        cooperation_phase phase = cooperation_phase::request;
        sc_core::sc_time delay;
        (void)smx_[b.sm.value()]->calls.socket->nb_transport_fw(*call, phase, delay);
        run(5);
        return call;
    }
    /// Launch and number of the blocks that have been sent, from one on.
    [[nodiscard]] std::vector<std::pair<std::uint32_t, std::uint32_t>> sent(
        std::size_t from = 0) const {
        std::vector<std::pair<std::uint32_t, std::uint32_t>> all;
        for (std::size_t i = from; i < blocks.size(); ++i) {
            all.emplace_back(blocks[i]->launch.value(), blocks[i]->block);
        }
        return all;
    }
    [[nodiscard]] std::size_t count(kde_event event) const {
        return static_cast<std::size_t>(std::count(told.begin(), told.end(), event));
    }

    struct smx {
        explicit smx(const std::string& number)
            : blocks(("blocks_" + number).c_str()),
              calls(("calls_" + number).c_str()),
              groups(("groups_" + number).c_str()),
              preempted(("preempted_" + number).c_str()) {}
        protocol::testing::scripted_target<protocol::block_link> blocks;
        protocol::testing::scripted_initiator<protocol::cooperation_link> calls;
        protocol::testing::scripted_initiator<protocol::aggregation_link> groups;
        protocol::testing::scripted_target<protocol::kde_link> preempted;
    };

    protocol::testing::report_catcher catcher;
    clock_domain core{"core", frequency::megahertz(1000)};
    machine_configuration machine;
    launch_table table;
    device_runtime runtime{machine, table};
    protocol::testing::scripted_initiator<protocol::kde_link> distributor{"distributor"};
    protocol::testing::scripted_initiator<protocol::kde_link> over{"over"};
    protocol::testing::scripted_target<protocol::kde_link> updates{"updates"};
    protocol::testing::scripted_target<protocol::kde_link> kmu{"kmu"};
    protocol::testing::scripted_target<protocol::memory_link> memory{"memory"};
    std::vector<std::unique_ptr<smx>> smx_;
    run_status status;
    smx_scheduler dut;
    pool<kernel_launch> launches{"launches"};
    pool<kde_update> made{"updates"};
    pool<cooperation_call> calls{"calls"};
    std::vector<pool_ptr<block_dispatch>> blocks;
    std::vector<pool_ptr<kde_update>> suspended;
    std::map<launch_id, kde_index> entries;  ///< that kernels have joined
    std::vector<std::uint32_t> finished;
    std::vector<kde_event> told;
};

TEST(returning_blocks, need_no_entry) {
    bench b;
    (void)b.ready(1, 0, 2, 32);
    b.done(0, block_outcome::suspended);
    b.done(1, block_outcome::suspended);
    EXPECT_EQ(b.count(kde_event::block_finished), 2U) << "the entry is released";
    (void)b.ready(2, 0, 1, 32);  // it is another one's
    const std::size_t before = b.told.size();
    b.return_block(*b.suspended[0]);
    b.return_block(*b.suspended[1]);
    b.run(5);
    EXPECT_THAT(b.sent(3), ElementsAre(std::pair(1U, 0U), std::pair(1U, 1U)));
    EXPECT_EQ(b.blocks[3]->kde, protocol::no_kde);
    EXPECT_EQ(b.blocks[3]->context, b.blocks[0]->context) << "its private memory";
    EXPECT_EQ(b.blocks[3]->saved.bytes, 400U);
    EXPECT_TRUE(b.blocks[3]->invalidate_l1);
    b.done(3);
    EXPECT_THAT(b.finished, IsEmpty());
    b.done(4);
    EXPECT_THAT(b.finished, ElementsAre(1));
    EXPECT_EQ(b.told.size(), before) << "no entry has heard of it";
    b.done(2);
    EXPECT_TRUE(b.dut.empty());
    EXPECT_THAT(protocol::testing::report_catcher::ids(), IsEmpty());
}

TEST(returning_blocks, go_before_launches_of_their_priority_and_behind_higher_ones) {
    bench b;
    (void)b.ready(1, 0, 1, 512);
    (void)b.ready(2, 1, 1, 512);
    b.done(0, block_outcome::suspended);
    (void)b.ready(3, 0, 1, 512);
    (void)b.ready(4, 2, 1, 512, false, 1);
    (void)b.ready(5, 3, 1, 512);
    b.return_block(*b.suspended[0]);
    b.run(5);
    EXPECT_EQ(b.blocks.size(), 3U) << "both SMXs are full";
    b.done(1);
    b.done(2);
    b.run(5);
    EXPECT_THAT(b.sent(3), ElementsAre(std::pair(4U, 0U), std::pair(1U, 0U)));
    b.done(3);
    b.run(5);
    EXPECT_THAT(b.sent(5), ElementsAre(std::pair(5U, 0U)));
}

TEST(returning_blocks, without_room_hold_up_who_comes_behind_them) {
    bench b;
    (void)b.ready(1, 0, 1, 512);
    b.done(0, block_outcome::suspended);
    (void)b.ready(2, 0, 2, 256);
    b.return_block(*b.suspended[0]);
    b.run(5);
    (void)b.ready(3, 1, 1, 32);
    ASSERT_EQ(b.blocks.size(), 3U) << "256 threads are free on each SMX";
    EXPECT_THAT(b.dut.waiting_for(),
                testing::HasSubstr("1 suspended blocks to come back; block 0 of launch 1 and all "
                                   "that come later wait for threads"));
    b.done(2);
    b.run(5);
    EXPECT_THAT(b.sent(3), ElementsAre(std::pair(1U, 0U), std::pair(3U, 0U)));
    EXPECT_EQ(b.blocks[3]->sm, b.blocks[2]->sm);
}

/// A launch that has begun with all that it can get would else wait for one that waits for it.
TEST(returning_blocks, of_cooperative_launches_keep_their_room) {
    bench b;
    (void)b.ready(1, 0, 5, 256, true);
    ASSERT_EQ(b.blocks.size(), 4U);
    b.done(2, block_outcome::suspended);
    b.done(3, block_outcome::suspended);
    (void)b.ready(2, 1, 4, 256, true);
    EXPECT_THAT(b.sent(4), ElementsAre(std::pair(2U, 0U))) << "the first block alone";
    b.done(4);
    EXPECT_EQ(b.call(0, cooperation_request::request_fork)->forked, 0U);
    b.return_block(*b.suspended[0]);
    b.return_block(*b.suspended[1]);
    b.run(5);
    EXPECT_THAT(b.sent(5), ElementsAre(std::pair(1U, 2U), std::pair(1U, 3U)));
}

/// The entry has been released, and is another launch's by now.
TEST(returning_blocks, fork_without_an_entry) {
    bench b;
    (void)b.ready(1, 0, 5, 256, true);
    ASSERT_EQ(b.blocks.size(), 4U);
    for (std::size_t i = 0; i < 4; ++i) b.done(i, block_outcome::suspended);
    (void)b.ready(2, 0, 1, 32);
    for (const auto& block : b.suspended) b.return_block(*block);
    b.run(5);
    ASSERT_EQ(b.blocks.size(), 8U) << "there is room for three";
    const std::size_t before = b.told.size();
    for (std::size_t i = 5; i < 8; ++i) b.done(i);
    ASSERT_EQ(b.blocks.size(), 9U);
    EXPECT_EQ(b.call(8, cooperation_request::request_fork)->forked, 1U);
    b.run(5);
    EXPECT_THAT(b.sent(9), ElementsAre(std::pair(1U, 4U)));
    EXPECT_EQ(b.blocks[9]->kde, protocol::no_kde);
    b.done(8);
    b.done(9);
    EXPECT_THAT(b.finished, ElementsAre(1));
    EXPECT_EQ(b.told.size(), before) << "nothing is said of the other launch";
    b.done(4);
    EXPECT_TRUE(b.dut.empty());
    EXPECT_THAT(protocol::testing::report_catcher::ids(), IsEmpty());
}

TEST(cooperative_blocks, one_place_is_enough_to_begin) {
    bench b;
    (void)b.ready(1, 0, 4, 256, true);
    (void)b.ready(2, 1, 3, 256, true);
    EXPECT_EQ(b.call(3, cooperation_request::offer_kill)->answer, cooperation_answer::die);
    EXPECT_EQ(b.call(2, cooperation_request::offer_kill)->answer, cooperation_answer::go_on)
        << "one is about to end";
    b.done(3, block_outcome::killed);
    b.run(5);
    EXPECT_THAT(b.sent(4), ElementsAre(std::pair(2U, 0U)));
    EXPECT_EQ(b.call(2, cooperation_request::offer_kill)->answer, cooperation_answer::go_on)
        << "the others hold nobody up";
}

TEST(cooperative_blocks, do_not_fork_while_others_are_away) {
    bench b(true);
    (void)b.ready(1, 0, 1, 256);
    (void)b.ready(2, 1, 4, 256, true);
    ASSERT_EQ(b.blocks.size(), 4U);
    (void)b.ready(3, 2, 1, 256, false, 1);  // takes the place of the oldest launch
    b.done(0, block_outcome::preempted);
    b.run(5);
    EXPECT_THAT(b.sent(4), ElementsAre(std::pair(3U, 0U)));
    b.done(2);  // a block of the cooperative launch returns, and its place is free
    EXPECT_EQ(b.call(1, cooperation_request::request_fork)->forked, 0U);
    b.done(4);
    b.run(5);
    EXPECT_THAT(b.sent(5), ElementsAre(std::pair(1U, 0U)));
    EXPECT_EQ(b.call(1, cooperation_request::request_fork)->forked, 1U);
}

TEST(returning_blocks, that_were_preempted_wait_until_no_higher_launch_is_left) {
    bench b(true);
    (void)b.ready(1, 0, 2, 512);
    (void)b.ready(2, 1, 1, 256, false, 1);
    b.done(0, block_outcome::preempted);
    b.done(1, block_outcome::preempted);
    b.run(20);
    EXPECT_THAT(b.sent(2), ElementsAre(std::pair(2U, 0U))) << "the other SMX is empty";
    b.done(2);
    b.run(5);
    EXPECT_THAT(b.sent(3), ElementsAre(std::pair(1U, 0U), std::pair(1U, 1U)));
}

/// Regions of blocks that are away are not free, and are no more when they are back.
TEST(returning_blocks, give_back_the_room_of_their_private_memory) {
    bench b(true);
    for (unsigned time = 0; time < 40; ++time) {
        const std::size_t first = b.blocks.size();
        (void)b.ready(2 * time + 1, 0, 2, 512);
        (void)b.ready(2 * time + 2, 1, 1, 512, false, 1);
        b.done(first, block_outcome::preempted);
        b.done(first + 1, block_outcome::preempted);
        b.run(5);
        b.done(first + 2);
        b.run(5);
        ASSERT_EQ(b.blocks.size(), first + 5);
        b.done(first + 3);
        b.done(first + 4);
    }
    // There are 32 regions. Blocks of four warps have them all, and each second block is on the
    // same SMX: two that end make room for eight warps there, but not beside each other.
    const std::size_t fours = b.blocks.size();
    (void)b.ready(101, 0, 8, 128);
    ASSERT_EQ(b.blocks.size(), fours + 8);
    b.done(fours);
    b.done(fours + 2);
    (void)b.ready(102, 1, 1, 256);
    EXPECT_EQ(b.blocks.size(), fours + 8);
    b.done(fours + 1);
    b.run(5);
    ASSERT_EQ(b.blocks.size(), fours + 9);
    EXPECT_EQ(b.blocks.back()->context.value(), 0U);
}

}  // namespace
}  // namespace heddle
