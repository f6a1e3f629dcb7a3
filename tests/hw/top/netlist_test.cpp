// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// The picture of a machine shows the modules and sockets that are there, equal instances once.
#include <gmock/gmock.h>

#include <set>
#include <sstream>
#include <systemc>
#include <tlm>

#include "hw/top/netlist_drawing.h"
#include "hw/top/simulation.h"
#include "tests/hw/top/machine_case.h"

namespace heddle {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// Of a machine that has been elaborated and has run no cycle. One in a process.
netlist netlist_of(const std::string& configuration, const settings& changes = {}) {
    simulation machine(configuration_of(configuration, changes), {});
    netlist found;
    EXPECT_EQ(machine.run([&](device&) { found = read_netlist(); }, {}), error_kind::none)
        << machine.status().text();
    return found;
}

std::string drawing_of(const std::string& configuration, const settings& changes = {}) {
    return netlist_drawing(netlist_of(configuration, changes), configuration);
}

/// Boxes, frames and arrows, without the lines that say how they look.
std::string shape_of(const std::string& drawing) {
    std::istringstream lines(drawing);
    std::string shape;
    for (std::string line; std::getline(lines, line);) {
        if (line.find("fontname") == std::string::npos) shape += line + "\n";
    }
    return shape;
}

TEST(netlist, of_tiny_is_drawn_as_it_is_built) {
    EXPECT_EQ(shape_of(drawing_of("tiny")), R"(digraph "tiny" {
    subgraph "cluster_gpu" {
        label="gpu";
        "gpu.host" [label="host"];
        "gpu.kmu" [label="kmu"];
        "gpu.kernel_distributor" [label="kernel_distributor"];
        "gpu.smx_scheduler" [label="smx_scheduler"];
        "gpu.crossbar" [label="crossbar"];
        "gpu.memory" [label="memory"];
        subgraph "cluster_gpu.smx_0" {
            label="smx × 2";
            "gpu.smx_0" [label="smx"];
            "gpu.smx_0.shared_memory" [label="shared_memory"];
            "gpu.smx_0.warp_scheduler_0" [label="warp_scheduler × 2"];
        }
        "gpu.l2_0" [label="l2 × 2"];
    }
    "gpu.host" -> "gpu.kmu" [label="launch_link"];
    "gpu.host" -> "gpu.crossbar" [label="memory_link"];
    "gpu.kmu" -> "gpu.kernel_distributor" [label="kernel_dispatch_link"];
    "gpu.kmu" -> "gpu.smx_scheduler" [label="kde_link"];
    "gpu.kernel_distributor" -> "gpu.smx_scheduler" [label="kde_link"];
    "gpu.smx_scheduler" -> "gpu.kernel_distributor" [label="kde_link"];
    "gpu.smx_scheduler" -> "gpu.smx_0" [label="block_link × 2"];
    "gpu.smx_scheduler" -> "gpu.kmu" [label="kde_link"];
    "gpu.smx_scheduler" -> "gpu.crossbar" [label="memory_link"];
    "gpu.crossbar" -> "gpu.l2_0" [label="memory_link × 2"];
    "gpu.smx_0" -> "gpu.crossbar" [label="memory_link × 2"];
    "gpu.smx_0" -> "gpu.smx_0.shared_memory" [label="shared_link"];
    "gpu.smx_0" -> "gpu.smx_0.warp_scheduler_0" [label="warp_link × 2"];
    "gpu.smx_0" -> "gpu.kmu" [label="launch_link × 2"];
    "gpu.smx_0" -> "gpu.smx_scheduler" [label="aggregation_link × 2\ncooperation_link × 2"];
    "gpu.l2_0" -> "gpu.memory" [label="base protocol × 2"];
}
)");
}

TEST(netlist, shows_what_a_configuration_adds) {
    EXPECT_THAT(drawing_of("gk110"), AllOf(HasSubstr(" label=\"smx × 13\";"),
                                           HasSubstr("[label=\"memory_controller × 10\"]")));
}

TEST(netlist, shows_the_units_that_an_smx_has) {
    EXPECT_THAT(drawing_of("g80", {"smx.formation=dwf"}),
                AllOf(HasSubstr("[label=\"thread_pool\"]"), Not(HasSubstr("warp_scheduler"))));
}

TEST(netlist, shows_a_block_behind_pins_apart_from_its_equals) {
    const std::string drawing = drawing_of(
        "gk110",
        {"slot.memory_controller=pins", "slot.memory_controller.where=gpu.memory_controller_2"});
    EXPECT_THAT(drawing, AllOf(HasSubstr("label=\"memory_controller_2_pins\";"),
                               HasSubstr("[label=\"memory_controller × 9\"]"),
                               HasSubstr("[label=\"memory_controller_2\"]"),
                               HasSubstr("[label=\"l2_2\"]"), HasSubstr("[label=\"l2 × 9\"]")));
}

/// Sockets of the modules of the hierarchy, as "MODULE initiator".
void gather_sockets(const std::vector<sc_core::sc_object*>& objects,
                    std::multiset<std::string>& found) {
    for (const sc_core::sc_object* const object : objects) {
        if (const auto* const socket = dynamic_cast<const tlm::tlm_base_socket_if*>(object)) {
            const bool initiator = (socket->get_socket_category() & tlm::TLM_INITIATOR_SOCKET) != 0;
            found.insert(object->get_parent_object()->name() +
                         std::string(initiator ? " initiator" : " target"));
        }
        gather_sockets(object->get_child_objects(), found);
    }
}

class every_socket : public testing::TestWithParam<machine_case> {};

TEST_P(every_socket, is_an_end_of_a_link) {
    const machine_case& one = GetParam();
    simulation machine(configuration_of(one.configuration, one.changes), {});
    netlist found;
    std::multiset<std::string> sockets;
    machine.run(
        [&](device&) {
            found = read_netlist();
            gather_sockets(sc_core::sc_get_top_level_objects(), sockets);
        },
        {});
    std::multiset<std::string> ends;
    for (const netlist::link& each : found.links) {
        ends.insert(found.modules[each.initiator].path + " initiator");
        ends.insert(found.modules[each.target].path + " target");
    }
    EXPECT_GT(sockets.size(), 20U);
    for (const std::string& each : sockets) {
        // A socket for many has more ends than one.
        EXPECT_GE(ends.count(each), sockets.count(each)) << each;
    }
}

INSTANTIATE_TEST_SUITE_P(
    of, every_socket,
    testing::Values(machine_case{"tiny", "tiny", {"coop.preempt=true", "tm.enabled=true"}},
                    machine_case{"gk110", "gk110", {}},
                    machine_case{"dwf", "g80", {"smx.formation=dwf"}},
                    machine_case{"axi", "tiny", {"memory.bus=axi"}}),
    name_of);

TEST(netlist_drawing, folds_equal_modules_and_counts_for_one_frame) {
    netlist machine;
    machine.modules = {{"top"},
                       {"top.hub", 0},
                       {"top.core_0", 0},
                       {"top.core_0.bank_0", 2},
                       {"top.core_0.bank_1", 2},
                       {"top.core_1", 0},
                       {"top.core_1.bank_0", 5},
                       {"top.core_1.bank_1", 5}};
    machine.links = {{2, 3, "a"}, {2, 4, "a"}, {5, 6, "a"}, {5, 7, "a"}, {1, 2, "b"}, {1, 5, "b"}};
    EXPECT_EQ(shape_of(netlist_drawing(machine, "two")), R"(digraph "two" {
    subgraph "cluster_top" {
        label="top";
        "top.hub" [label="hub"];
        subgraph "cluster_top.core_0" {
            label="core × 2";
            "top.core_0" [label="core"];
            "top.core_0.bank_0" [label="bank × 2"];
        }
    }
    "top.core_0" -> "top.core_0.bank_0" [label="a × 2"];
    "top.hub" -> "top.core_0" [label="b × 2"];
}
)");
    machine.links.push_back({7, 1, "c"});  // now no core and no bank is like another one
    const std::string split = netlist_drawing(machine, "split");
    EXPECT_THAT(split, AllOf(HasSubstr("label=\"core_0\";"), HasSubstr("label=\"core_1\";"),
                             HasSubstr("[label=\"bank × 2\"]"), HasSubstr("[label=\"bank_0\"]"),
                             HasSubstr("\"top.core_1.bank_1\" -> \"top.hub\" [label=\"c\"]")));
}

}  // namespace
}  // namespace heddle
