// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// The parts of the CPI stack sum to cycles x schedulers, and name what holds the warps up.
#include <gmock/gmock.h>

#include <map>
#include <sstream>

#include "hw/smx/smx_statistics.h"
#include "models/workloads/registry.h"
#include "tests/hw/base/child_process.h"
#include "tests/hw/top/machine_fixture.h"

namespace heddle {
namespace {

/// Statistics of a run in a process of its own, by name.
std::map<std::string, std::uint64_t> counts_of(const gpu_configuration& configuration,
                                               const std::function<void(device&)>& program) {
    const process_result result = run_in_child([&](std::string& output) {
        timed_machine machine(configuration);
        machine.run_well(program);
        const statistics all = machine.collected();
        for (const statistic& s : all.entries()) {
            const auto* count = std::get_if<std::uint64_t>(&s.value);
            if (count != nullptr) output += s.name + " " + std::to_string(*count) + "\n";
        }
        return testing::Test::HasFailure() ? 1 : 0;
    });
    EXPECT_EQ(result.exit_code, 0) << result.output;
    std::map<std::string, std::uint64_t> counts;
    std::istringstream lines(result.output);
    std::string name;
    for (std::uint64_t value = 0; lines >> name >> value;) counts[name] = value;
    return counts;
}

std::uint64_t stack_of(const std::map<std::string, std::uint64_t>& counts,
                       const std::string& scope) {
    std::uint64_t sum = 0;
    for (const statistic_declaration& part : scheduler_statistics) {
        sum += counts.at(scope + "." + part.name);
    }
    return sum;
}

std::function<void(device&)> workload(const std::string& name,
                                      std::map<std::string, std::string> values = {},
                                      const std::string& input = "") {
    return [=](device& gpu) {
        workloads::workload_options options;
        options.input = input;
        options.values = values;
        workloads::run_workload(workloads::find_workload(name), gpu, options);
    };
}

class cpi_stack : public testing::TestWithParam<const char*> {};

TEST_P(cpi_stack, sums_to_cycles_times_schedulers) {
    const gpu_configuration configuration = configuration_of(GetParam());
    for (const auto& program :
         {workload("bfs", {{"searches", "2"}}, "kronecker:scale=8,degree=8"),
          workload("histogram", {{"n", "6000"}}), workload("reduction", {{"n", "5000"}})}) {
        const auto counts = counts_of(configuration, program);
        const std::uint64_t cycles = counts.at("gpu.cycles");
        const unsigned schedulers = configuration.smx.schedulers;
        const unsigned smxs = configuration.machine.smx_count;
        EXPECT_EQ(stack_of(counts, "gpu"), cycles * schedulers * smxs);
        for (unsigned i = 0; i < smxs; ++i) {
            EXPECT_EQ(stack_of(counts, "smx." + std::to_string(i)), cycles * schedulers);
        }
        // An issue keeps its scheduler for the issue interval, the last one unless the run ends.
        const std::uint64_t interval = configuration.smx.issue_interval;
        const std::uint64_t issues =
            counts.at("gpu.warp_instructions") * interval - counts.at("gpu.second_issues");
        EXPECT_LE(counts.at("gpu.issue_slots.issued"), issues);
        EXPECT_GE(counts.at("gpu.issue_slots.issued"), issues - (interval - 1) * schedulers * smxs);
    }
}

INSTANTIATE_TEST_SUITE_P(configurations, cpi_stack,
                         testing::Values("tiny", "g80", "gf100", "gk110", "si", "iris6100"),
                         [](const auto& info) { return std::string(info.param); });

/// Where a resource is made scarce, its part of the stack grows.
struct scarcity {
    const char* cause;
    const char* workload;
    settings changes;
};

TEST(cpi_stack, names_the_scarce_resource) {
    const std::vector<scarcity> all{
        {"integer_busy", "saxpy", {"smx.units.integer.initiation_interval=16"}},
        {"multiply_busy", "histogram", {"smx.units.multiply.initiation_interval=64"}},
        {"floating_busy", "compute", {"smx.units.floating.initiation_interval=32"}},
        {"memory_busy", "saxpy", {"smx.units.memory.initiation_interval=32"}},
        {"memory_stall", "transpose", {"shared.banks=1"}},
        {"reservation_fail", "bfs", {"l1d.mshrs=1"}},
        {"memory", "saxpy", {"dram.fixed.latency=2000"}},
        {"constants", "saxpy", {"constant_cache.hit_latency=400"}},
        {"dependency", "matrix", {"smx.units.integer.latency=200"}},
        {"fetch", "saxpy", {"l1i.hit_latency=60"}},
        {"barrier", "reduction", {"dram.fixed.latency=2000"}},
    };
    const std::map<std::string, std::map<std::string, std::string>> sizes{
        {"saxpy", {{"n", "8192"}}},
        {"histogram", {{"n", "8192"}}},
        {"compute", {{"n", "512"}, {"rounds", "4"}}},
        {"reduction", {{"n", "16384"}}},
        {"matrix", {{"rows", "32"}, {"inner", "64"}, {"columns", "64"}}},
        {"transpose", {{"rows", "64"}, {"columns", "64"}}},
        {"bfs", {}},
    };
    for (const scarcity& each : all) {
        SCOPED_TRACE(each.cause);
        const std::string name = each.workload;
        const auto part = [&](const settings& changes) {
            const auto counts = counts_of(
                configuration_of("tiny", changes),
                workload(name, sizes.at(name), name == "bfs" ? "kronecker:scale=7,degree=8" : ""));
            return counts.at(std::string("gpu.issue_slots.") + each.cause);
        };
        EXPECT_GT(part(each.changes), 2 * part({}));
    }
}

}  // namespace
}  // namespace heddle
