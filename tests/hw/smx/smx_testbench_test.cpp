// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// The testbench of the SMX as a program: sleeping changes no statistic, runs repeat, failures fail.
#include <gmock/gmock.h>
#include <sys/wait.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include "tb/kit/paths.h"

namespace {

using testing::HasSubstr;

struct outcome {
    int code;
    std::string output;
    std::string statistics;
};

std::string contents(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

outcome run(const std::string& name, const std::string& arguments) {
    const std::string base = testing::TempDir() + "smx_tb_" + std::to_string(getpid()) + name;
    const std::string command = heddle::build_path("tb/smx_tb ") + arguments + " --stats " + base +
                                ".csv > " + base + ".log 2>&1";
    const int status = std::system(command.c_str());
    outcome result{WEXITSTATUS(status), contents(base + ".log"), contents(base + ".csv")};
    std::remove((base + ".csv").c_str());
    std::remove((base + ".log").c_str());
    return result;
}

class smx_tb : public testing::TestWithParam<const char*> {};

TEST_P(smx_tb, sleeping_changes_no_statistic) {
    const outcome asleep = run("a", GetParam());
    EXPECT_EQ(asleep.code, 0) << asleep.output;
    EXPECT_THAT(asleep.statistics, HasSubstr("smx.warp_instructions"));
    const outcome awake = run("b", std::string(GetParam()) + " --no-sleep");
    EXPECT_EQ(awake.code, 0) << awake.output;
    EXPECT_EQ(asleep.statistics, awake.statistics);
    EXPECT_EQ(run("c", GetParam()).statistics, asleep.statistics) << "runs repeat";
}
INSTANTIATE_TEST_SUITE_P(with, smx_tb,
                         testing::Values("--seed 3",
                                         "--seed 4 --warp-size 64 --random-configuration",
                                         "--seed 1 --case fenced_messages --random-configuration",
                                         "--seed 5 --case uneven_barriers --stall-probability 0.9",
                                         "--seed 6 --random-configuration"));

TEST(smx_tb_failures, a_deadlock_ends_with_a_report) {
    const outcome stuck = run("d", "--no-golden --case spin_lock --max-cycles 30000");
    EXPECT_EQ(stuck.code, 4);
    EXPECT_THAT(stuck.output, HasSubstr("kernel 'spin_lock'"));
    EXPECT_THAT(stuck.output, HasSubstr("; lanes 0x1 wait for them at 0x"));
}

TEST(smx_tb_failures, an_unknown_case_is_a_usage_error) {
    EXPECT_EQ(run("e", "--case no_such_kernel").code, 2);
}

}  // namespace
