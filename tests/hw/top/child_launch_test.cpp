// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Workloads whose threads launch children, on the timed machine: right, equal to the functional
// simulator's result, with the same blocks, and without a violation on any link.
#include <gmock/gmock.h>

#include <map>
#include <ostream>

#include "models/iss/simulator.h"
#include "models/workloads/registry.h"
#include "tests/hw/top/machine_fixture.h"

namespace heddle {
namespace {

struct launching_case {
    const char* workload;
    const char* input;
    std::map<std::string, std::string> values;
};

/// Small, with more children than the Kernel Distributor has entries.
const std::vector<launching_case>& cases() {
    static const std::vector<launching_case> all{
        {"amr", "", {{"across", "4"}}},
        {"bfs/citation", "powerlaw:vertices=300", {{"threshold", "12"}}},
        {"bfs/usa_road", "road:width=12,height=9", {{"threshold", "3"}, {"child_block", "2"}}},
        {"bht", "", {{"bodies", "260"}, {"leaf", "60"}}},
        {"children", "", {{"launches", "300"}, {"each", "3"}}},
        {"clr/graph500", "kronecker:scale=6,degree=6", {}},
        {"join/gaussian", "", {{"left", "150"}, {"right", "300"}, {"different", "12"}}},
        {"pre", "ratings:users=24,items=48,mean=6,least=2", {}},
        {"regx/darpa", "packets:count=40,longest=120", {{"section", "30"}}},
        {"sssp/flight", "hubs:vertices=200,hubs=6", {{"threshold", "24"}}}};
    return all;
}

std::ostream& operator<<(std::ostream& out, const launching_case& one) {
    return out << one.workload;
}

std::vector<std::string> launching_modes() {
    std::vector<std::string> names;
    for (const workloads::named_mode& each : workloads::named_modes) {
        if (each.chosen.mode != workloads::launch_mode::flat) names.emplace_back(each.name);
    }
    return names;
}

using pairing = std::tuple<launching_case, std::string, std::string>;  // mode, configuration

class launching : public testing::TestWithParam<pairing> {};

TEST_P(launching, equals_the_functional_simulator) {
    const auto& [one, mode_name, configuration_name] = GetParam();
    const workloads::chosen_mode mode = workloads::parse_mode(mode_name);
    gpu_configuration configuration = configuration_of(configuration_name);
    configuration.machine.launch.ideal = mode.ideal;
    const workloads::workload& workload = workloads::find_workload(one.workload);
    workloads::workload_options options;
    options.seed = 5;
    options.input = one.input;
    options.values = one.values;
    options.mode = mode.mode;
    workloads::workload_report timed;
    timed_machine machine(configuration);
    machine.run_well([&](device& gpu) { timed = workloads::run_workload(workload, gpu, options); });
    EXPECT_NO_THROW(timed.require_correct(one.workload));
    iss::functional_simulator simulator(configuration.machine);
    const workloads::workload_report expected =
        workloads::run_workload(workload, simulator, options);
    EXPECT_EQ(workloads::golden_difference(timed, expected), std::nullopt);
    EXPECT_EQ(machine.count("gpu.blocks"), simulator.total().blocks);
    const std::uint64_t kernels = machine.count("launch.kernel.count");
    const std::uint64_t groups = machine.count("launch.group.count");
    EXPECT_GT(kernels + groups, 0U);
    if (mode.mode == workloads::launch_mode::cdp) {
        EXPECT_EQ(groups, 0U);
    }
    if (mode.mode == workloads::launch_mode::dtbl) {
        EXPECT_EQ(kernels, 0U);
    }
}

std::string name_of_case(const testing::TestParamInfo<pairing>& info) {
    std::string name = std::get<0>(info.param).workload;
    if (const auto slash = name.find('/'); slash != std::string::npos) name[slash] = '_';
    return name + "_" + std::get<1>(info.param) + "_on_" + std::get<2>(info.param);
}

INSTANTIATE_TEST_SUITE_P(all, launching,
                         testing::Combine(testing::ValuesIn(cases()),
                                          testing::ValuesIn(launching_modes()),
                                          testing::Values("tiny", "gk110")),
                         name_of_case);

}  // namespace
}  // namespace heddle
