// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Every formation on the timed machine of g80: each instruction against the functional simulator,
// every link checked, results against the serial references.
#include <gmock/gmock.h>

#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>

#include "tests/integration/heddle_process.h"

namespace heddle {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using words = std::vector<std::string>;

struct sized_workload {
    const char* name;
    words options;
    bool race_free;  ///< its thread instructions do not depend on time
};
const sized_workload workloads[] = {
    {"barrier", {"rounds=2"}, true},
    {"bfs", {}, false},
    {"bitonic", {"arrays=2", "size=256"}, true},
    {"black", {"options=512"}, true},
    {"contrived", {"n=256", "iterations=10"}, true},
    {"divergence", {"n=256"}, true},
    {"fft", {"arrays=8", "side=8"}, true},
    {"gc", {"version=lock", "block=64", "blocks=2", "rounds=1", "contention=low"}, false},
    {"histogram", {"n=4096", "blocks=8"}, true},
    {"hmmer", {"sequences=64", "nodes=6"}, true},
    {"ht", {"version=lock", "block=64", "blocks=2"}, false},
    {"it", {"version=lock", "block=64", "blocks=2"}, false},
    {"km", {"version=lock", "block=64", "blocks=2", "rounds=1"}, false},
    {"lbm", {"nx=12", "ny=10", "nz=5"}, true},
    {"lock", {"n=256", "rounds=2"}, false},
    {"lu", {"matrices=2", "tiles=5"}, true},
    {"matrix", {"rows=32", "columns=32", "inner=32"}, true},
    {"octree", {"points=600", "threshold=8"}, false},
    {"pathfinder", {"columns=1024", "rows=11"}, true},
    {"transpose", {"rows=64", "columns=64"}, true},
};

words run_of(const sized_workload& workload, const words& more) {
    words arguments{"run", workload.name};
    for (const std::string& option : workload.options) {
        arguments.insert(arguments.end(), {"--option", option});
    }
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

std::uint64_t count_of(const char* statistic, const std::string& statistics_file) {
    const auto all = nlohmann::json::parse(contents_of(statistics_file));
    return all.at("statistics").at(statistic).at("value").get<std::uint64_t>();
}

struct formation_case {
    const char* name;
    words settings;
};
void PrintTo(const formation_case& one, std::ostream* out) {
    *out << one.name;
}

class formation : public testing::TestWithParam<formation_case> {};

TEST_P(formation, runs_every_workload_as_the_functional_simulator) {
    const temporary_directory files;
    words settings{"--config", "g80"};
    for (const std::string& setting : GetParam().settings) {
        settings.insert(settings.end(), {"--set", setting});
    }
    const auto with = [&](words more) {
        more.insert(more.end(), settings.begin(), settings.end());
        return more;
    };
    for (const sized_workload& workload : workloads) {
        const command_result result = heddle_command(run_of(
            workload, with({"--check", "--check-links", "--golden", "--stats", files / "timed"})));
        ASSERT_EQ(result.code, 0) << workload.name << ": " << result.errors;
        const auto issued = count_of("gpu.warp_instructions", files / "timed");
        EXPECT_THAT(result.output,
                    ContainsRegex("check +equal +" + std::to_string(issued) + " warp instructions"))
            << workload.name;
        if (!workload.race_free) continue;
        const command_result functional = heddle_command(
            run_of(workload, with({"--functional", "--stats", files / "functional"})));
        ASSERT_EQ(functional.code, 0) << functional.errors;
        constexpr const char* name = "gpu.thread_instructions";
        EXPECT_EQ(count_of(name, files / "timed"), count_of(name, files / "functional"))
            << workload.name;
    }
}

TEST_P(formation, sleep_changes_no_instruction) {
    const temporary_directory files;
    for (const char* workload : {"divergence", "lock"}) {
        const auto retired = [&](const words& more) {
            words arguments{"run",  workload, "--config",        "g80",      "--option",
                            "n=96", "--set",  "gpu.smx_count=2", "--retire", files / "r"};
            for (const std::string& setting : GetParam().settings) {
                arguments.insert(arguments.end(), {"--set", setting});
            }
            arguments.insert(arguments.end(), more.begin(), more.end());
            EXPECT_EQ(heddle_command(arguments).code, 0);
            return contents_of(files / "r");
        };
        EXPECT_TRUE(retired({}) == retired({"--no-sleep"})) << workload;
    }
}

INSTANTIATE_TEST_SUITE_P(
    all, formation,
    testing::Values(
        formation_case{"pdom", {}}, formation_case{"nrec", {"smx.formation=nrec"}},
        formation_case{"mimd", {"smx.formation=mimd"}},
        formation_case{"dwf_majority", {"smx.formation=dwf"}},
        formation_case{"dwf_minority", {"smx.formation=dwf", "dwf.policy=minority"}},
        formation_case{"dwf_time", {"smx.formation=dwf", "dwf.policy=time"}},
        formation_case{"dwf_pc", {"smx.formation=dwf", "dwf.policy=pc"}},
        formation_case{"dwf_pdom_priority", {"smx.formation=dwf", "dwf.policy=pdom_priority"}},
        // Threads overflow all the time: with the default latency most cycles would pass there.
        formation_case{"dwf_small",
                       {"smx.formation=dwf", "dwf.pool_entries=16", "dwf.heap_entries=4",
                        "dwf.lut_entries=8", "dwf.overflow_latency=20"}},
        formation_case{"dwf_infinite", {"smx.formation=dwf", "dwf.infinite_resources=true"}},
        formation_case{"dwf_without_lanes", {"smx.formation=dwf", "dwf.lane_aware=false"}},
        formation_case{"dwf_home_lanes", {"smx.formation=dwf", "dwf.home_lanes=pipeline"}},
        formation_case{"dwf_individual_return",
                       {"smx.formation=dwf", "dwf.individual_return=true"}},
        // Threads that wait for a lock are the majority most of the time.
        formation_case{"dwf_narrow",
                       {"smx.formation=dwf", "gpu.warp_size=8", "smx.max_threads=512",
                        "smx.issue_interval=1", "dwf.patience=300"}},
        formation_case{"dwf_gk110_issue",
                       {"smx.formation=dwf", "smx.issue_interval=1", "smx.max_blocks=8"}},
        formation_case{"nrec_schedulers", {"smx.formation=nrec", "smx.schedulers=4"}},
        formation_case{"mimd_schedulers",
                       {"smx.formation=mimd", "smx.schedulers=3", "smx.dual_issue=true"}},
        formation_case{"dwf_schedulers",
                       {"smx.formation=dwf", "smx.schedulers=2", "smx.dual_issue=true",
                        "smx.scheduler_assignment=contiguous"}},
        formation_case{"dwf_pipelines",
                       {"smx.formation=dwf", "smx.schedulers=4", "smx.scheduler_pipeline=true"}},
        formation_case{"dwf_shared_pool",
                       {"smx.formation=dwf", "smx.schedulers=4", "dwf.pools=shared",
                        "smx.dual_issue=true", "smx.issue_interval=2"}}),
    [](const auto& info) { return info.param.name; });

TEST(formation_rules, kernels_with_transactions_are_refused_by_name) {
    const command_result refused =
        heddle_command({"run", "ht", "--option", "version=tm", "--config", "si", "--set",
                        "tm.enabled=true", "--set", "smx.formation=nrec"});
    EXPECT_EQ(refused.code, 3);
    EXPECT_THAT(refused.errors, HasSubstr("launch of kernel '"));
    EXPECT_THAT(refused.errors, HasSubstr("smx.formation = nrec has no transactions"));
}

TEST(formation_rules, a_scheduler_without_effect_is_noted_if_the_user_chose_it) {
    words arguments{"run",      "saxpy", "--config", "g80", "--set", "smx.formation=dwf",
                    "--option", "n=512"};
    const command_result silent = heddle_command(arguments);
    EXPECT_EQ(silent.code, 0) << silent.errors;
    EXPECT_THAT(silent.output, testing::Not(HasSubstr("has no effect")));
    arguments.insert(arguments.end(), {"--set", "smx.scheduler=gto"});
    EXPECT_THAT(heddle_command(arguments).output,
                HasSubstr("smx.scheduler: has no effect: smx.formation = dwf picks from a pool"));
}

/// All that gk110 does beside pdom: votes, launches, groups, cooperative kernels.
class formation_of_gk110 : public testing::TestWithParam<formation_case> {};

TEST_P(formation_of_gk110, runs_votes_launches_and_cooperative_kernels) {
    for (const words& what :
         std::vector<words>{{"bfs_pockets", "--input", "kronecker:scale=7,degree=6"},
                            {"bfs/citation", "--mode", "cdp", "--input", "powerlaw:vertices=300"},
                            {"bfs/citation", "--mode", "dtbl", "--input", "powerlaw:vertices=300"},
                            {"octree", "--option", "points=600", "--option", "threshold=8"},
                            {"mis", "--input", "circuit:vertices=300"}}) {
        words arguments{"run",           "--config", "gk110", "--check",
                        "--check-links", "--golden", "--set", "gpu.smx_count=2"};
        for (const std::string& setting : GetParam().settings) {
            arguments.insert(arguments.end(), {"--set", setting});
        }
        arguments.insert(arguments.end(), what.begin(), what.end());
        const command_result result = heddle_command(arguments);
        ASSERT_EQ(result.code, 0) << what.front() << ": " << result.errors;
        EXPECT_THAT(result.output, HasSubstr("check")) << what.front();
    }
}

INSTANTIATE_TEST_SUITE_P(
    all, formation_of_gk110,
    testing::Values(formation_case{"nrec", {"smx.formation=nrec"}},
                    formation_case{"dwf", {"smx.formation=dwf"}},
                    formation_case{"dwf_shared", {"smx.formation=dwf", "dwf.pools=shared"}},
                    formation_case{
                        "dwf_rotated",
                        {"smx.formation=dwf", "dwf.swizzling=rotate", "dwf.policy=pdom_priority"}},
                    formation_case{"mimd", {"smx.formation=mimd"}}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace heddle
