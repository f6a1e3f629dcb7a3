// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// The blocks' testbenches with RTL in lock step, as docs/rtl.md offers them to who writes RTL.
#include <gmock/gmock.h>

#include <array>
#include <cstdio>
#include <string>

#include "tb/kit/paths.h"

namespace heddle {
namespace {

struct testbench_case {
    const char* name;
    const char* command;  ///< below tb/
};
void PrintTo(const testbench_case& one, std::ostream* out) {
    *out << one.command;
}

class slot_testbench : public testing::TestWithParam<testbench_case> {};

TEST_P(slot_testbench, passes_and_asks_the_rtl) {
    std::string output;
    std::FILE* const pipe =
        popen((build_path("tb/") + GetParam().command + " --slot shadow 2>&1").c_str(), "r");
    ASSERT_NE(pipe, nullptr);
    for (std::array<char, 4096> part{}; std::fgets(part.data(), part.size(), pipe) != nullptr;) {
        output += part.data();
    }
    EXPECT_EQ(pclose(pipe), 0) << output;
    EXPECT_THAT(output, testing::HasSubstr(": the RTL was asked "));
    EXPECT_THAT(output, testing::Not(testing::HasSubstr(": the RTL was asked 0 times")));
}

INSTANTIATE_TEST_SUITE_P(
    blocks, slot_testbench,
    testing::Values(testbench_case{"warp_scheduler", "warp_scheduler_tb --warps 300"},
                    testbench_case{"formation", "formation_tb"},
                    testbench_case{"crossbar_allocator",
                                   "crossbar_tb --traffic uniform --load 0.3,1 --cycles 10000"},
                    testbench_case{"dram_scheduler", "memory_controller_tb"},
                    testbench_case{"queue_picker", "kmu_tb"},
                    testbench_case{"two_queues", "kmu_tb --queues 2 --dispatch-latency 50"},
                    testbench_case{"launches", "device_launch_tb"},
                    testbench_case{"many_launches",
                                   "device_launch_tb --entries 64 --groups 512 --lanes 32 "
                                   "--priorities 4 --launches 4 --smxs 2 "
                                   "--max-cycles 20000000"},
                    testbench_case{"tm_bank", "tm_tb --sets 100"}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace heddle
