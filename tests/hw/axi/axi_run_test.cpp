// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// The whole machine with its memory behind the pins of AXI4. Links are checked, the functional
// simulator runs in step, and pins.check is on by default.
#include <gmock/gmock.h>

#include <cstdio>

#include "hw/axi/rtl_memory.h"
#include "models/workloads/registry.h"
#include "tests/hw/base/child_process.h"
#include "tests/hw/top/machine_fixture.h"

namespace heddle {
namespace {

struct bus_case {
    const char* name;
    const char* configuration;
    settings changes;
};
void PrintTo(const bus_case& one, std::ostream* out) {
    *out << one.name;
}

struct run_result {
    std::uint64_t cycles = 0;
    std::string buffers;
};

/// A run that ends well, in a process of its own: its cycles, and the bytes of its results.
run_result run_of(const std::string& workload, const bus_case& machine, const settings& more,
                  bool no_sleep = false) {
    const process_result result = run_in_child([&](std::string& output) {
        settings all = machine.changes;
        all.insert(all.end(), more.begin(), more.end());
        timed_machine gpu(configuration_of(machine.configuration, all), no_sleep);
        workloads::workload_options options;
        if (workload == "bfs") options.input = "kronecker:scale=7,degree=6";
        if (workload == "matrix") {
            options.values = {{"rows", "40"}, {"columns", "50"}, {"inner", "33"}};
        }
        std::string bytes;
        gpu.run_well([&](device& where) {
            const auto report =
                workloads::run_workload(workloads::find_workload(workload), where, options);
            report.require_correct(workload);
            for (const auto& each : report.buffers()) {
                bytes.append(reinterpret_cast<const char*>(each.bytes.data()), each.bytes.size());
            }
        });
        output = std::to_string(gpu.count("gpu.cycles")) + " " + bytes;
        std::fflush(stdout);
        return testing::Test::HasFailure() ? 1 : 0;
    });
    EXPECT_EQ(result.exit_code, 0) << result.output;
    const std::size_t space = result.output.find(' ');
    if (space == std::string::npos) return {};
    return {std::stoull(result.output), result.output.substr(space + 1)};
}

class axi_run : public testing::TestWithParam<std::tuple<bus_case, const char*>> {};

TEST_P(axi_run, has_the_results_of_a_run_without_pins) {
    const auto& [machine, workload] = GetParam();
    bus_case plain = machine;
    plain.changes = {"dram.model=gddr"};
    if (std::string(machine.configuration) == "tiny") {
        plain.changes.emplace_back("dram.row_mask=2147418112");
    }
    const run_result tlm = run_of(workload, plain, {});
    settings on_pins = plain.changes;
    on_pins.insert(on_pins.end(), machine.changes.begin(), machine.changes.end());
    const run_result axi = run_of(workload, {machine.name, machine.configuration, on_pins}, {});
    EXPECT_FALSE(tlm.buffers.empty());
    EXPECT_EQ(axi.buffers, tlm.buffers);
    EXPECT_NE(axi.cycles, tlm.cycles);
    EXPECT_EQ(run_of(workload, {machine.name, machine.configuration, on_pins}, {}, true).cycles,
              axi.cycles)
        << "--no-sleep";
}

std::vector<bus_case> buses() {
    std::vector<bus_case> all{
        {"pair", "tiny", {"memory.bus=axi"}},
        {"pair_32_bits", "tiny", {"memory.bus=axi", "memory.axi_width=32", "memory.axi_ids=2"}},
        {"pair_stalls", "tiny", {"memory.bus=axi", "memory.axi_width=512", "pins.stalls=40"}},
        {"pair_fixed", "tiny", {"memory.bus=axi", "dram.model=fixed"}}};
    if (axi::rtl_memory_built()) {
        all.push_back({"rtl", "gk110", {"memory.bus=axi_rtl"}});
        all.push_back({"rtl_stalls",
                       "tiny",
                       {"memory.bus=axi_rtl", "memory.axi_width=64", "pins.stalls=40"}});
    }
    return all;
}

INSTANTIATE_TEST_SUITE_P(
    buses, axi_run, testing::Combine(testing::ValuesIn(buses()), testing::Values("bfs", "matrix")),
    [](const auto& info) {
        return std::string(std::get<0>(info.param).name) + "_" + std::get<1>(info.param);
    });

TEST(axi_run_setting, a_wider_bus_is_faster) {
    const auto cycles = [](const char* width) {
        return run_of("matrix", {"", "tiny", {"memory.bus=axi"}},
                      {std::string("memory.axi_width=") + width})
            .cycles;
    };
    EXPECT_GT(cycles("32"), cycles("256"));
}

TEST(axi_run_setting, stalls_cost_cycles) {
    const auto cycles = [](const char* percent) {
        return run_of("matrix", {"", "tiny", {"memory.bus=axi"}},
                      {std::string("pins.stalls=") + percent})
            .cycles;
    };
    EXPECT_GT(cycles("60"), cycles("0"));
}

}  // namespace
}  // namespace heddle
