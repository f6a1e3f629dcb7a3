// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// A Kernel Distributor behind pins, Heddle's own and RTL, with everything around it scripted.
#include "hw/cosim/pins/kernel_distributor_pins.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "hw/cosim/pins/block_rtl.h"
#include "models/base/error.h"
#include "models/base/random.h"
#include "tests/hw/protocol/scripted_link.h"

namespace heddle::pins {
namespace {

using protocol::kde_event;
using protocol::kde_phase;
using protocol::kde_update;
using protocol::kernel_launch;
using protocol::launch_phase;
using protocol::testing::report_catcher;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

using seen_at = std::vector<std::pair<std::uint64_t, std::uint32_t>>;  // edge, launch

/// Edge k lies at k ns. Calls of a test come between two edges.
struct bench {
    explicit bench(block_implementation what, unsigned entries, std::uint32_t stalls = 0)
        : settings{true, stalls, 1000, 1},
          dut("distributor_pins",
              kernel_distributor_pins::options{core, settings, what, {entries}, 2, 1}) {
        kmu.socket.bind(dut.front().dispatch_socket);
        dut.front().kernel_ready_socket.bind(scheduler.socket);
        updater.socket.bind(dut.front().block_update_socket);
        kmu.on_backward = [this](kernel_launch& l, launch_phase& phase, sc_core::sc_time&) {
            auto& log = phase == launch_phase::accepted ? accepted : completed;
            log.emplace_back(core.edge(), l.launch.value());
            return phase == launch_phase::accepted ? tlm::TLM_ACCEPTED : tlm::TLM_COMPLETED;
        };
        scheduler.on_forward = [this](kde_update& u, kde_phase&, sc_core::sc_time&) {
            EXPECT_EQ(u.event, kde_event::kernel_ready);
            ready.emplace_back(core.edge(), u.launch.value());
            this->entries.push_back(u.kde.value());
            return tlm::TLM_COMPLETED;
        };
        run_to(4);
    }
    static void run_to(std::uint64_t edge) {
        const sc_core::sc_time end(static_cast<double>(edge * 1000 + 700), sc_core::SC_PS);
        sc_core::sc_start(end - sc_core::sc_time_stamp());
    }
    void run(std::uint64_t edges) { run_to(core.edge() + edges); }
    void request(unsigned id, unsigned blocks) {
        const pool_ptr<kernel_launch> launch = launches.make();
        launch->launch = launch_id(id);
        launch->grid = {blocks, 1, 1};
        held.push_back(launch);
        launch_phase phase = launch_phase::request;
        sc_core::sc_time delay;
        EXPECT_EQ(kmu.socket->nb_transport_fw(*launch, phase, delay), tlm::TLM_ACCEPTED);
    }
    void tell(unsigned id, unsigned entry, kde_event event) {
        const pool_ptr<kde_update> update = updates.make();
        update->launch = launch_id(id);
        update->kde = kde_index(entry);
        update->event = event;
        kde_phase phase = kde_phase::update;
        sc_core::sc_time delay;
        EXPECT_EQ(updater.socket->nb_transport_fw(*update, phase, delay), tlm::TLM_COMPLETED);
    }
    /// All blocks of a kernel start and end.
    void finish(unsigned id, unsigned entry, unsigned blocks) {
        for (unsigned n = 0; n < blocks; ++n) tell(id, entry, kde_event::block_started);
        tell(id, entry, kde_event::blocks_exhausted);
        for (unsigned n = 0; n < blocks; ++n) tell(id, entry, kde_event::block_finished);
    }

    report_catcher catcher;
    pin_configuration settings;
    clock_domain core{"core", frequency::megahertz(1000)};
    protocol::testing::scripted_initiator<protocol::kernel_dispatch_link> kmu{"kmu"};
    protocol::testing::scripted_target<protocol::kde_link> scheduler{"scheduler"};
    protocol::testing::scripted_initiator<protocol::kde_link> updater{"updater"};
    kernel_distributor_pins dut;
    pool<kernel_launch> launches{"launches"};
    pool<kde_update> updates{"updates"};
    std::vector<pool_ptr<kernel_launch>> held;
    seen_at accepted, completed, ready;
    std::vector<std::uint32_t> entries;
};

class each_distributor : public testing::TestWithParam<block_implementation> {
protected:
    void SetUp() override {
        if (GetParam() == block_implementation::rtl && !has_block_rtl()) GTEST_SKIP();
    }
};
INSTANTIATE_TEST_SUITE_P(blocks, each_distributor,
                         testing::Values(block_implementation::pins, block_implementation::rtl),
                         [](const auto& info) {
                             return info.param == block_implementation::pins ? "pins" : "rtl";
                         });

/// docs/pins.md has these numbers. Without pins: ready at 5, completed at 12.
TEST_P(each_distributor, a_kernel_from_its_arrival_to_its_release) {
    bench b(GetParam(), 2);
    const std::uint64_t more = GetParam() == block_implementation::pins ? 2 : 0;
    b.request(1, 1);  // seen at edge 5
    b.run_to(11);
    EXPECT_THAT(b.accepted, ElementsAre(Pair(6, 1)));
    EXPECT_THAT(b.ready, ElementsAre(Pair(7 + more, 1)));
    EXPECT_EQ(b.dut.front().used(), 1U);
    b.tell(1, 0, kde_event::block_started);
    b.tell(1, 0, kde_event::blocks_exhausted);
    b.run_to(20);
    EXPECT_THAT(b.completed, IsEmpty());
    b.tell(1, 0, kde_event::block_finished);  // seen at edge 21
    b.run_to(30);
    EXPECT_THAT(b.completed, ElementsAre(Pair(23 + more, 1)));
    EXPECT_EQ(b.held[0]->outcome, protocol::launch_outcome::completed);
    EXPECT_EQ(b.dut.front().used(), 0U);
    EXPECT_EQ(b.dut.front().waiting_for(), "");
    statistics all;
    b.dut.collect(all, "distributor");
    EXPECT_EQ(std::get<std::uint64_t>(all.find("distributor.completed")->value), 1U);
    EXPECT_THAT(report_catcher::reports(), IsEmpty()) << report_catcher::text();
}

TEST_P(each_distributor, a_launch_waits_for_a_free_entry) {
    bench b(GetParam(), 2);
    for (const unsigned id : {1, 2, 3}) {
        b.request(id, 1);
        b.run(10);
    }
    EXPECT_EQ(b.ready.size(), 2U);
    b.finish(2, 1, 1);
    b.run(30);
    ASSERT_EQ(b.ready.size(), 3U);
    EXPECT_THAT(b.entries, ElementsAre(0, 1, 1));
    EXPECT_EQ(b.completed.front().second, 2U);
    EXPECT_EQ(b.accepted.size(), 3U);
    EXPECT_THAT(report_catcher::reports(), IsEmpty()) << report_catcher::text();
}

/// docs/pins.md has these numbers, too. Without pins both come at one edge.
TEST_P(each_distributor, the_entry_of_a_kernel_takes_the_next_one) {
    bench b(GetParam(), 1);
    b.request(1, 1);
    b.run(10);
    b.request(2, 1);
    b.run(10);
    b.finish(1, 0, 1);
    b.run(30);
    ASSERT_EQ(b.completed.size(), 1U);
    ASSERT_EQ(b.ready.size(), 2U);
    EXPECT_EQ(b.ready[1].first - b.completed[0].first,
              GetParam() == block_implementation::pins ? 1U : 2U);
}

TEST_P(each_distributor, a_held_entry_stays_until_it_is_released) {
    bench b(GetParam(), 2);
    b.request(1, 2);
    b.run(10);
    b.tell(1, 0, kde_event::hold);
    b.finish(1, 0, 2);
    b.run(30);
    EXPECT_THAT(b.completed, IsEmpty());
    b.tell(1, 0, kde_event::release);
    b.run(10);
    EXPECT_EQ(b.completed.size(), 1U);
    EXPECT_THAT(report_catcher::reports(), IsEmpty()) << report_catcher::text();
}

/// One update a clock: each gives its credit back.
TEST_P(each_distributor, takes_an_update_each_clock) {
    constexpr unsigned blocks = 20;
    bench b(GetParam(), 2);
    b.request(1, blocks);
    b.run(10);
    b.finish(1, 0, blocks);
    b.run(2 * blocks + 1 + 10);
    EXPECT_EQ(b.completed.size(), 1U);
    EXPECT_THAT(report_catcher::reports(), IsEmpty()) << report_catcher::text();
}

TEST_P(each_distributor, an_update_that_does_not_fit_is_reported) {
    bench b(GetParam(), 2);
    b.request(1, 1);
    b.run(10);
    b.tell(1, 0, kde_event::block_finished);  // none has started
    b.run(10);
    ASSERT_EQ(report_catcher::reports().size(), 1U) << report_catcher::text();
    EXPECT_THAT(report_catcher::text(), HasSubstr("fit"));
}

/// Random kernels, as many as the entries hold at a time, whose blocks end in any order, with
/// stalls at all pins.
TEST_P(each_distributor, keeps_every_kernel_under_random_stalls) {
    bench b(GetParam(), 5, 50);
    random_stream random(3, "kernels");
    struct kernel {
        std::uint32_t id, entry, blocks;
    };
    std::vector<kernel> running;
    std::vector<std::uint32_t> blocks{0};
    std::size_t seen = 0;
    constexpr std::size_t most = 200;
    while (b.completed.size() < most && b.core.edge() < 200'000) {
        if (b.held.size() < most && b.accepted.size() == b.held.size()) {
            blocks.push_back(1 + static_cast<std::uint32_t>(random.below(4)));
            b.request(static_cast<unsigned>(blocks.size() - 1), blocks.back());
        }
        for (; seen < b.ready.size(); ++seen) {
            const std::uint32_t id = b.ready[seen].second;
            EXPECT_EQ(id, seen + 1);  // first come, first served
            running.push_back({id, b.entries[seen], blocks[id]});
        }
        if (!running.empty() && random.chance(0.2)) {
            const std::size_t at = random.below(running.size());
            b.finish(running[at].id, running[at].entry, running[at].blocks);
            running.erase(running.begin() + static_cast<std::ptrdiff_t>(at));
        }
        b.run(1);
    }
    EXPECT_EQ(b.completed.size(), most);
    b.run(20);
    EXPECT_EQ(b.dut.front().used(), 0U);
    EXPECT_THAT(report_catcher::reports(), IsEmpty()) << report_catcher::text();
}

TEST(kernel_distributor_pins, the_pins_name_32_entries) {
    clock_domain core("core", frequency::megahertz(1000));
    const pin_configuration settings;
    try {
        kernel_distributor_pins dut("distributor_pins",
                                    kernel_distributor_pins::options{
                                        core, settings, block_implementation::pins, {33}, 2, 1});
        FAIL() << "no error";
    } catch (const configuration_error& error) {
        EXPECT_THAT(error.what(), HasSubstr("kernel_distributor.entries = 33; legal behind pins"));
    }
}

/// What a distributor that errs does: the transactor names it.
struct wrong_distributor {
    distributor_pins pins;
    clock_domain core{"core", frequency::megahertz(1000)};
    pin_clock clock{"clock", core};
    protocol::testing::scripted_initiator<protocol::kernel_dispatch_link> kmu{"kmu"};
    protocol::testing::scripted_target<protocol::kde_link> scheduler{"scheduler"};
    protocol::testing::scripted_initiator<protocol::kde_link> updater{"updater"};
    distributor_to_pins front{"front", clock, pins, 4};
    report_catcher catcher;

    wrong_distributor() {
        kmu.socket.bind(front.dispatch_socket);
        front.kernel_ready_socket.bind(scheduler.socket);
        updater.socket.bind(front.block_update_socket);
        sc_core::sc_start(5500, sc_core::SC_PS);
    }
};

TEST(distributor_to_pins, a_kernel_must_have_been_dispatched) {
    wrong_distributor b;
    b.pins.start.valid.write(true);
    sc_core::sc_start(1, sc_core::SC_NS);
    EXPECT_THAT(report_catcher::text(), HasSubstr("launches start in the order"));
}

TEST(distributor_to_pins, only_a_kernel_that_has_started_completes) {
    wrong_distributor b;
    b.pins.complete.valid.write(true);
    sc_core::sc_start(1, sc_core::SC_NS);
    EXPECT_THAT(report_catcher::text(), HasSubstr("where it did not start"));
}

}  // namespace
}  // namespace heddle::pins
