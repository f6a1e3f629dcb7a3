// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/kernel_distributor/kernel_distributor.h"

#include <gmock/gmock.h>

#include <utility>
#include <vector>

#include "tests/hw/protocol/scripted_link.h"

namespace heddle {
namespace {

using protocol::kde_event;
using protocol::kde_phase;
using protocol::kde_update;
using protocol::kernel_launch;
using protocol::launch_phase;
using protocol::testing::report_catcher;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

using seen_at = std::vector<std::pair<std::uint64_t, std::uint32_t>>;  // edge, launch

/// A Kernel Distributor with everything around it scripted; edge k lies at k ns.
struct bench {
    explicit bench(unsigned entries) : dut("distributor", core, {entries}, 2) {
        kmu.socket.bind(dut.dispatch_socket);
        dut.kernel_ready_socket.bind(scheduler.socket);
        updater.socket.bind(dut.block_update_socket);
        kmu.on_backward = [this](kernel_launch& l, launch_phase& phase, sc_core::sc_time&) {
            auto& log = phase == launch_phase::accepted ? accepted : completed;
            log.emplace_back(core.edge(), l.launch.value());
            return phase == launch_phase::accepted ? tlm::TLM_ACCEPTED : tlm::TLM_COMPLETED;
        };
        scheduler.on_forward = [this](kde_update& u, kde_phase&, sc_core::sc_time&) {
            EXPECT_EQ(u.event, kde_event::kernel_ready);
            ready.emplace_back(core.edge(), u.launch.value());
            return tlm::TLM_COMPLETED;
        };
        sc_core::sc_start(500, sc_core::SC_PS);  // between edge 0 and edge 1
    }
    static void run(double edges) { sc_core::sc_start(edges, sc_core::SC_NS); }
    /// Requests a kernel; returns whether it was accepted in the call.
    bool request(unsigned id, unsigned blocks) {
        const pool_ptr<kernel_launch> launch = launches.make();
        launch->launch = protocol::launch_id(id);
        launch->grid.x = blocks;
        held.push_back(launch);
        launch_phase phase = launch_phase::request;
        sc_core::sc_time delay;
        return kmu.socket->nb_transport_fw(*launch, phase, delay) == tlm::TLM_UPDATED &&
               phase == launch_phase::accepted;
    }
    void tell_group_block(unsigned id, unsigned entry, kde_event event) {
        tell(id, entry, event, null_group, null_group, true);
    }
    void tell(unsigned id, unsigned entry, kde_event event, group_index next = null_group,
              group_index last = null_group, bool of_group = false) {
        const pool_ptr<kde_update> update = updates.make();
        update->of_group = of_group;
        update->launch = protocol::launch_id(id);
        update->kde = kde_index(entry);
        update->event = event;
        update->next_group = next;
        update->last_group = last;
        kde_phase phase = kde_phase::update;
        sc_core::sc_time delay;
        EXPECT_EQ(updater.socket->nb_transport_fw(*update, phase, delay), tlm::TLM_COMPLETED);
    }

    report_catcher catcher;
    clock_domain core{"core", frequency::megahertz(1000)};
    protocol::testing::scripted_initiator<protocol::kernel_dispatch_link> kmu{"kmu"};
    protocol::testing::scripted_target<protocol::kde_link> scheduler{"scheduler"};
    protocol::testing::scripted_initiator<protocol::kde_link> updater{"updater"};
    kernel_distributor dut;
    pool<kernel_launch> launches{"launches"};
    pool<kde_update> updates{"updates"};
    std::vector<pool_ptr<kernel_launch>> held;
    seen_at accepted, completed, ready;
};

TEST(kernel_distributor, a_kernel_from_its_arrival_to_its_release) {
    bench b(2);
    EXPECT_TRUE(b.request(1, 2));
    EXPECT_TRUE(b.ready.empty());
    b.run(1);
    EXPECT_THAT(b.ready, ElementsAre(Pair(1, 1)));
    EXPECT_TRUE(b.accepted.empty());  // it was accepted in the call
    b.tell(1, 0, kde_event::block_started);
    b.tell(1, 0, kde_event::block_started);
    b.tell(1, 0, kde_event::blocks_exhausted);
    b.run(1);
    EXPECT_EQ(b.dut.entries()[kde_index(0)].blocks_executing, 2U);
    EXPECT_THAT(b.dut.waiting_for(), HasSubstr("1 kernels with 2 blocks in execution"));
    b.tell(1, 0, kde_event::block_finished);
    b.run(1);
    b.tell(1, 0, kde_event::block_finished);
    EXPECT_TRUE(b.completed.empty());
    b.run(1);
    EXPECT_THAT(b.completed, ElementsAre(Pair(4, 1)));
    EXPECT_EQ(b.held[0]->outcome, protocol::launch_outcome::completed);
    EXPECT_EQ(b.dut.entries().used(), 0U);
    EXPECT_EQ(b.dut.waiting_for(), "");
    statistics all;
    b.dut.collect(all, "distributor");
    EXPECT_EQ(std::get<std::uint64_t>(all.find("distributor.busy_cycles")->value),
              3U);  // edges 1 to 4
    EXPECT_EQ(std::get<double>(all.find("distributor.occupancy")->value), 1.0);
}

/// Looked at long after the release: an entry that is free again is in nobody's use.
TEST(kernel_distributor, an_entry_is_in_use_up_to_its_release) {
    bench b(2);
    (void)b.request(1, 1);
    b.run(1);
    b.tell(1, 0, kde_event::block_started);
    b.tell(1, 0, kde_event::blocks_exhausted);
    b.run(2);
    (void)b.request(2, 1);
    b.run(2);
    b.tell(1, 0, kde_event::block_finished);
    b.run(3);
    b.tell(2, 1, kde_event::block_started);
    b.tell(2, 1, kde_event::blocks_exhausted);
    b.tell(2, 1, kde_event::block_finished);
    b.run(20);
    EXPECT_THAT(b.completed, ElementsAre(Pair(6, 1), Pair(9, 2)));
    statistics all;
    b.dut.collect(all, "distributor");
    // One entry at edges 1 to 3, two at 4 and 5, one at 6 to 8.
    EXPECT_EQ(std::get<std::uint64_t>(all.find("distributor.busy_cycles")->value), 8U);
    EXPECT_EQ(std::get<double>(all.find("distributor.occupancy")->value), 10.0 / 8.0);
    EXPECT_EQ(std::get<std::uint64_t>(all.find("distributor.occupancy_maximum")->value), 2U);
}

TEST(kernel_distributor, shows_the_chain_of_groups_that_it_is_told) {
    bench b(1);
    (void)b.request(1, 2);
    b.run(1);
    EXPECT_EQ(b.dut.entries()[kde_index(0)].next_group, null_group);
    b.tell(1, 0, kde_event::block_started, group_index(agt_entry(3)), group_index(agt_entry(5)));
    EXPECT_EQ(b.dut.entries()[kde_index(0)].next_group, null_group);
    b.run(1);
    EXPECT_EQ(b.dut.entries()[kde_index(0)].next_group, group_index(agt_entry(3)));
    EXPECT_EQ(b.dut.entries()[kde_index(0)].last_group, group_index(agt_entry(5)));
    b.tell(1, 0, kde_event::block_finished);
    b.run(1);
    EXPECT_EQ(b.dut.entries()[kde_index(0)].last_group, null_group);
}

TEST(kernel_distributor, without_a_free_entry_acceptance_is_withheld) {
    bench b(1);
    EXPECT_TRUE(b.request(1, 1));
    EXPECT_FALSE(b.request(2, 1));  // the entry has been promised, though not yet taken
    b.run(20);
    EXPECT_TRUE(b.accepted.empty());
    b.tell(1, 0, kde_event::block_started);
    b.tell(1, 0, kde_event::blocks_exhausted);
    b.tell(1, 0, kde_event::block_finished);
    b.run(1);
    EXPECT_THAT(b.completed, ElementsAre(Pair(21, 1)));
    EXPECT_THAT(b.accepted, ElementsAre(Pair(21, 2)));
    EXPECT_THAT(b.ready, ElementsAre(Pair(1, 1), Pair(21, 2)));
}

/// Two entries, and two launches that have been accepted; one of them has taken its entry.
TEST(kernel_distributor, a_launch_that_waits_for_its_entry_keeps_it_from_others) {
    bench b(2);
    EXPECT_TRUE(b.request(1, 1));
    EXPECT_TRUE(b.request(2, 1));
    b.run(1);
    ASSERT_THAT(b.ready, ElementsAre(Pair(1, 1)));
    EXPECT_FALSE(b.request(3, 1));
    b.run(5);
    EXPECT_THAT(b.ready, ElementsAre(Pair(1, 1), Pair(2, 2)));
    EXPECT_TRUE(b.accepted.empty());
}

TEST(kernel_distributor, a_held_entry_stays_until_it_is_released) {
    bench b(1);
    (void)b.request(1, 1);
    b.run(2);
    b.tell(1, 0, kde_event::block_started);
    b.tell(1, 0, kde_event::blocks_exhausted);
    b.tell(1, 0, kde_event::hold);
    b.run(1);
    b.tell(1, 0, kde_event::block_finished);
    b.run(3);
    EXPECT_TRUE(b.completed.empty());
    b.tell_group_block(1, 0, kde_event::block_started);  // none of its own is left
    b.run(1);
    b.tell_group_block(1, 0, kde_event::block_finished);
    b.tell(1, 0, kde_event::release);
    b.run(2);
    EXPECT_EQ(b.completed.size(), 1U);
    EXPECT_EQ(b.dut.entries().used(), 0U);
    EXPECT_TRUE(report_catcher::ids().empty());
}

TEST(kernel_distributor, an_entry_is_released_once_and_only_when_it_is_held_and_over) {
    bench b(1);
    (void)b.request(1, 1);
    b.run(2);
    b.tell(1, 0, kde_event::release);  // not held
    b.run(1);
    EXPECT_EQ(report_catcher::ids().size(), 1U);
    b.tell(1, 0, kde_event::hold);
    b.tell(1, 0, kde_event::block_started);
    b.run(1);
    b.tell(1, 0, kde_event::release);  // a block runs
    b.run(1);
    EXPECT_EQ(report_catcher::ids().size(), 2U);
    EXPECT_TRUE(b.completed.empty());
}

TEST(kernel_distributor, updates_that_do_not_fit_an_entry_are_reported) {
    bench b(2);
    (void)b.request(1, 1);
    b.run(1);
    const std::vector<std::pair<unsigned, kde_event>> wrong{
        {0, kde_event::block_finished},    // none has started
        {0, kde_event::blocks_exhausted},  // one is left
        {0, kde_event::kernel_ready},      // the wrong direction
        {1, kde_event::block_started},     // not in use
        {7, kde_event::block_started}};    // does not exist
    for (const auto& [entry, event] : wrong) {
        b.tell(1, entry, event);
        b.run(1);
    }
    b.tell(9, 0, kde_event::block_started);  // another launch
    b.run(1);
    EXPECT_THAT(report_catcher::ids(),
                testing::AllOf(testing::SizeIs(6),
                               testing::Each(testing::StrEq(kernel_distributor_report::protocol))));
    EXPECT_TRUE(b.completed.empty());
}

TEST(kernel_distributor, calls_beyond_the_credit_and_wrong_phases_are_reported) {
    bench b(1);
    (void)b.request(1, 1);
    (void)b.request(2, 1);
    (void)b.request(3, 1);
    EXPECT_THAT(report_catcher::ids(), ElementsAre(kernel_distributor_report::protocol));
    launch_phase phase = launch_phase::completed;
    sc_core::sc_time delay;
    (void)b.kmu.socket->nb_transport_fw(*b.held[0], phase, delay);
    EXPECT_EQ(report_catcher::ids().size(), 2U);
    for (unsigned update = 0; update < 17; ++update) {  // two SMXs, an entry: 8 a cycle, 16 in two
        b.tell(1, 0, kde_event::block_started);
    }
    EXPECT_EQ(report_catcher::ids().size(), 3U);
}

}  // namespace
}  // namespace heddle
