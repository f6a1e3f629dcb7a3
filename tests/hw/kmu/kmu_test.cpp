// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/kmu/kmu.h"

#include <gmock/gmock.h>

#include <memory>
#include <utility>
#include <vector>

#include "tb/kit/tlm_slots.h"
#include "tests/hw/protocol/scripted_link.h"

namespace heddle {
namespace {

using protocol::kernel_launch;
using protocol::launch_phase;
using protocol::testing::report_catcher;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

using seen_at = std::vector<std::pair<std::uint64_t, std::uint32_t>>;  // edge, launch

/// A KMU between a scripted host and a scripted Kernel Distributor; edge k lies at k ns.
struct bench {
    explicit bench(const kmu_configuration& configuration, const kmu_environment& environment = {})
        : dut("kmu", core, configuration, tlm_slots<queue_picker_traits>(core, status), nullptr,
              environment) {
        host.socket.bind(dut.launch_socket);
        smx.socket.bind(dut.launch_socket);
        dut.dispatch_socket.bind(distributor.socket);
        host.on_backward = [this](kernel_launch& l, launch_phase& phase, sc_core::sc_time&) {
            auto& log = phase == launch_phase::accepted ? accepted : completed;
            log.emplace_back(core.edge(), l.launch.value());
            return phase == launch_phase::accepted ? tlm::TLM_ACCEPTED : tlm::TLM_COMPLETED;
        };
        smx.on_backward = [](kernel_launch&, launch_phase& phase, sc_core::sc_time&) {
            return phase == launch_phase::accepted ? tlm::TLM_ACCEPTED : tlm::TLM_COMPLETED;
        };
        distributor.on_forward = [this](kernel_launch& l, launch_phase& phase, sc_core::sc_time&) {
            dispatched.emplace_back(core.edge(), l.launch.value());
            if (!accept_at_once) {
                return tlm::TLM_ACCEPTED;
            }
            phase = launch_phase::accepted;
            return tlm::TLM_UPDATED;
        };
        sc_core::sc_start(500, sc_core::SC_PS);  // between edge 0 and edge 1
    }
    static void run(double edges) { sc_core::sc_start(edges, sc_core::SC_NS); }
    pool_ptr<kernel_launch> make(unsigned id, unsigned queue) {
        const pool_ptr<kernel_launch> launch = launches.make();
        launch->launch = protocol::launch_id(id);
        launch->queue = hwq_id(queue);
        held.push_back(launch);
        return launch;
    }
    /// Requests a launch; it is seen at the next edge.
    kernel_launch& request(unsigned id, unsigned queue) {
        kernel_launch& launch = *make(id, queue);
        call(launch, launch_phase::request);
        return launch;
    }
    void call(kernel_launch& launch, launch_phase phase) {
        sc_core::sc_time delay;
        EXPECT_EQ(host.socket->nb_transport_fw(launch, phase, delay), tlm::TLM_ACCEPTED);
    }
    void answer(kernel_launch& launch, launch_phase phase) {
        sc_core::sc_time delay;
        (void)distributor.socket->nb_transport_bw(launch, phase, delay);
    }

    report_catcher catcher;
    clock_domain core{"core", frequency::megahertz(1000)};
    protocol::testing::scripted_initiator<protocol::launch_link> host{"host"};
    protocol::testing::scripted_initiator<protocol::launch_link> smx{"smx"};
    protocol::testing::scripted_target<protocol::kernel_dispatch_link> distributor{"distributor"};
    run_status status;
    kmu dut;
    pool<kernel_launch> launches{"launches"};
    std::vector<pool_ptr<kernel_launch>> held;
    bool accept_at_once = true;
    seen_at accepted, completed, dispatched;
};

kmu_configuration configuration(unsigned queues, unsigned depth, unsigned latency) {
    kmu_configuration c;
    c.queues = queues;
    c.queue_depth = depth;
    c.dispatch_latency = latency;
    return c;
}

TEST(kmu, table_3_latency_from_inspection_to_arrival) {
    bench b(kmu_configuration{});
    b.request(1, 0);
    b.run(1);  // edge 1: accepted; edge 2: inspected
    EXPECT_THAT(b.accepted, ElementsAre(Pair(1, 1)));
    b.run(282);  // the last edge is 283
    EXPECT_TRUE(b.dispatched.empty());
    b.run(1);
    // Sent at edge 284, so that the distributor sees it at edge 285 = 2 + 283.
    EXPECT_THAT(b.dispatched, ElementsAre(Pair(284, 1)));
}

TEST(kmu, dispatch_latency_of_one_cycle) {
    bench b(configuration(2, 4, 1));
    b.request(1, 0);
    b.run(1);
    EXPECT_TRUE(b.dispatched.empty());
    b.run(1);
    EXPECT_THAT(b.dispatched, ElementsAre(Pair(2, 1)));
}

TEST(kmu, one_inspection_a_cycle_in_turn_and_dispatches_overlap) {
    bench b(configuration(3, 4, 10));
    for (unsigned id = 1; id <= 3; ++id) {
        b.request(id, 3 - id);  // queues 2, 1, 0, one a cycle
        b.run(1);
    }
    b.run(30);
    EXPECT_THAT(b.dispatched, ElementsAre(Pair(11, 1), Pair(12, 2), Pair(13, 3)));
}

TEST(kmu, nothing_is_inspected_within_the_interval_of_a_dispatch) {
    kmu_configuration c = configuration(3, 4, 10);
    c.dispatch_interval = 25;  // nothing else wakes the KMU when it is over
    bench b(c);
    for (const unsigned id : {1, 2, 3}) {
        b.request(id, 3 - id);
        b.run(1);
    }
    b.run(80);
    EXPECT_THAT(b.dispatched, ElementsAre(Pair(11, 1), Pair(36, 3), Pair(61, 2)));
}

TEST(kmu, an_interval_that_is_over_delays_nothing) {
    kmu_configuration c = configuration(3, 4, 1);
    c.dispatch_interval = 5;
    bench b(c);
    b.request(1, 0);
    b.run(20);
    b.request(2, 1);
    b.run(2);
    EXPECT_THAT(b.dispatched, ElementsAre(Pair(2, 1), Pair(22, 2)));
}

TEST(kmu, a_queue_is_inspected_again_when_its_kernel_has_completed) {
    bench b(configuration(2, 4, 1));
    kernel_launch& first = b.request(1, 0);
    b.run(1);
    b.request(2, 0);
    b.run(100);
    EXPECT_THAT(b.dispatched, ElementsAre(Pair(2, 1)));
    first.outcome = protocol::launch_outcome::completed;
    b.answer(first, launch_phase::completed);  // between the edges 101 and 102
    b.run(1);
    EXPECT_THAT(b.completed, ElementsAre(Pair(102, 1)));
    EXPECT_THAT(b.dispatched, ElementsAre(Pair(2, 1), Pair(102, 2)));
    statistics all;
    b.dut.collect(all, "kmu");
    const auto& waits = std::get<histogram>(all.find("kmu.queue_wait")->value);
    EXPECT_EQ(waits.samples(), 2U);
    EXPECT_EQ(waits.sum(), 1U + 100U) << "from acceptance at 1 and 2 to inspection at 2 and 102";
}

TEST(kmu, a_full_queue_withholds_acceptance_until_a_place_is_free) {
    bench b(configuration(2, 1, 1));
    kernel_launch& first = b.request(1, 0);
    b.run(3);  // dispatched: the queue is empty again
    b.request(2, 0);
    b.run(1);
    b.request(3, 0);
    b.run(50);
    EXPECT_THAT(b.accepted, ElementsAre(Pair(1, 1), Pair(4, 2)));
    EXPECT_FALSE(b.dut.empty());
    EXPECT_THAT(b.dut.waiting_for(), HasSubstr("1 launches queued, 1 waiting for a place"));
    b.answer(first, launch_phase::completed);
    b.run(1);  // edge 55: launch 2 is dispatched and leaves its place
    EXPECT_THAT(b.accepted, ElementsAre(Pair(1, 1), Pair(4, 2), Pair(55, 3)));
}

TEST(kmu, a_full_queue_is_no_matter_of_launches_by_kernels) {
    bench b(configuration(2, 1, 1));
    b.request(1, 0);
    b.run(3);
    b.request(2, 0);  // fills queue 0
    b.run(1);
    kernel_launch& child = *b.make(3, 0);
    child.launch = launch_id(sm_id(0), 1);
    child.parent = launch_id(1);
    auto phase = launch_phase::request;
    sc_core::sc_time delay;
    EXPECT_EQ(b.smx.socket->nb_transport_fw(child, phase, delay), tlm::TLM_ACCEPTED);
    b.run(10);
    EXPECT_THAT(b.dispatched, ElementsAre(Pair(2, 1), Pair(testing::_, child.launch.value())));
}

TEST(kmu, a_withheld_acceptance_holds_the_link) {
    bench b(configuration(2, 4, 1));
    b.accept_at_once = false;
    kernel_launch& first = b.request(1, 0);
    b.run(1);
    b.request(2, 1);
    b.run(20);
    EXPECT_THAT(b.dispatched, ElementsAre(Pair(2, 1)));
    b.answer(first, launch_phase::accepted);
    b.run(1);
    EXPECT_THAT(b.dispatched, ElementsAre(Pair(2, 1), Pair(22, 2)));
    statistics all;
    b.dut.collect(all, "kmu");
    EXPECT_EQ(std::get<std::uint64_t>(all.find("kmu.distributor_wait")->value), 20U);
}

/// The link is free again, and nothing but the due dispatches themselves keeps the KMU awake.
TEST(kmu, all_that_waited_for_the_link_go_one_after_another) {
    bench b(configuration(4, 4, 1));
    b.accept_at_once = false;
    kernel_launch& first = b.request(1, 0);
    for (unsigned id = 2; id <= 4; ++id) {
        b.run(1);
        b.request(id, id - 1);
    }
    b.run(17);
    EXPECT_THAT(b.dispatched, ElementsAre(Pair(2, 1)));
    b.accept_at_once = true;
    b.answer(first, launch_phase::accepted);
    b.run(10);
    EXPECT_THAT(b.dispatched, ElementsAre(Pair(2, 1), Pair(21, 2), Pair(22, 3), Pair(23, 4)));
}

TEST(kmu, illegal_launches_are_reported_and_dropped) {
    bench b(configuration(2, 4, 1));
    b.request(1, 2);
    b.run(2);
    EXPECT_THAT(report_catcher::ids(), ElementsAre(kmu_report::illegal_launch));
    EXPECT_THAT(report_catcher::text(), HasSubstr("launch 1 for queue 2; legal: queues 0 to 1"));
    b.request(3, 1);
    b.run(5);
    EXPECT_EQ(b.dispatched.size(), 1U);
}

TEST(kmu, a_launch_by_a_kernel_takes_the_queue_that_it_names) {
    bench b(configuration(2, 4, 1));
    kernel_launch& child = *b.make(1, 1);
    child.launch = launch_id(sm_id(0), 1);
    child.parent = launch_id(1);
    b.call(child, launch_phase::request);
    b.run(5);
    EXPECT_THAT(b.dispatched, ElementsAre(Pair(testing::_, child.launch.value())));
}

TEST(kmu, ideal_dispatches_are_those_of_launches_by_kernels) {
    kmu_configuration c = configuration(4, 4, 10);
    c.dispatch_interval = 25;
    kmu_environment environment;
    environment.ideal = true;
    bench b(c, environment);
    for (unsigned n = 1; n <= 2; ++n) {
        kernel_launch& child = *b.make(10 + n, 0);
        child.launch = launch_id(sm_id(0), n);
        child.parent = launch_id(1);
        auto phase = launch_phase::request;
        sc_core::sc_time delay;
        EXPECT_EQ(b.smx.socket->nb_transport_fw(child, phase, delay), tlm::TLM_ACCEPTED);
        b.run(1);
    }
    b.run(10);
    b.request(1, 0);
    b.run(30);
    ASSERT_EQ(b.dispatched.size(), 3U);
    EXPECT_EQ(b.dispatched[1].first, b.dispatched[0].first + 1);
    EXPECT_EQ(b.dispatched[2].first, 13U + 10);  // accepted at 13, inspected at 14
}

TEST(kmu, launches_by_the_host_and_by_kernels_take_turns) {
    bench b(configuration(4, 4, 1));
    std::vector<std::uint32_t> expected;
    for (unsigned n = 0; n < 3; ++n) {
        b.request(n + 1, n);
        kernel_launch& child = *b.make(10 + n, 0);
        child.launch = launch_id(sm_id(0), n + 1);
        child.parent = launch_id(1);
        auto phase = launch_phase::request;
        sc_core::sc_time delay;
        EXPECT_EQ(b.smx.socket->nb_transport_fw(child, phase, delay), tlm::TLM_ACCEPTED);
        expected.insert(expected.end(), {child.launch.value(), n + 1});
        b.run(1);
    }
    b.run(6);
    std::vector<std::uint32_t> order;
    for (const auto& [edge, launch] : b.dispatched) order.push_back(launch);
    EXPECT_EQ(order, expected);
}

TEST(kmu, waits_for_the_distributor_are_summed_up) {
    bench b(configuration(2, 4, 1));
    b.accept_at_once = false;
    kernel_launch& first = b.request(1, 0);
    b.run(1);
    kernel_launch& second = b.request(2, 1);
    b.run(8);  // sent at edge 2, accepted at edge 10
    b.answer(first, launch_phase::accepted);
    b.run(5);  // the second one was due at edge 3, and is sent at edge 10
    b.answer(second, launch_phase::accepted);
    b.run(1);
    EXPECT_THAT(b.dispatched, ElementsAre(Pair(2, 1), Pair(10, 2)));
    statistics all;
    b.dut.collect(all, "kmu");
    EXPECT_EQ(std::get<std::uint64_t>(all.find("kmu.distributor_wait")->value),
              (10U - 2U) + (15U - 3U));
}

TEST(kmu, answers_that_break_the_protocol_are_reported) {
    bench b(configuration(2, 4, 1));
    kernel_launch& launch = b.request(1, 0);
    b.run(5);
    kernel_launch& other = *b.make(2, 0);
    b.answer(other, launch_phase::completed);
    b.run(1);
    EXPECT_THAT(report_catcher::ids(), ElementsAre(kmu_report::protocol));
    b.answer(launch, launch_phase::request);
    EXPECT_EQ(report_catcher::ids().size(), 2U);
    b.call(launch, launch_phase::completed);
    EXPECT_EQ(report_catcher::ids().size(), 3U);
}

}  // namespace
}  // namespace heddle
