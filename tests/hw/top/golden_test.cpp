// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Every workload on every configuration: right, equal to the functional simulator's result, and
// without a violation on any link.
#include <gmock/gmock.h>

#include "models/base/configuration.h"
#include "models/iss/simulator.h"
#include "models/workloads/registry.h"
#include "tests/hw/top/machine_fixture.h"
#include "tests/hw/top/small_workloads.h"

namespace heddle {
namespace {

using pairing = std::tuple<std::string, std::string>;  // workload, configuration

class golden : public testing::TestWithParam<pairing> {};

TEST_P(golden, equals_the_functional_simulator) {
    const auto& [name, configuration_name] = GetParam();
    gpu_configuration configuration = configuration_of(configuration_name);
    if (needs_transactions(name)) configuration.machine.tm.enabled = true;
    const workloads::workload& workload = workloads::find_workload(name);
    const workloads::workload_options options = small_options(name);
    workloads::workload_report timed;
    timed_machine machine(configuration);
    machine.run_well([&](device& gpu) { timed = workloads::run_workload(workload, gpu, options); });
    EXPECT_NO_THROW(timed.require_correct(name));
    iss::functional_simulator simulator(configuration.machine);
    const workloads::workload_report expected =
        workloads::run_workload(workload, simulator, options);
    EXPECT_FALSE(timed.buffers().empty());
    EXPECT_EQ(workloads::golden_difference(timed, expected), std::nullopt);
    EXPECT_GT(machine.count("gpu.cycles"), 0U);
    EXPECT_EQ(machine.count("gpu.blocks"), simulator.total().blocks);
}

std::vector<std::string> configuration_names() {
    std::vector<std::string> names;
    for (const configuration_entry& each : list_configurations({source_path("configs")})) {
        names.push_back(each.name);
    }
    return names;
}

INSTANTIATE_TEST_SUITE_P(all, golden,
                         testing::Combine(testing::ValuesIn(workload_names()),
                                          testing::ValuesIn(configuration_names())),
                         [](const testing::TestParamInfo<pairing>& info) {
                             return std::get<0>(info.param) + "_on_" + std::get<1>(info.param);
                         });

}  // namespace
}  // namespace heddle
