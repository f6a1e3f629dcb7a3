// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Every workload whose threads launch children, in every mode, on the timed machine: each
// instruction against the functional simulator, results against simulator and serial reference.
#include "models/workloads/launch_mode.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/integration/heddle_process.h"

namespace heddle {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using words = std::vector<std::string>;

struct launching_workload {
    const char* name;
    words arguments;  ///< as few blocks as give children
};

const std::vector<launching_workload>& launching_workloads() {
    static const std::vector<launching_workload> all{
        {"amr", {"--option", "across=4"}},
        {"bht", {"--option", "bodies=260", "--option", "leaf=60"}},
        {"bfs/citation", {"--input", "powerlaw:vertices=300", "--option", "threshold=12"}},
        {"bfs/usa_road",
         {"--input", "road:width=12,height=9", "--option", "threshold=3", "--option",
          "child_block=2"}},
        {"bfs/cage15",
         {"--input", "banded:vertices=120", "--option", "threshold=12", "--option",
          "child_block=4"}},
        {"clr/citation", {"--input", "powerlaw:vertices=200", "--option", "threshold=12"}},
        {"clr/graph500", {"--input", "kronecker:scale=6,degree=6"}},
        {"clr/cage15",
         {"--input", "banded:vertices=100", "--option", "threshold=12", "--option",
          "child_block=4"}},
        {"regx/darpa", {"--input", "packets:count=40,longest=120", "--option", "section=30"}},
        {"regx/string", {"--input", "strings:count=60", "--option", "section=30"}},
        {"ledgers", {"--option", "books=40", "--option", "longest=80", "--set", "tm.enabled=true"}},
        {"octree_pockets",
         {"--option", "points=600", "--option", "leaf=8", "--option", "threshold=20"}},
        {"pre", {"--input", "ratings:users=24,items=48,mean=6,least=2"}},
        {"join/uniform",
         {"--option", "left=150", "--option", "right=300", "--option", "different=12"}},
        {"join/gaussian",
         {"--option", "left=150", "--option", "right=300", "--option", "different=12"}},
        {"sssp/citation", {"--input", "powerlaw:vertices=200", "--option", "threshold=12"}},
        {"sssp/flight", {"--input", "hubs:vertices=200,hubs=6", "--option", "threshold=24"}},
        {"sssp/cage15",
         {"--input", "banded:vertices=100", "--option", "threshold=12", "--option",
          "child_block=4"}}};
    return all;
}
void PrintTo(const launching_workload& one, std::ostream* out) {
    *out << one.name;
}

std::vector<const char*> mode_names() {
    std::vector<const char*> names;
    for (const workloads::named_mode& each : workloads::named_modes) names.push_back(each.name);
    return names;
}

using pairing = std::tuple<launching_workload, const char*>;

class launch_mode : public testing::TestWithParam<pairing> {};

TEST_P(launch_mode, equals_the_functional_simulator) {
    const auto& [workload, mode] = GetParam();
    const temporary_directory files;
    words arguments{"run", workload.name, "--config", "tiny",    "--mode",
                    mode,  "--check",     "--golden", "--stats", files / "s.json"};
    arguments.insert(arguments.end(), workload.arguments.begin(), workload.arguments.end());
    const command_result result = heddle_command(arguments);
    ASSERT_EQ(result.code, 0) << result.errors;
    EXPECT_THAT(result.output, ContainsRegex("check +equal"));
    const auto all = nlohmann::json::parse(contents_of(files / "s.json")).at("statistics");
    const auto count = [&](const char* name) {
        return all.contains(name) ? all.at(name).at("value").get<std::uint64_t>() : 0;
    };
    const std::uint64_t kernels = count("launch.kernel.count");
    const std::uint64_t groups = count("launch.group.count");
    const workloads::launch_mode who = workloads::parse_mode(mode).mode;
    EXPECT_EQ(kernels + groups != 0, who != workloads::launch_mode::flat);
    if (who == workloads::launch_mode::cdp) {
        EXPECT_EQ(groups, 0U);
    }
    if (who == workloads::launch_mode::dtbl) {
        EXPECT_EQ(kernels, 0U);
    }
}

INSTANTIATE_TEST_SUITE_P(all, launch_mode,
                         testing::Combine(testing::ValuesIn(launching_workloads()),
                                          testing::ValuesIn(mode_names())),
                         [](const auto& info) {
                             std::string name = std::get<0>(info.param).name;
                             if (const auto slash = name.find('/'); slash != std::string::npos) {
                                 name[slash] = '_';
                             }
                             return name + "_" + std::get<1>(info.param);
                         });

}  // namespace
}  // namespace heddle
