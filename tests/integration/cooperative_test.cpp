// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// A dozen of the runs of scripts/paper cooperative_kernels, on a small machine: each pair of a
// program and an input once, each task, each number of blocks, both barriers.
#include <gmock/gmock.h>

#include "tests/integration/heddle_process.h"

namespace heddle {
namespace {

using words = std::vector<std::string>;

struct combination {
    const char* workload;
    const char* input;  ///< "": none
    const char* task;
    const char* groups;
    bool query;
    words options = {};
    const char* mode = "flat";
};

std::ostream& operator<<(std::ostream& out, const combination& one) {
    return out << one.workload << " " << one.input << " " << one.task << " " << one.groups
               << (one.query ? " query" : " arrival");
}

class cooperative_run : public testing::TestWithParam<combination> {};

TEST_P(cooperative_run, is_right_and_as_the_functional_simulator_says) {
    const combination& one = GetParam();
    words arguments{"run",      one.workload,      "--config", "iris6100",
                    "--set",    "gpu.smx_count=8", "--check",  "--golden",
                    "--option", "block=64",        "--mode",   one.mode,
                    "--set",    "tm.enabled=true", "--set",    "launch.enabled=true"};
    const auto option = [&](const std::string& text) {
        arguments.insert(arguments.end(), {"--option", text});
    };
    option(std::string("task=") + one.task);
    option(std::string("groups=") + one.groups);
    option("scale=0.0001");
    for (const std::string& text : one.options) option(text);
    if (*one.input != '\0') arguments.insert(arguments.end(), {"--input", one.input});
    if (!one.query) arguments.insert(arguments.end(), {"--set", "coop.query_barrier=false"});
    const command_result result = heddle_command(arguments);
    EXPECT_EQ(result.code, 0) << result.errors;
    EXPECT_THAT(result.output, testing::ContainsRegex("check +equal"));
    EXPECT_THAT(result.output, testing::ContainsRegex("frames +[1-9]"));
    EXPECT_THAT(result.output, testing::ContainsRegex("product of the task +correct"));
}

INSTANTIATE_TEST_SUITE_P(
    dozen, cooperative_run,
    testing::Values(combination{"color", "road:width=16,height=16,degree=4", "light", "quarter",
                                true},
                    combination{"color", "circuit:vertices=256", "heavy", "half", false},
                    combination{"mis", "road:width=16,height=16,degree=4", "medium", "half", true},
                    combination{"mis", "circuit:vertices=256", "light", "all_but_one", false},
                    combination{"p_sssp", "road:width=8,height=8", "heavy", "all_but_one", true},
                    combination{"l_bfs", "road:width=16,height=16", "light", "1", true},
                    combination{"l_bfs", "rmat:scale=9,degree=8", "medium", "all_but_one", false},
                    combination{"l_sssp", "road:width=12,height=12", "heavy", "half", false},
                    combination{"l_sssp", "rmat:scale=8,degree=8", "light", "quarter", true},
                    combination{"octree", "", "medium", "half", true, {"points=2000"}},
                    combination{"octree", "", "heavy", "all_but_one", true, {"points=2000"}},
                    combination{"game", "", "medium", "quarter", true, {"plies=5"}}));

/// Programs that use another mechanism, too.
INSTANTIATE_TEST_SUITE_P(
    of_two_mechanisms, cooperative_run,
    testing::Values(combination{"octree_pockets", "", "heavy", "half", true, {"points=2000"}},
                    combination{
                        "octree_pockets", "", "light", "half", true, {"points=2000"}, "dtbl"},
                    combination{"octree_pockets", "", "medium", "1", false, {"points=2000"}, "cdp"},
                    combination{"uts", "", "medium", "half", true, {"roots=16"}}));

// The scheduler in software has one of the eight SMXs.
INSTANTIATE_TEST_SUITE_P(
    in_software, cooperative_run,
    testing::Values(
        combination{
            "l_bfs", "road:width=16,height=16", "medium", "all_but_one", true, {"kernel=software"}},
        combination{"octree", "", "heavy", "half", true, {"points=2000", "kernel=software"}}));

}  // namespace
}  // namespace heddle
