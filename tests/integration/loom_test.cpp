// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// loom, the machine of all mechanisms: what a program does not use costs it no cycle.
#include <gmock/gmock.h>

#include "tests/integration/sized_workloads.h"

namespace heddle {
namespace {

class loom : public testing::TestWithParam<sized_workload> {};

TEST_P(loom, costs_programs_without_its_mechanisms_nothing) {
    const temporary_directory files;
    const auto cycles_on = [&](const char* configuration) {
        const command_result result = heddle_command(
            run_of(GetParam(), {"--config", configuration, "--stats", files / configuration}));
        EXPECT_EQ(result.code, 0) << result.errors;
        return count_of("gpu.cycles", files / configuration);
    };
    EXPECT_EQ(cycles_on("loom"), cycles_on("gk110"));
}

INSTANTIATE_TEST_SUITE_P(all, loom, testing::ValuesIn(sized_workloads),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(loom_mechanisms, are_all_there) {
    for (const words& what : std::vector<words>{
             {"ht", "--option", "version=tx", "--option", "block=64", "--option", "blocks=2"},
             {"bfs/citation", "--mode", "dtbl", "--input", "powerlaw:vertices=300"},
             {"mis", "--input", "circuit:vertices=300"}}) {
        words arguments{"run", "--config", "loom", "--check", "--check-links"};
        arguments.insert(arguments.end(), what.begin(), what.end());
        const command_result result = heddle_command(arguments);
        EXPECT_EQ(result.code, 0) << what.front() << ": " << result.errors;
    }
}

}  // namespace
}  // namespace heddle
