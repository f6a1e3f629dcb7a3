// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>

#include "hw/base/pool.h"
#include "hw/protocol/block_dispatch.h"
#include "hw/protocol/instrumentation.h"
#include "hw/protocol/kernel_launch.h"
#include "hw/protocol/memory_access.h"
#include "hw/protocol/warp_issue.h"
#include "models/base/error.h"
#include "tests/hw/protocol/scripted_link.h"

namespace heddle::protocol::testing {
namespace {

using tlm::TLM_ACCEPTED;
using tlm::TLM_COMPLETED;
using tlm::TLM_UPDATED;

/// A file that is removed at the end of the test.
struct message_file {
    std::filesystem::path path =
        std::filesystem::path(::testing::TempDir()) /
        ("heddle_" + std::to_string(getpid()) + "_" +
         ::testing::UnitTest::GetInstance()->current_test_info()->name() + ".links");
    message_file() = default;
    ~message_file() { std::filesystem::remove(path); }
    message_file(const message_file&) = delete;
    message_file& operator=(const message_file&) = delete;

    [[nodiscard]] std::string text() const {
        std::ifstream in(path);
        return {std::istreambuf_iterator<char>(in), {}};
    }
};

/// A link of memory between a requester and a memory, and its trace; the clock has 1 GHz.
struct traced_memory {
    message_file file;
    link_trace trace;
    scripted_initiator<memory_link> initiator{"initiator"};
    scripted_target<memory_link> target{"target"};
    instrumentation links;

    explicit traced_memory(std::vector<std::string> scopes = {}, time_window window = {})
        : trace(file.path, frequency::megahertz(1000), std::move(scopes), window),
          links(false, nullptr, nullptr, &trace) {
        links.connect(initiator.socket, target.socket, {"first", "gpu.smx_0", "memory"});
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }
    std::unique_ptr<memory_transaction> access(memory_kind kind, std::uint64_t address) {
        auto p = std::make_unique<memory_transaction>();
        p->prepare(kind, address, 4);
        p->access().launch = launch_id(3);
        p->access().sm = sm_id(1);
        p->access().block = 7;
        for (unsigned i = 0; i < 4; ++i) p->data()[i] = static_cast<std::uint8_t>(0x10 + i);
        return p;
    }
    void request(memory_transaction& p, tlm::tlm_sync_enum answer, memory_phase with) {
        target.on_forward = [=](tlm::tlm_generic_payload&, memory_phase& phase, sc_time&) {
            if (answer == TLM_UPDATED) phase = with;
            return answer;
        };
        memory_phase phase = memory_phase::begin_request;
        sc_time t;
        initiator.socket->nb_transport_fw(p, phase, t);
    }
    void respond(memory_transaction& p, tlm::tlm_sync_enum answer) {
        p.set_response_status(tlm::TLM_OK_RESPONSE);
        initiator.on_backward = [=](tlm::tlm_generic_payload&, memory_phase&, sc_time&) {
            return answer;
        };
        memory_phase phase = memory_phase::begin_response;
        sc_time t;
        target.socket->nb_transport_bw(p, phase, t);
    }
    std::string finish() {
        trace.finish();
        return file.text();
    }
};

const std::string header = "heddle-link-trace 1 1000000\nlink gpu.smx_0.memory memory_access\n";
const std::string ids = "launch=3 sm=1 block=7 warp=0 mask=0x0000000000000000000000000000000f";

TEST(link_trace, a_load_shows_its_data_when_they_have_come) {
    traced_memory f;
    sc_core::sc_start(5, SC_NS);
    auto load = f.access(memory_kind::load, 0x1004);
    f.request(*load, TLM_UPDATED, memory_phase::end_request);
    sc_core::sc_start(2500, sc_core::SC_PS);
    f.respond(*load, TLM_COMPLETED);
    const std::string fields = "command=read address=0x1004 bytes=4 kind=load " + ids;
    EXPECT_EQ(f.finish(), header + "5 5000 gpu.smx_0.memory 1 begin_request " + fields +
                              "\n5 5000 gpu.smx_0.memory 1 end_request\n"
                              "7 7500 gpu.smx_0.memory 1 begin_response " +
                              fields + " response=TLM_OK_RESPONSE data=0x13121110\n" +
                              "7 7500 gpu.smx_0.memory 1 completed\n");
}

TEST(link_trace, a_store_shows_its_data_at_once_and_a_call_may_complete_it) {
    traced_memory f;
    auto store = f.access(memory_kind::store, 0x1008);
    f.request(*store, TLM_COMPLETED, {});
    const std::string text = f.finish();
    EXPECT_NE(text.find("begin_request command=write address=0x1008 bytes=4 kind=store " + ids +
                        " data=0x13121110\n"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("1 completed command=write"), std::string::npos) << text;
    EXPECT_EQ(text.find("data="), text.rfind("data=")) << "data of a store are sent once";
}

TEST(link_trace, an_atomic_shows_what_each_lane_does) {
    traced_memory f;
    auto atomic = f.access(memory_kind::atomic, 0x1000);
    memory_access& what = atomic->access();
    what.operation = isa::opcode::amoadd_w;
    what.atomic_count = 2;
    what.atomics[0] = {1, 0, 0, 0x20, 0, 0};
    what.atomics[1] = {5, 4, 0, 0xff, 0, 0};
    f.request(*atomic, TLM_ACCEPTED, {});
    what.atomics[0].result = 0xa;
    what.atomics[1].result = 0xb;
    f.respond(*atomic, TLM_ACCEPTED);
    const std::string text = f.finish();
    EXPECT_NE(text.find(" operation=amoadd.w atomics=1:0:20:0,5:4:ff:0\n"), std::string::npos)
        << text;
    EXPECT_NE(text.find(" operation=amoadd.w atomics=1:0:20:0:a,5:4:ff:0:b\n"), std::string::npos)
        << text;
}

TEST(link_trace, messages_of_an_instant_have_an_order_of_their_own) {
    message_file file;
    link_trace trace(file.path, frequency::megahertz(1000), {});
    const unsigned first = trace.add_link("first", "p");
    const unsigned second = trace.add_link("second", "p");
    const sc_time ns(1, SC_NS);
    trace.write(second, 1, ns, "a", {});
    trace.write(first, 2, ns, "b", {});
    trace.write(first, 1, ns, "d", "x=1");
    trace.write(first, 1, ns, "c", {});
    trace.write(first, 1, 2 * ns, "e", {});
    trace.finish();
    EXPECT_EQ(file.text(),
              "heddle-link-trace 1 1000000\nlink first p\nlink second p\n"
              "1 1000 first 1 d x=1\n1 1000 first 1 c\n1 1000 first 2 b\n1 1000 second 1 a\n"
              "2 2000 first 1 e\n");
}

TEST(link_trace, a_link_that_is_not_selected_has_no_observer) {
    traced_memory f({"gpu.smx_1"});
    EXPECT_EQ(f.trace.scopes().unmatched(), std::vector<std::string>{"gpu.smx_1"});
    EXPECT_EQ(sc_core::sc_find_object("first_messages"), nullptr);
    auto load = f.access(memory_kind::load, 0x1004);
    f.request(*load, TLM_ACCEPTED, {});
    EXPECT_EQ(f.finish(), "heddle-link-trace 1 1000000\n");
}

TEST(link_trace, messages_outside_of_the_window_count_but_are_not_shown) {
    traced_memory f({}, {3000, 5000});
    auto before = f.access(memory_kind::load, 0x1004);
    f.request(*before, TLM_UPDATED, memory_phase::end_request);
    sc_core::sc_start(4, SC_NS);
    auto within = f.access(memory_kind::load, 0x1008);
    f.request(*within, TLM_ACCEPTED, {});
    sc_core::sc_start(4, SC_NS);
    f.respond(*before, TLM_ACCEPTED);
    EXPECT_EQ(f.finish(), header +
                              "4 4000 gpu.smx_0.memory 2 begin_request command=read "
                              "address=0x1008 bytes=4 kind=load " +
                              ids + "\n");
}

TEST(link_trace, illegal_phases_are_left_out) {
    traced_memory f;
    auto load = f.access(memory_kind::load, 0x1004);
    f.respond(*load, TLM_ACCEPTED);
    f.respond(*load, TLM_COMPLETED);
    EXPECT_EQ(f.finish(), header);
}

TEST(link_trace, a_call_is_one_message_with_its_answer) {
    message_file file;
    link_trace trace(file.path, frequency::megahertz(1000), {});
    scripted_initiator<warp_link> initiator("initiator");
    scripted_target<warp_link> target("target");
    instrumentation links(false, nullptr, nullptr, &trace);
    links.connect(initiator.socket, target.socket, "scheduler");
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    target.on_forward = [](warp_cycle& c, warp_phase&, sc_time&) {
        c.decision = {true, warp_slot(3)};
        return TLM_COMPLETED;
    };
    warp_cycle cycle;
    cycle.status.issuable = 0x18;
    warp_phase phase = warp_phase::select;
    sc_time t;
    initiator.socket->nb_transport_fw(cycle, phase, t);
    trace.finish();
    EXPECT_NE(file.text().find("0 0 scheduler 1 select sm=0 scheduler=0 warp=3 valid=1 "
                               "resident=0x0 ready=0x0 issuable=0x18 "),
              std::string::npos)
        << file.text();
}

TEST(link_trace, launches_and_blocks_have_their_shapes) {
    kernel_launch launch;
    launch.launch = launch_id(2);
    launch.kernel_name = "two words";
    launch.grid = {3, 2, 1};
    launch.block = {64, 1, 1};
    launch.entry_pc = 0x10000;
    std::string text;
    attribute_list list(text, attribute_list::style::fields);
    link_rules<launch_link>::describe(launch, list);
    link_rules<launch_link>::detail(launch, false, list);
    EXPECT_EQ(text,
              "launch=2 kernel=two_words blocks=6 threads=64 source=host grid=3,2,1 block=64,1,1 "
              "entry=0x10000 parameters=0x0 parameter_bytes=0 queue=0 priority=0 cooperative=0");
    block_dispatch block;
    block.position = {1, 2, 3};
    block.outcome = block_outcome::completed;
    block.warp_instructions = 9;
    std::string position;
    attribute_list place(position, attribute_list::style::fields);
    link_rules<block_link>::detail(block, true, place);
    EXPECT_EQ(position, "x=1 y=2 z=3 context=0 invalidate_l1=0 outcome=1 warp_instructions=9");
}

TEST(link_trace, a_file_that_is_not_finished_does_not_appear) {
    message_file file;
    { link_trace trace(file.path, frequency::megahertz(1), {}); }
    EXPECT_FALSE(std::filesystem::exists(file.path));
    EXPECT_THROW(link_trace("/nonexistent/x", frequency::megahertz(1), {}), configuration_error);
}

}  // namespace
}  // namespace heddle::protocol::testing
