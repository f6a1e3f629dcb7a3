// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Workloads on the RTL SMX, in lock step with the functional simulator, with stalls on all pins.
#include <gmock/gmock.h>

#include "models/workloads/registry.h"
#include "tests/rtl_smx/rtl_device.h"
#include "tests/rtl_smx/settings.h"

namespace heddle::rtl_smx {
namespace {

using option_values = std::map<std::string, std::string>;

struct workload_case {
    const char* workload;
    option_values values;
    std::string input = "";
};

class rtl_workload : public testing::TestWithParam<workload_case> {};

TEST_P(rtl_workload, runs_in_lock_step) {
    const workload_case& one = GetParam();
    for (const unsigned stall : {0U, 40U}) {
        rtl_settings settings;
        settings.stalls = {stall, stall, stall, stall, stall, stall};
        settings.seed = setting("HEDDLE_SEED", 1);
        settings.fault = setting("HEDDLE_FAULT", 0);
        rtl_device gpu(settings);
        const auto report = workloads::run_workload(workloads::find_workload(one.workload), gpu,
                                                    {settings.seed, one.input, one.values});
        EXPECT_NO_THROW(report.require_correct(one.workload)) << "stalls " << stall;
        EXPECT_GT(gpu.steps(), 0U);
        EXPECT_EQ(gpu.counts().instructions, gpu.steps());
        RecordProperty("clocks", std::to_string(gpu.clocks()));
        std::printf("%s, stalls %u: %lu clocks, %lu steps\n", one.workload, stall,
                    static_cast<unsigned long>(gpu.clocks()),
                    static_cast<unsigned long>(gpu.steps()));
    }
}

// Of the workloads that need no mechanism: sizes around a warp, partial blocks, floats, special
// functions, atomics, locks, recursion, private memory, shared memory of two blocks.
INSTANTIATE_TEST_SUITE_P(
    all, rtl_workload,
    testing::Values(
        workload_case{"saxpy", {{"n", "1000"}, {"block", "48"}}},
        workload_case{"saxpy", {{"n", "70"}, {"block", "1"}}},
        workload_case{"matrix", {{"rows", "17"}, {"columns", "9"}, {"inner", "11"}}},
        workload_case{"matrix",
                      {{"variant", "tiled"}, {"rows", "17"}, {"columns", "18"}, {"inner", "19"}}},
        workload_case{"reduction", {{"n", "700"}, {"block", "64"}, {"blocks", "3"}}},
        workload_case{"reduction", {{"n", "901"}, {"type", "float"}}},
        workload_case{"latency", {{"variant", "private"}, {"rounds", "3"}}},
        workload_case{"latency", {{"variant", "coalescing"}, {"stride", "68"}}},
        workload_case{"bandwidth", {{"variant", "read_past_l1"}, {"size", "3000"}}},
        workload_case{"barrier", {{"rounds", "1"}}},
        workload_case{"throughput", {{"variant", "shared"}, {"rounds", "1"}}},
        workload_case{"throughput", {{"variant", "atomics"}, {"rounds", "1"}}},
        workload_case{"histogram", {{"n", "601"}, {"bins", "31"}, {"block", "33"}}},
        workload_case{"histogram", {{"n", "399"}, {"variant", "global"}, {"skew", "100"}}},
        workload_case{"transpose", {{"rows", "33"}, {"columns", "35"}}},
        workload_case{"compute", {{"n", "100"}, {"rounds", "5"}, {"block", "96"}}},
        workload_case{"divergence", {{"n", "33"}, {"block", "32"}}},
        workload_case{"divergence", {{"n", "70"}, {"case", "recursion"}}},
        workload_case{"lock", {{"n", "100"}, {"locks", "7"}, {"block", "33"}}},
        workload_case{"lock", {{"n", "64"}, {"case", "lists"}, {"locks", "10"}}},
        workload_case{"bfs", {}, "kronecker:scale=6,degree=4"},
        workload_case{"bfs", {{"variant", "queue"}}, "kronecker:scale=6,degree=4"},
        workload_case{"lps", {{"nx", "33"}, {"ny", "9"}, {"nz", "5"}, {"iterations", "2"}}},
        workload_case{"stencil", {{"nx", "33"}, {"ny", "5"}, {"nz", "4"}, {"iterations", "1"}}},
        workload_case{"atax", {{"rows", "33"}, {"columns", "35"}, {"block", "32"}}},
        workload_case{"bitonic", {{"size", "64"}, {"arrays", "2"}}},
        workload_case{"black", {{"options", "130"}}},
        workload_case{"montecarlo", {{"options", "2"}, {"paths", "70"}}},
        workload_case{"sobolqrng", {{"points", "100"}, {"dimensions", "3"}}},
        workload_case{"pathfinder", {{"rows", "5"}, {"columns", "300"}}},
        workload_case{"lu", {{"matrices", "2"}, {"tiles", "2"}}}),
    [](const testing::TestParamInfo<workload_case>& info) {
        return std::string(info.param.workload) + "_" + std::to_string(info.index);
    });

}  // namespace
}  // namespace heddle::rtl_smx
