// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Every formation on the timed machine of g80: each instruction against the functional simulator,
// every link checked, results against the serial references.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/integration/heddle_process.h"
#include "tests/integration/sized_workloads.h"

namespace heddle {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
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
    for (const sized_workload& workload : sized_workloads) {
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
        formation_case{
            "mimd_schedulers",
            {"smx.formation=mimd", "smx.schedulers=3", "smx.dual_issue=true", "smx.barrel=false"}},
        formation_case{"dwf_schedulers",
                       {"smx.formation=dwf", "smx.schedulers=2", "smx.dual_issue=true",
                        "smx.barrel=false", "smx.scheduler_assignment=contiguous"}},
        formation_case{"dwf_pipelines",
                       {"smx.formation=dwf", "smx.schedulers=4", "smx.scheduler_pipeline=true"}},
        formation_case{"dwf_shared_pool",
                       {"smx.formation=dwf", "smx.schedulers=4", "dwf.pools=shared",
                        "smx.dual_issue=true", "smx.barrel=false", "smx.issue_interval=2"}}),
    [](const auto& info) { return info.param.name; });

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

/// Cycle and home warp of each instruction of a run on one SMX of `tiny`, but for loads and stores:
/// the file has the cycle in which their values are there.
std::vector<std::pair<std::uint64_t, unsigned>> issues_of(const words& settings) {
    const temporary_directory files;
    words arguments{"run",   "saxpy", "--config",        "tiny",     "--option",
                    "n=512", "--set", "gpu.smx_count=1", "--retire", files / "retired"};
    for (const std::string& setting : settings) {
        arguments.insert(arguments.end(), {"--set", setting});
    }
    const command_result result = heddle_command(arguments);
    EXPECT_EQ(result.code, 0) << result.errors;
    std::istringstream lines(contents_of(files / "retired"));
    std::string line;
    std::getline(lines, line);  // names of the columns
    std::vector<std::pair<std::uint64_t, unsigned>> found;
    while (std::getline(lines, line)) {
        std::istringstream columns(line);
        std::uint64_t cycle = 0;
        unsigned smx = 0, slot = 0;
        columns >> cycle >> smx >> slot;
        const std::size_t result = line.rfind('\t');
        if (line.substr(line.rfind('\t', result - 1) + 1, 1) != "-") continue;  // an address
        found.emplace_back(cycle, slot);
    }
    return found;
}
unsigned most_in_a_cycle(const std::vector<std::pair<std::uint64_t, unsigned>>& issues) {
    std::map<std::uint64_t, unsigned> counts;
    unsigned most = 0;
    for (const auto& [cycle, slot] : issues) most = std::max(most, ++counts[cycle]);
    return most;
}

TEST(formation_rules, schedulers_with_an_interval_issue_one_after_another) {
    const auto issues = issues_of({"smx.formation=nrec", "smx.schedulers=2", "smx.dual_issue=false",
                                   "smx.issue_interval=2", "smx.scheduler_assignment=modulo"});
    ASSERT_GT(issues.size(), 100U);
    for (const auto& [cycle, slot] : issues) {
        ASSERT_EQ(cycle % 2, slot % 2) << "cycle " << cycle << ", home warp " << slot;
    }
}

TEST(formation_rules, a_scheduler_with_dual_issue_issues_a_second_group) {
    const words one{"smx.formation=nrec", "smx.schedulers=1"};
    EXPECT_EQ(most_in_a_cycle(issues_of({one[0], one[1], "smx.dual_issue=false"})), 1U);
    EXPECT_EQ(
        most_in_a_cycle(issues_of({one[0], one[1], "smx.dual_issue=true", "smx.barrel=false"})),
        2U);
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
