// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "hw/protocol/block_dispatch.h"
#include "hw/protocol/instrumentation.h"
#include "hw/protocol/kernel_launch.h"
#include "hw/protocol/memory_access.h"
#include "hw/protocol/thread_turn.h"
#include "hw/protocol/warp_issue.h"
#include "models/base/error.h"
#include "tests/hw/protocol/scripted_link.h"

namespace heddle::protocol::testing {
namespace {

using nlohmann::json;
using tlm::TLM_COMPLETED;
using tlm::TLM_UPDATED;

/// A trace file that is removed at the end of the test.
struct trace_file {
    std::filesystem::path path =
        std::filesystem::path(::testing::TempDir()) /
        ("heddle_" + std::to_string(getpid()) + "_" +
         ::testing::UnitTest::GetInstance()->current_test_info()->name() + ".trace.json");
    trace_file() { std::filesystem::remove(path); }
    ~trace_file() { std::filesystem::remove(path); }
    trace_file(const trace_file&) = delete;
    trace_file& operator=(const trace_file&) = delete;

    [[nodiscard]] json slices() const {
        std::ifstream in(path);
        json out = json::array();
        const json trace = json::parse(in);
        for (const auto& event : trace["traceEvents"]) {
            if (event["ph"] == "X") {
                out.push_back(event);
            }
        }
        return out;
    }
};

struct recorded_blocks {
    trace_file file;
    trace_writer writer{file.path};
    scripted_initiator<block_link> initiator{"initiator"};
    scripted_target<block_link> target{"target"};
    timeline_recorder<block_link> recorder{"recorder", writer, "smx0"};
    pool<kernel_launch> kernels{"kernels"};
    pool<block_dispatch> blocks{"blocks"};

    recorded_blocks() {
        initiator.socket.bind(recorder.target_socket);
        recorder.initiator_socket.bind(target.socket);
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }
    pool_ptr<block_dispatch> dispatch(unsigned index, double annotation_ns = 0) {
        auto p = blocks.make();
        p->launch = launch_id(5);
        p->block = index;
        p->kernel = kernels.make();
        p->kernel->kernel_name = "say \"hi\"\n";
        block_phase phase = block_phase::dispatch;
        sc_time t(annotation_ns, SC_NS);
        initiator.socket->nb_transport_fw(*p, phase, t);
        return p;
    }
    void backward(block_dispatch& p, block_phase phase) {
        sc_time t;
        target.socket->nb_transport_bw(p, phase, t);
    }
    void finish() {
        recorder.finish();
        writer.finish();
    }
};

TEST(timeline_recorder, a_slice_per_transaction_and_per_state) {
    recorded_blocks f;
    auto p = f.dispatch(2);
    sc_core::sc_start(1.5, SC_NS);
    f.backward(*p, block_phase::started);
    sc_core::sc_start(10, SC_NS);
    f.backward(*p, block_phase::done);
    f.finish();
    const json slices = f.file.slices();
    ASSERT_EQ(slices.size(), 3U);
    EXPECT_EQ(slices[0]["name"], "block 2");
    EXPECT_EQ(slices[0]["cat"], "block_dispatch");
    EXPECT_EQ(slices[0]["args"]["launch"], 5);
    EXPECT_EQ(slices[0]["args"]["block"], 2);
    EXPECT_EQ(slices[0]["args"]["kernel"], "say \"hi\"\n");
    EXPECT_DOUBLE_EQ(slices[0]["dur"].get<double>(), 0.0115);
    EXPECT_EQ(slices[1]["name"], "dispatched");
    EXPECT_DOUBLE_EQ(slices[1]["dur"].get<double>(), 0.0015);
    EXPECT_EQ(slices[2]["name"], "running");
    EXPECT_DOUBLE_EQ(slices[2]["ts"].get<double>(), 0.0015);
    EXPECT_DOUBLE_EQ(slices[2]["dur"].get<double>(), 0.01);
}

TEST(timeline_recorder, a_block_that_makes_room_is_marked_where_it_leaves) {
    recorded_blocks f;
    for (const block_outcome outcome : {block_outcome::completed, block_outcome::preempted}) {
        auto p = f.dispatch(2);
        f.backward(*p, block_phase::started);
        sc_core::sc_start(10, SC_NS);
        p->outcome = outcome;
        f.backward(*p, block_phase::done);
    }
    f.finish();
    std::ifstream in(f.file.path);
    std::vector<json> instants;
    const json trace = json::parse(in);
    for (const auto& event : trace["traceEvents"]) {
        if (event["ph"] == "i") instants.push_back(event);
    }
    ASSERT_EQ(instants.size(), 1U);
    EXPECT_EQ(instants[0]["name"], "preempted");
    EXPECT_DOUBLE_EQ(instants[0]["ts"].get<double>(), 0.02);
    EXPECT_EQ(instants[0]["tid"], f.file.slices()[3]["tid"]);
}

TEST(timeline_recorder, flows_lead_from_launch_to_block_to_access) {
    recorded_blocks f;
    auto p = f.dispatch(2);
    f.backward(*p, block_phase::started);
    f.backward(*p, block_phase::done);
    f.finish();
    const json slices = f.file.slices();
    EXPECT_EQ(slices[0]["bind_id"], "0x500000000");
    EXPECT_EQ(slices[0]["flow_in"], true);
    EXPECT_EQ(slices[1]["name"], "dispatched") << "warps begin before the block is said to run";
    EXPECT_EQ(slices[1].value("bind_id", ""), "0x500000003");
    EXPECT_TRUE(slices[1].value("flow_out", false));
    EXPECT_FALSE(slices[2].contains("bind_id"));

    kernel_launch launch;
    launch.launch = launch_id(5);
    EXPECT_EQ(link_rules<launch_link>::flow_out(launch), launch_flow(launch_id(5)));
    EXPECT_EQ(link_rules<kernel_dispatch_link>::flow_in(launch), launch_flow(launch_id(5)));
    EXPECT_EQ(link_rules<kernel_dispatch_link>::flow_out(launch), 0U);
    EXPECT_EQ(link_rules<launch_link>::flow_in(launch), 0U) << "the host made it";
    kernel_launch child;
    child.launch = launch_id(sm_id(1), 1);
    child.parent = launch_id(5);
    EXPECT_EQ(link_rules<launch_link>::flow_in(child), launch_flow(launch_id(5)));
    EXPECT_EQ(link_rules<launch_link>::flow_out(child), launch_flow(child.launch));
    memory_transaction access;
    EXPECT_EQ(link_rules<memory_link>::flow_in(access), 0U) << "no launch, no flow";
    access.access().launch = launch_id(5);
    access.access().block = 2;
    EXPECT_EQ(link_rules<memory_link>::flow_in(access), block_flow(launch_id(5), 2));
}

TEST(timeline_recorder, launches_by_kernels_are_called_by_smx_and_count) {
    const auto arguments = [](launch_id id) {
        kernel_launch launch;
        launch.launch = id;
        std::string text;
        attribute_list list(text, attribute_list::style::json);
        link_rules<launch_link>::describe(launch, list);
        return json::parse("{" + text + "}");
    };
    EXPECT_EQ(arguments(launch_id(7))["launch"], 7);
    EXPECT_EQ(arguments(launch_id(7))["source"], "host");
    EXPECT_EQ(arguments(launch_id(sm_id(3), 7))["launch"], "3.7");
    EXPECT_EQ(arguments(launch_id(sm_id(3), 7))["source"], "device");
}

TEST(timeline_recorder, overlapping_transactions_lie_on_lanes_of_their_own) {
    recorded_blocks f;
    auto p = f.dispatch(0);
    auto q = f.dispatch(1);
    sc_core::sc_start(5, SC_NS);
    for (auto* block : {p.get(), q.get()}) {
        f.backward(*block, block_phase::started);
        f.backward(*block, block_phase::done);
    }
    auto r = f.dispatch(2);  // begins when the first two have ended: takes lane 0 again
    f.finish();
    const json slices = f.file.slices();
    EXPECT_EQ(slices[0]["tid"], 0);
    EXPECT_EQ(slices[3]["tid"], 1);
    EXPECT_EQ(slices[6]["tid"], 0);
    EXPECT_EQ(slices[6]["args"]["block"], 2);
}

TEST(timeline_recorder, an_annotated_end_keeps_its_lane_until_then) {
    recorded_blocks f;
    auto p = f.dispatch(0, 8);  // begins at 8 ns and ends there
    f.backward(*p, block_phase::started);
    f.backward(*p, block_phase::done);
    auto q = f.dispatch(1, 7);
    auto r = f.dispatch(2, 9);
    f.finish();
    const json slices = f.file.slices();
    EXPECT_EQ(slices[0]["tid"], 0);
    EXPECT_EQ(slices[3]["tid"], 1);
    EXPECT_EQ(slices[5]["tid"], 0);
}

TEST(timeline_recorder, what_is_under_way_at_the_end_is_written) {
    recorded_blocks f;
    auto p = f.dispatch(0);
    sc_core::sc_start(4, SC_NS);
    f.finish();
    const json slices = f.file.slices();
    ASSERT_EQ(slices.size(), 2U);
    EXPECT_DOUBLE_EQ(slices[1]["dur"].get<double>(), 0.004);
}

TEST(timeline_recorder, illegal_phases_are_ignored) {
    recorded_blocks f;
    auto p = f.dispatch(0);
    f.backward(*p, block_phase::done);  // not yet started
    f.backward(*p, static_cast<block_phase>(9));
    auto q = f.blocks.make();
    f.backward(*q, block_phase::done);  // never dispatched
    f.finish();
    EXPECT_EQ(f.file.slices().size(), 2U);
}

TEST(timeline_recorder, cycles_without_an_issue_are_left_out) {
    trace_file file;
    trace_writer writer(file.path);
    scripted_initiator<warp_link> initiator("initiator");
    scripted_target<warp_link> target("target");
    instrumentation observers(false, &writer);
    observers.connect(initiator.socket, target.socket, "scheduler0");
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    warp_cycle cycle;
    target.on_forward = [&](warp_cycle& c, warp_phase&, sc_time&) {
        c.decision.valid = c.status.issuable != 0;
        c.decision.warp = warp_slot(3);
        return TLM_COMPLETED;
    };
    for (int i = 0; i < 10; ++i) {
        cycle.status.issuable = i % 2;
        warp_phase phase = warp_phase::select;
        sc_time t;
        initiator.socket->nb_transport_fw(cycle, phase, t);
        sc_core::sc_start(1, SC_NS);
    }
    observers.finish();
    writer.finish();
    const json slices = file.slices();
    ASSERT_EQ(slices.size(), 5U);
    EXPECT_EQ(slices[0]["args"]["warp"], 3);
}

TEST(timeline_recorder, turns_without_an_issue_are_left_out) {
    trace_file file;
    trace_writer writer(file.path);
    scripted_initiator<thread_link> initiator("initiator");
    scripted_target<thread_link> target("target");
    instrumentation observers(false, &writer);
    observers.connect(initiator.socket, target.socket, "pool");
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    thread_turn turn;
    target.on_forward = [](thread_turn& t, thread_phase&, sc_time&) {
        const bool issues = t.cycle % 3 == 0;
        t.issue.outcome = issues ? turn_outcome::issued : turn_outcome::forming;
        t.issue.count = issues ? 2 : 0;
        t.issue.parts[0] = {block_slot(5), 0x10040, 0b0111};
        t.issue.parts[1] = {block_slot(6), 0x10044, 0b1000};
        return TLM_COMPLETED;
    };
    for (turn.cycle = 0; turn.cycle < 9; ++turn.cycle) {
        thread_phase phase = thread_phase::turn;
        sc_time t;
        initiator.socket->nb_transport_fw(turn, phase, t);
        sc_core::sc_start(1, SC_NS);
    }
    observers.finish();
    writer.finish();
    const json slices = file.slices();
    ASSERT_EQ(slices.size(), 3U);
    EXPECT_EQ(slices[0]["args"]["block"], 5);
    EXPECT_EQ(slices[0]["args"]["pc"], "0x10040");
    EXPECT_EQ(slices[0]["args"]["threads"], 4) << "of both parts";
}

TEST(trace_writer, no_file_without_finish) {
    trace_file file;
    {
        trace_writer writer(file.path);
        writer.add_track("t");
    }
    EXPECT_FALSE(std::filesystem::exists(file.path));
}

TEST(trace_writer, a_directory_that_is_missing_is_a_configuration_error) {
    EXPECT_THROW(trace_writer("/nonexistent/directory/trace.json"), configuration_error);
}

TEST(trace_writer, streams_to_disk) {
    trace_file file;
    trace_writer writer(file.path);
    const unsigned track = writer.add_track("t");
    for (std::uint64_t i = 0; i < 5000; ++i) {
        writer.write({track, 0, "n", "c", {}, i * 1'000'001, i * 1'000'001 + 1, 0, false});
    }
    std::uintmax_t on_disk = 0;
    for (const auto& entry : std::filesystem::directory_iterator(file.path.parent_path())) {
        const std::string name = entry.path().filename().string();
        if (name.find(file.path.filename().string()) != std::string::npos) {
            on_disk = entry.file_size();
        }
    }
    EXPECT_GT(on_disk, 200'000U) << "events are written while the run goes on";
    writer.finish();
    const json slices = file.slices();
    ASSERT_EQ(slices.size(), 5000U);
    EXPECT_DOUBLE_EQ(slices[3]["ts"].get<double>(), 3.000003);
    EXPECT_DOUBLE_EQ(slices[3]["dur"].get<double>(), 0.000001);
}

/// One scheduler with several SMXs: observers stand between multi sockets as well.
TEST(instrumentation, binds_multi_sockets) {
    struct fan : sc_core::sc_module {
        multi_initiator_socket_of<fan, block_link> socket{"socket"};
        std::vector<int> answered;
        explicit fan(const sc_core::sc_module_name& name) : sc_module(name) {
            socket.register_nb_transport_bw(this, &fan::answer);
        }
        tlm::tlm_sync_enum answer(int index, block_dispatch&, block_phase&, sc_time&) {
            answered.push_back(index);
            return TLM_COMPLETED;
        }
    };
    report_catcher catcher;
    fan scheduler("scheduler");
    scripted_target<block_link> first("first");
    scripted_target<block_link> second("second");
    instrumentation observers(true, nullptr);
    observers.connect(scheduler.socket, first.socket, "first_link");
    observers.connect(scheduler.socket, second.socket, "second_link");
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    pool<kernel_launch> kernels("kernels");
    pool<block_dispatch> blocks("blocks");
    for (auto* target : {&first, &second}) {
        target->on_forward = [](block_dispatch&, block_phase& phase, sc_time&) {
            phase = block_phase::started;
            return TLM_UPDATED;
        };
    }
    auto p = blocks.make();
    p->launch = launch_id(1);
    p->kernel = kernels.make();
    block_phase phase = block_phase::dispatch;
    sc_time t;
    scheduler.socket[1]->nb_transport_fw(*p, phase, t);
    EXPECT_EQ(phase, block_phase::started);
    const auto open = observers.open_transactions();
    ASSERT_EQ(open.size(), 2U);
    EXPECT_EQ(open[0].second.size(), 0U);
    EXPECT_EQ(open[1].first, "second_link_checker");
    ASSERT_EQ(open[1].second.size(), 1U);
    EXPECT_THAT(open[1].second[0], ::testing::HasSubstr("in state 'running'"));
    p->outcome = block_outcome::completed;
    phase = block_phase::done;
    second.socket->nb_transport_bw(*p, phase, t);
    EXPECT_EQ(scheduler.answered, std::vector<int>{1});
    observers.report_lost();
    EXPECT_TRUE(report_catcher::reports().empty()) << report_catcher::text();
}

}  // namespace
}  // namespace heddle::protocol::testing
