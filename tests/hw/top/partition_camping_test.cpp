// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Partition camping: the columns of a matrix whose rows are as long as the pieces of all banks lie
// in one L2 bank, unless l2.hash has the banks take turns in another order in each round.
#include "models/workloads/registry.h"
#include "tests/hw/base/child_process.h"
#include "tests/hw/top/machine_fixture.h"

namespace heddle {
namespace {

/// Cycles of a transposition straight from memory, whose warps write down columns. With one block
/// on an SMX, the blocks that run at one time write to the same rows.
std::uint64_t transpose(const std::string& name, bool hash) {
    const process_result result = run_in_child([&](std::string& output) {
        const gpu_configuration configuration =
            configuration_of(name, {hash ? "l2.hash=true" : "l2.hash=false", "smx.max_blocks=1"});
        workloads::workload_options options;
        options.values["variant"] = "naive";
        options.values["columns"] = "512";
        options.values["rows"] =
            std::to_string(configuration.l2.banks * configuration.l2.interleave / 4);
        timed_machine machine(configuration);
        workloads::workload_report report;
        machine.run_well([&](device& gpu) {
            report = workloads::run_workload(workloads::find_workload("transpose"), gpu, options);
        });
        output = std::to_string(machine.count("gpu.cycles"));
        return report.correct() ? 0 : 1;
    });
    EXPECT_EQ(result.exit_code, 0) << result.output;
    return std::stoull("0" + result.output);
}

class partition_camping : public testing::TestWithParam<const char*> {};

TEST_P(partition_camping, is_undone_by_the_hash) {
    const std::uint64_t plain = transpose(GetParam(), false);
    const std::uint64_t hashed = transpose(GetParam(), true);
    EXPECT_LT(3 * hashed, 2 * plain) << hashed << " cycles against " << plain;
}

INSTANTIATE_TEST_SUITE_P(machines, partition_camping, testing::Values("gf100", "gk110", "iris6100"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace heddle
