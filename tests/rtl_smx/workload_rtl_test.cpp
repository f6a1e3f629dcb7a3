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

INSTANTIATE_TEST_SUITE_P(
    all, rtl_workload,
    testing::Values(workload_case{"saxpy", {{"n", "1000"}, {"block", "48"}}},
                    workload_case{"matrix", {{"rows", "17"}, {"columns", "9"}, {"inner", "11"}}},
                    workload_case{"matrix",
                                  {{"variant", "tiled"}, {"rows", "17"}, {"columns", "18"}, {"inner", "19"}}},
                    workload_case{"reduction", {{"n", "700"}, {"block", "64"}, {"blocks", "3"}}},
                    workload_case{"bfs", {}, "kronecker:scale=6,degree=4"}));

}  // namespace
}  // namespace heddle::rtl_smx
