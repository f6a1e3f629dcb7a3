// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx_scheduler/cooperation/cooperation_side.h"

#include <gmock/gmock.h>

#include <memory>
#include <vector>

#include "hw/smx_scheduler/chain/fcfs_chain.h"
#include "tests/hw/protocol/scripted_link.h"

namespace heddle {
namespace {

using protocol::cooperation_answer;
using protocol::cooperation_call;
using protocol::cooperation_phase;
using protocol::cooperation_request;

/// The parts of a scheduler with one SMX, which holds three blocks.
struct small_scheduler final : sc_core::sc_module, clocked {
    small_scheduler(const sc_core::sc_module_name& name, clock_domain& domain,
                    const cooperation_configuration& keys)
        : sc_module(name),
          clocked(domain, sc_module::name()),
          entries(order, updates.socket, "updates"),
          dut({*this, 1, 8, keys, demand, forked, preempted}) {
        updates.socket.bind(distributor.socket);
    }
    void evaluate() override { (void)dut.cycle(); }
    [[nodiscard]] activity update() override { return activity::idle; }

    machine_configuration machine = [] {
        machine_configuration m;
        m.smx_count = 1;
        m.smx.max_blocks = 3;
        return m;
    }();
    protocol::testing::scripted_initiator<protocol::kde_link> updates{"updates"};
    protocol::testing::scripted_target<protocol::kde_link> distributor{"distributor"};
    launch_progress progress;
    launch_order order{std::make_unique<fcfs_chain>(4), 4, 1, progress, true};
    entry_updates entries;
    block_room room{machine, true};
    preemption preempted{1, 8, true};
    returning_blocks returning{order, preempted, room.reserve()};
    forked_blocks forked{order, progress, entries};
    distribution_counts counts;
    room_demand demand{{order, progress, room, returning, forked, preempted, counts}};
    cooperation_side dut;
};

class cooperation_side_test : public testing::Test {
protected:
    cooperation_side_test() {
        smx_.socket.bind(dut_.cooperation_socket);
        smx_.on_backward = [](cooperation_call&, cooperation_phase&, sc_core::sc_time&) {
            return tlm::TLM_COMPLETED;
        };
        sc_core::sc_start(500, sc_core::SC_PS);
        launch_->launch = launch_id(1);
        launch_->grid = {6, 1, 1};
        launch_->per_block.threads = 32;
    }
    /// The launch begins with two blocks.
    void begin() {
        scheduler_.progress.begin(launch_id(1), kde_index(0), 2);
        dut_.begin(launch_, 2);
    }
    /// A block is told to leave, and asks then.
    void leave(std::uint32_t block) {
        told_.launch = launch_id(1);
        told_.kernel = launch_;
        told_.sm = sm_id(0);
        told_.slot = block_slot(block);
        scheduler_.preempted.placed(told_, 0);
        (void)scheduler_.preempted.tell(launch_, 0);
        EXPECT_EQ(call(block, cooperation_request::arrive_resizing)->answer,
                  cooperation_answer::leave);
    }
    /// It is on its SMX again.
    void come_back() {
        told_.outcome = protocol::block_outcome::preempted;
        scheduler_.preempted.goes_away(launch_id(1));
        scheduler_.preempted.left(told_, 1);
        scheduler_.preempted.comes_back(launch_id(1));
        scheduler_.preempted.placed(told_, 2);
    }
    /// A call of a block, and a cycle in which it is answered unless it waits.
    pool_ptr<cooperation_call> call(std::uint32_t block, cooperation_request request) {
        pool_ptr<cooperation_call> made = calls_.make();
        made->launch = launch_id(1);
        made->block = block;
        made->slot = block_slot(block);
        made->request = request;
        cooperation_phase phase = cooperation_phase::request;
        sc_core::sc_time delay;
        (void)smx_.socket->nb_transport_fw(*made, phase, delay);
        sc_core::sc_start(3, sc_core::SC_NS);
        return made;
    }

    cooperation_configuration keys_ = [] {
        cooperation_configuration keys;
        keys.latency = 1;
        return keys;
    }();
    clock_domain core_{"core", frequency::megahertz(1000)};
    small_scheduler scheduler_{"scheduler", core_, keys_};
    cooperation_side& dut_ = scheduler_.dut;
    protocol::testing::scripted_initiator<protocol::cooperation_link> smx_{"smx"};
    pool<protocol::kernel_launch> launches_{"launches"};
    pool<cooperation_call> calls_{"calls"};
    cooperation_side::launch_ptr launch_ = launches_.make();
    protocol::block_dispatch told_;
};

/// Block 0 is on its SMX again and fetches its state when the last one comes to the barrier.
TEST_F(cooperation_side_test, an_absent_block_0_is_told_of_forks) {
    begin();
    leave(0);
    come_back();
    const auto other = call(1, cooperation_request::arrive_resizing);
    EXPECT_EQ(other->answer, cooperation_answer::go_on);
    EXPECT_EQ(other->forked, 0U);
    std::vector<std::uint32_t> forked;
    for (const auto& block : scheduler_.forked.remove(launch_id(1))) forked.push_back(block.block);
    EXPECT_THAT(forked, testing::ElementsAre(2, 3, 4)) << "as many as there is room for";
    const auto back = call(0, cooperation_request::come_back);
    EXPECT_EQ(back->answer, cooperation_answer::go_on);
    EXPECT_EQ(back->forked, 3U);
    EXPECT_EQ(back->groups, 5U);
}

TEST_F(cooperation_side_test, forks_nothing_while_a_block_is_away) {
    begin();
    leave(0);
    EXPECT_EQ(call(1, cooperation_request::arrive_resizing)->answer, cooperation_answer::go_on);
    EXPECT_TRUE(scheduler_.forked.empty());
}

TEST_F(cooperation_side_test, an_absent_block_is_told_that_it_ends) {
    begin();
    leave(1);
    come_back();
    // A suspended block that no SMX has room for.
    protocol::launched_block large;
    large.launch = launch_id(2);
    large.kernel = launches_.make();
    large.kernel->per_block.threads = 1U << 20;
    scheduler_.returning.add(large, protocol::block_outcome::suspended);
    EXPECT_EQ(call(0, cooperation_request::arrive_resizing)->answer, cooperation_answer::go_on);
    EXPECT_EQ(call(1, cooperation_request::come_back)->answer, cooperation_answer::die);
    EXPECT_EQ(dut_.dying(), 1U);
    told_.outcome = protocol::block_outcome::completed;
    dut_.block_ended(told_, false);
    EXPECT_EQ(dut_.dying(), 1U) << "that was another one";
    told_.outcome = protocol::block_outcome::killed;
    dut_.block_ended(told_, false);
    EXPECT_EQ(dut_.dying(), 0U);
}

TEST_F(cooperation_side_test, the_blocks_of_all_launches_are_active) {
    begin();
    const auto other = launches_.make();
    other->launch = launch_id(2);
    other->grid = {4, 1, 1};
    dut_.begin(other, 3);
    EXPECT_EQ(dut_.counts().groups(), 5U);
    told_.launch = launch_id(1);
    dut_.block_ended(told_, true);
    EXPECT_EQ(dut_.counts().groups(), 3U);
}

TEST_F(cooperation_side_test, no_blocks_are_active_when_the_launch_has_ended) {
    begin();
    EXPECT_EQ(dut_.counts().groups(), 2U);
    const std::uint64_t begun = core_.edge();
    sc_core::sc_start(10, sc_core::SC_NS);
    told_.launch = launch_id(1);
    dut_.block_ended(told_, false);
    EXPECT_TRUE(dut_.knows(launch_id(1)));
    dut_.block_ended(told_, true);
    EXPECT_FALSE(dut_.knows(launch_id(1)));
    EXPECT_EQ(dut_.counts().groups(), 0U);
    EXPECT_EQ(dut_.counts().busy_cycles(begun + 1000), core_.edge() - begun);
}

}  // namespace
}  // namespace heddle
