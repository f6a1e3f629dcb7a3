// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Every warp scheduling policy in the whole machine.
#include <gmock/gmock.h>

#include <cstdio>

#include "models/workloads/registry.h"
#include "tests/hw/base/child_process.h"
#include "tests/hw/top/machine_fixture.h"

namespace heddle {
namespace {

struct policy_case {
    std::string name;
    settings changes;
};
/// For the names of the tests, which would hold addresses otherwise.
void PrintTo(const policy_case& one, std::ostream* out) {
    *out << testing::PrintToString(one.changes);
}

workloads::workload_options options_of(const std::string& workload) {
    workloads::workload_options options;
    if (workload == "mvt") options.values = {{"rows", "200"}, {"columns", "80"}, {"block", "64"}};
    if (workload == "histogram") options.values = {{"n", "4000"}};
    return options;
}

/// All statistics of a run that must give the right result, in a process of its own. What
/// `examine` expects is expected there.
std::string statistics_of(const settings& changes, const std::string& workload, bool no_sleep,
                          const std::function<void(const statistics&)>& examine = {}) {
    const process_result result = run_in_child([&](std::string& output) {
        timed_machine machine(configuration_of("gf100", changes), no_sleep);
        machine.run_well([&](device& gpu) {
            workloads::run_workload(workloads::find_workload(workload), gpu, options_of(workload))
                .require_correct(workload);
        });
        if (examine) examine(machine.collected());
        output = to_csv(machine.collected());
        std::fflush(stdout);
        return testing::Test::HasFailure() ? 1 : 0;
    });
    EXPECT_EQ(result.exit_code, 0) << result.output;
    return result.output;
}

class warp_policy : public testing::TestWithParam<policy_case> {};

/// Loads of a line a lane, a divided machine of two SMXs: warps stall, wait and compete for L1D.
TEST_P(warp_policy, results_are_right_and_statistics_do_not_depend_on_sleep) {
    settings changes = GetParam().changes;
    changes.push_back("gpu.smx_count=2");
    for (const char* workload : {"mvt", "histogram"}) {
        const std::string first = statistics_of(changes, workload, false);
        EXPECT_THAT(first, testing::HasSubstr("gpu.cycles,"));
        EXPECT_EQ(first, statistics_of(changes, workload, true)) << workload;
    }
}

INSTANTIATE_TEST_SUITE_P(
    policies, warp_policy,
    testing::Values(
        policy_case{"mto", {"smx.scheduler=mto"}}, policy_case{"motrr", {"smx.scheduler=motrr"}},
        policy_case{"motrr_recency", {"smx.scheduler=motrr_recency"}},
        policy_case{"last_window", {"smx.scheduler=motrr_recency", "motrr.classify=last_window"}},
        policy_case{"two_level", {"smx.scheduler=two_level", "two_level.fetch_group=2"}},
        policy_case{"ccws", {"smx.scheduler=ccws", "ccws.throttle=50"}},
        policy_case{"ccws_by_turns",
                    {"smx.scheduler=ccws", "ccws.throttle=50", "smx.schedulers=4",
                     "smx.issue_interval=4"}}),
    [](const auto& info) { return info.param.name; });

double value_of(const statistics& values, const std::string& name) {
    const auto& value = values.find(name)->value;
    if (const auto* count = std::get_if<std::uint64_t>(&value)) return static_cast<double>(*count);
    return std::get<double>(value);
}

TEST(warp_policy_statistics, schedulers_add_up_to_their_smx) {
    statistics_of({"smx.scheduler=ccws", "ccws.throttle=50", "gpu.smx_count=1"}, "mvt", false,
                  [](const statistics& values) {
                      const auto of = [&](const std::string& name) {
                          return value_of(values, "smx.0." + name);
                      };
                      const auto both = [&](const std::string& name) {
                          return of("warp_scheduler_0." + name) + of("warp_scheduler_1." + name);
                      };
                      EXPECT_EQ(both("issues"), of("issue_slots.issued"));
                      EXPECT_EQ(both("stall_cycles"), of("stall_cycles"));
                      EXPECT_EQ(both("held_back"), of("issue_slots.held_back"));
                      EXPECT_EQ(both("wait_cycles"),
                                of("issue_slots.memory") + of("issue_slots.constants") +
                                    of("issue_slots.dependency") + of("issue_slots.fetch") +
                                    of("issue_slots.barrier"));
                      EXPECT_GT(of("issue_slots.held_back"), 0.0);
                      EXPECT_GT(of("l1d.lost_localities"), 0.0);
                      EXPECT_LT(of("l1d.lost_localities"), of("l1d.misses"));
                      EXPECT_GT(value_of(values, "gpu.executing_warps"), 0.1);
                      EXPECT_LT(value_of(values, "gpu.executing_warps"), 48.0);
                  });
}

TEST(warp_policy_statistics, classification_by_window_tells_shared_from_global_memory) {
    // Nothing but global memory: the same decisions. With shared memory, others.
    const settings opcode{"smx.scheduler=motrr_recency", "gpu.smx_count=2"};
    settings window = opcode;
    window.emplace_back("motrr.classify=last_window");
    EXPECT_EQ(statistics_of(opcode, "mvt", false), statistics_of(window, "mvt", false));
    EXPECT_NE(statistics_of(opcode, "histogram", false), statistics_of(window, "histogram", false));
}

TEST(warp_policy_statistics, nothing_is_held_back_or_lost_without_ccws) {
    statistics_of({"smx.scheduler=gto", "gpu.smx_count=1"}, "mvt", false,
                  [](const statistics& values) {
                      EXPECT_EQ(value_of(values, "smx.0.issue_slots.held_back"), 0.0);
                      EXPECT_EQ(value_of(values, "smx.0.l1d.lost_localities"), 0.0);
                  });
}

}  // namespace
}  // namespace heddle
