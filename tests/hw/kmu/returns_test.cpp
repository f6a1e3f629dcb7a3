// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// A KMU that takes launches by kernels: blocks that come back, and entries for their children.
#include <gmock/gmock.h>

#include <utility>
#include <vector>

#include "hw/kmu/kmu.h"
#include "tb/kit/tlm_slots.h"
#include "tests/hw/protocol/scripted_link.h"

namespace heddle {
namespace {

using protocol::kde_event;
using protocol::kde_phase;
using protocol::kde_update;
using protocol::kernel_launch;
using protocol::launch_phase;
using testing::ElementsAre;
using testing::Pair;

using seen_at = std::vector<std::pair<std::uint64_t, std::uint32_t>>;  // edge, launch or block

machine_configuration launching() {
    machine_configuration m;
    m.launch.enabled = true;
    return m;
}

/// A KMU between a scripted host, distributor and SMX scheduler; edge k lies at k ns.
struct bench {
    explicit bench(unsigned latency, std::uint32_t most_cooperative = 100)
        : dut("kmu", core, configuration(latency), tlm_slots<queue_picker_traits>(core, status),
              nullptr, {&runtime, 0, most_cooperative}) {
        host.socket.bind(dut.launch_socket);
        dut.dispatch_socket.bind(distributor.socket);
        scheduler.socket.bind(*dut.group_socket);
        (*dut.over_socket).bind(returned_to.socket);
        host.on_backward = [](kernel_launch&, launch_phase& phase, sc_core::sc_time&) {
            return phase == launch_phase::accepted ? tlm::TLM_ACCEPTED : tlm::TLM_COMPLETED;
        };
        distributor.on_forward = [this](kernel_launch& l, launch_phase& phase, sc_core::sc_time&) {
            dispatched.emplace_back(core.edge(), l.launch.value());
            if (!accept) return tlm::TLM_ACCEPTED;
            phase = launch_phase::accepted;
            return tlm::TLM_UPDATED;
        };
        returned_to.on_forward = [this](kde_update& u, kde_phase&, sc_core::sc_time&) {
            EXPECT_EQ(u.event, kde_event::block_returns);
            EXPECT_EQ(u.kernel->launch, u.launch);
            EXPECT_EQ(u.suspended.saved.bytes, 64U);
            returned.emplace_back(core.edge(), u.suspended.block);
            return tlm::TLM_COMPLETED;
        };
        sc_core::sc_start(500, sc_core::SC_PS);  // between edge 0 and edge 1
    }
    static kmu_configuration configuration(unsigned latency) {
        kmu_configuration c;
        c.queues = 4;
        c.queue_depth = 4;
        c.dispatch_latency = latency;
        return c;
    }
    static void run(double edges) { sc_core::sc_start(edges, sc_core::SC_NS); }
    /// Requests a launch by the host, which is seen at the next edge.
    pool_ptr<kernel_launch> request(unsigned id, unsigned queue, bool cooperative = false) {
        pool_ptr<kernel_launch> launch = launches.make();
        launch->launch = launch_id(id);
        launch->queue = hwq_id(queue);
        launch->cooperative = cooperative;
        launch_phase phase = launch_phase::request;
        sc_core::sc_time delay;
        (void)host.socket->nb_transport_fw(*launch, phase, delay);
        return launch;
    }
    /// A block has left its SMX, and its children have ended.
    void suspend(const pool_ptr<kernel_launch>& of, std::uint32_t block) {
        const pool_ptr<kde_update> update = updates.make();
        update->launch = of->launch;
        update->event = kde_event::block_suspended;
        update->kernel = of;
        update->suspended.launch = of->launch;
        update->suspended.kernel = of;
        update->suspended.block = block;
        update->suspended.position = {block, 0, 0};
        update->suspended.resumed = true;
        update->suspended.context = protocol::context_id(block);
        update->suspended.saved = {0xc800'0000, 64};
        kde_phase phase = kde_phase::update;
        sc_core::sc_time delay;
        (void)scheduler.socket->nb_transport_fw(*update, phase, delay);
    }
    /// All blocks of a launch have ended, of which some had been suspended.
    void finish(const pool_ptr<kernel_launch>& launch) {
        const pool_ptr<kde_update> update = updates.make();
        update->launch = launch->launch;
        update->event = kde_event::group_finished;
        kde_phase phase = kde_phase::update;
        sc_core::sc_time delay;
        (void)scheduler.socket->nb_transport_fw(*update, phase, delay);
    }
    void complete(kernel_launch& launch) {
        launch.outcome = protocol::launch_outcome::completed;
        launch_phase phase = launch_phase::completed;
        sc_core::sc_time delay;
        (void)distributor.socket->nb_transport_bw(launch, phase, delay);
    }

    protocol::testing::report_catcher catcher;
    clock_domain core{"core", frequency::megahertz(1000)};
    machine_configuration machine = launching();
    launch_table table;
    device_runtime runtime{machine, table};
    protocol::testing::scripted_initiator<protocol::launch_link> host{"host"};
    protocol::testing::scripted_target<protocol::kernel_dispatch_link> distributor{"distributor"};
    protocol::testing::scripted_initiator<protocol::kde_link> scheduler{"scheduler"};
    protocol::testing::scripted_target<protocol::kde_link> returned_to{"returned_to"};
    run_status status;
    kmu dut;
    pool<kernel_launch> launches{"launches"};
    pool<kde_update> updates{"updates"};
    bool accept = true;
    seen_at dispatched, returned;
};

TEST(kmu_returns, take_the_dispatch_latency) {
    bench b(10);
    const auto launch = b.request(1, 0);
    b.run(20);
    b.suspend(launch, 5);
    b.suspend(launch, 3);
    EXPECT_FALSE(b.dut.empty());
    b.run(9);
    EXPECT_TRUE(b.returned.empty());
    b.run(20);
    // Inspected at 21 and 22, so that the SMX scheduler sees them ten edges later.
    EXPECT_THAT(b.returned, ElementsAre(Pair(30, 5), Pair(31, 3)));
    EXPECT_EQ(b.dut.suspended().count(), 2U);
}

TEST(kmu_returns, pass_launches_that_wait_for_an_entry) {
    bench b(2);
    const auto launch = b.request(1, 0);
    b.run(10);
    b.accept = false;  // no entry is free
    (void)b.request(2, 1);
    b.run(10);
    EXPECT_EQ(b.dispatched.size(), 2U);
    for (std::uint32_t block = 0; block < 40; ++block) {
        b.suspend(launch, block);
        b.run(1);
    }
    b.run(5);
    EXPECT_EQ(b.returned.size(), 40U) << "more than there are entries";
    EXPECT_EQ(b.dispatched.size(), 2U);
}

TEST(kmu_returns, take_turns_with_launches) {
    bench b(1);
    const auto first = b.request(1, 0);
    b.run(1);
    for (unsigned id = 2; id <= 4; ++id) {
        (void)b.request(id, 0);
        b.run(1);
    }
    b.run(5);
    EXPECT_EQ(b.dispatched.size(), 1U) << "the others wait for it";
    // Three launches in other queues and four blocks at a time.
    for (std::uint32_t block = 0; block < 4; ++block) b.suspend(first, block);
    b.complete(*first);
    b.finish(first);
    (void)b.request(5, 1);
    b.run(1);  // edge 10
    (void)b.request(6, 2);
    b.run(10);
    // Launch 2 could go at edge 10, 5 and 6 at 11 and 12: blocks get each second turn.
    EXPECT_THAT(b.returned, ElementsAre(Pair(10, 0), Pair(12, 1), Pair(14, 2), Pair(16, 3)));
    EXPECT_THAT(b.dispatched, ElementsAre(Pair(2, 1), Pair(11, 5), Pair(13, 6), Pair(15, 2)));
}

/// The last entry is for their children.
TEST(kmu_returns, cooperative_launches_leave_an_entry) {
    bench b(1, 2);
    const auto first = b.request(1, 0, true);
    b.run(1);
    for (unsigned id = 2; id <= 3; ++id) {
        (void)b.request(id, id - 1, true);
        b.run(1);
    }
    (void)b.request(4, 3);
    b.run(10);
    EXPECT_THAT(b.dispatched, ElementsAre(Pair(2, 1), Pair(3, 2), Pair(5, 4)));
    b.complete(*first);
    b.run(10);
    ASSERT_EQ(b.dispatched.size(), 4U);
    EXPECT_EQ(b.dispatched.back(), std::make_pair(std::uint64_t{14}, std::uint32_t{3}));
}

}  // namespace
}  // namespace heddle
