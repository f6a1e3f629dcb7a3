// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// The whole machine with blocks behind pins: bfs and matrix give the right results, with the
// functional simulator in step and all checkers on.
#include <gmock/gmock.h>

#include "hw/cosim/pins/block_rtl.h"
#include "models/workloads/registry.h"
#include "tests/hw/base/child_process.h"
#include "tests/hw/top/machine_fixture.h"

namespace heddle {
namespace {

/// Cycles of a run that ends well, in a process of its own.
std::uint64_t cycles_of(const std::string& workload, const settings& changes) {
    const process_result result = run_in_child([&](std::string& output) {
        settings all{"dram.model=gddr", "dram.row_mask=2147418112"};
        all.insert(all.end(), changes.begin(), changes.end());
        timed_machine machine(configuration_of("tiny", all));
        workloads::workload_options options;
        if (workload == "bfs") options.input = "kronecker:scale=6,degree=4";
        if (workload == "matrix") {
            options.values = {{"rows", "40"}, {"columns", "24"}, {"inner", "20"}};
        }
        machine.run_well([&](device& gpu) {
            workloads::run_workload(workloads::find_workload(workload), gpu, options)
                .require_correct(workload);
        });
        output = std::to_string(machine.count("gpu.cycles"));
        std::fflush(stdout);
        return testing::Test::HasFailure() ? 1 : 0;
    });
    EXPECT_EQ(result.exit_code, 0) << result.output;
    return result.exit_code == 0 ? std::stoull(result.output) : 0;
}

class pin_run : public testing::TestWithParam<std::tuple<const char*, const char*, const char*>> {};

TEST_P(pin_run, gives_right_results) {
    const auto [block, what, workload] = GetParam();
    if (std::string(what) == "rtl" && !pins::has_block_rtl()) GTEST_SKIP();
    const std::string choice = std::string("slot.") + block + "=" + what;
    const std::uint64_t tlm = cycles_of(workload, {});
    const std::uint64_t behind = cycles_of(workload, {choice});
    const std::uint64_t stalled = cycles_of(workload, {choice, "pins.stalls=40"});
    const std::uint64_t unchecked = cycles_of(workload, {choice, "pins.check=false"});
    EXPECT_EQ(unchecked, behind);
    EXPECT_NE(stalled, behind);
    // Warps that meet in another order may make the whole run shorter: only bfs, whose launches
    // wait for each other, is always longer.
    if (std::string(workload) == "bfs") {
        EXPECT_GT(behind, tlm);
    }
    EXPECT_NE(behind, tlm);
    EXPECT_LT(behind, tlm + tlm / 4);
    EXPECT_GT(behind, tlm - tlm / 4);
}
INSTANTIATE_TEST_SUITE_P(
    blocks, pin_run,
    testing::Combine(testing::Values("kernel_distributor", "memory_controller"),
                     testing::Values("pins", "rtl"), testing::Values("bfs", "matrix")),
    [](const auto& info) {
        return std::string(std::get<0>(info.param)) + "_" + std::get<1>(info.param) + "_" +
               std::get<2>(info.param);
    });

TEST(pin_setting, a_fixed_memory_has_no_controllers) {
    try {
        (void)configuration_of("tiny", {"dram.model=fixed", "slot.memory_controller=pins"});
        FAIL() << "no error";
    } catch (const configuration_error& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("need dram.model = gddr"));
    }
}

TEST(pin_setting, a_pattern_that_names_no_instance_is_an_error) {
    try {
        timed_machine machine(configuration_of(
            "tiny", {"dram.model=gddr", "dram.row_mask=2147418112", "slot.memory_controller=pins",
                     "slot.memory_controller.where=gpu.smx_7"}));
        FAIL() << "no error";
    } catch (const configuration_error& error) {
        EXPECT_STREQ(error.what(),
                     "slot.memory_controller.where = 'gpu.smx_7' names no instance; there are: "
                     "gpu.memory_controller_0 to gpu.memory_controller_1");
    }
}

}  // namespace
}  // namespace heddle
