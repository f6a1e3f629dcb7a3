// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// The testbench of the thread pool as a program, with the configurations that known faults need.
#include <gmock/gmock.h>

#include <sstream>

#include "tb/kit/paths.h"
#include "tests/integration/heddle_process.h"

namespace heddle {
namespace {

struct testbench_run {
    const char* name;
    const char* arguments;
};
void PrintTo(const testbench_run& one, std::ostream* out) {
    *out << one.name;
}

command_result run(const std::string& arguments) {
    std::istringstream words(arguments);
    const std::vector<std::string> all{std::istream_iterator<std::string>(words), {}};
    return heddle_process(build_path("tb/thread_pool_tb"), all).wait();
}

class thread_pool_testbench : public ::testing::TestWithParam<testbench_run> {};

TEST_P(thread_pool_testbench, passes) {
    const command_result result = run(GetParam().arguments);
    EXPECT_EQ(result.code, 0) << result.output << result.errors;
}

INSTANTIATE_TEST_SUITE_P(
    runs, thread_pool_testbench,
    ::testing::Values(
        testbench_run{"nrec", "--formation nrec"}, testbench_run{"mimd", "--formation mimd"},
        testbench_run{"finite", "--seed 2"}, testbench_run{"infinite", "--infinite --policy pc"},
        testbench_run{"scarce", "--scarce"}, testbench_run{"scarce_time", "--scarce --policy time"},
        testbench_run{"any_lane", "--no-lane-aware"},
        testbench_run{"few_codes", "--codes 4 --home-lanes pipeline"},
        testbench_run{"calls_left_out", "--blocks 2 --memory 5000 --scarce"}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(thread_pool_testbench_program, tells_of_threads_that_have_not_ended) {
    const command_result result = run("--max-cycles 1000");
    EXPECT_EQ(result.code, 4);
    EXPECT_THAT(result.errors + result.output, ::testing::HasSubstr("threads in the pool"));
}

}  // namespace
}  // namespace heddle
