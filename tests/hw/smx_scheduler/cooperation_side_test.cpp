// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx_scheduler/cooperation_side.h"

#include <gmock/gmock.h>

#include <vector>

#include "tests/hw/protocol/scripted_link.h"

namespace heddle {
namespace {

using protocol::cooperation_answer;
using protocol::cooperation_call;
using protocol::cooperation_phase;
using protocol::cooperation_request;

/// A scheduler that says what the test says.
struct scripted_scheduler final : sc_core::sc_module, clocked {
    scripted_scheduler(const sc_core::sc_module_name& name, clock_domain& domain,
                       const cooperation_configuration& keys)
        : sc_module(name),
          clocked(domain, sc_module::name()),
          dut({*this, 1, 8, keys, true,
               [this](const protocol::kernel_launch&, std::uint32_t) { return terms; },
               [this](const cooperation_side::launch_ptr&, kde_index, std::uint32_t first,
                      std::uint32_t count, const newcomer&) {
                   for (std::uint32_t i = 0; i < count; ++i) forked.push_back(first + i);
               },
               [this](sm_id, block_slot) { return leaving; }}) {}
    void evaluate() override { (void)dut.cycle(); }
    [[nodiscard]] activity update() override { return activity::idle; }

    simt::cooperation_terms terms;
    std::vector<std::uint32_t> forked;
    bool leaving = false;
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
    scripted_scheduler scheduler_{"scheduler", core_, keys_};
    cooperation_side& dut_ = scheduler_.dut;
    protocol::testing::scripted_initiator<protocol::cooperation_link> smx_{"smx"};
    pool<protocol::kernel_launch> launches_{"launches"};
    pool<cooperation_call> calls_{"calls"};
    cooperation_side::launch_ptr launch_ = launches_.make();
};

/// Block 0 is on its SMX again and fetches its state when the last one comes to the barrier.
TEST_F(cooperation_side_test, an_absent_block_0_is_told_of_forks) {
    dut_.begin(launch_, kde_index(0), 2);
    scheduler_.leaving = true;
    EXPECT_EQ(call(0, cooperation_request::arrive_resizing)->answer, cooperation_answer::leave);
    scheduler_.leaving = false;
    scheduler_.terms.places = 3;
    const auto other = call(1, cooperation_request::arrive_resizing);
    EXPECT_EQ(other->answer, cooperation_answer::go_on);
    EXPECT_EQ(other->forked, 0U);
    EXPECT_THAT(scheduler_.forked, testing::ElementsAre(2, 3, 4));
    const auto back = call(0, cooperation_request::come_back);
    EXPECT_EQ(back->answer, cooperation_answer::go_on);
    EXPECT_EQ(back->forked, 3U);
    EXPECT_EQ(back->groups, 5U);
}

TEST_F(cooperation_side_test, an_absent_block_is_told_that_it_ends) {
    dut_.begin(launch_, kde_index(0), 2);
    scheduler_.leaving = true;
    EXPECT_EQ(call(1, cooperation_request::arrive_resizing)->answer, cooperation_answer::leave);
    scheduler_.leaving = false;
    scheduler_.terms.wanted = 1;
    EXPECT_EQ(call(0, cooperation_request::arrive_resizing)->answer, cooperation_answer::go_on);
    EXPECT_EQ(call(1, cooperation_request::come_back)->answer, cooperation_answer::die);
    EXPECT_EQ(dut_.dying(), 1U);
}

TEST_F(cooperation_side_test, no_blocks_are_active_when_the_launch_has_ended) {
    dut_.begin(launch_, kde_index(0), 2);
    EXPECT_EQ(dut_.counts().groups(), 2U);
    const std::uint64_t begun = core_.edge();
    sc_core::sc_start(10, sc_core::SC_NS);
    EXPECT_FALSE(dut_.block_ended(launch_id(1), false));
    EXPECT_TRUE(dut_.block_ended(launch_id(1), false));
    EXPECT_FALSE(dut_.knows(launch_id(1)));
    EXPECT_EQ(dut_.counts().groups(), 0U);
    EXPECT_EQ(dut_.counts().busy_cycles(begun + 1000), core_.edge() - begun);
}

}  // namespace
}  // namespace heddle
