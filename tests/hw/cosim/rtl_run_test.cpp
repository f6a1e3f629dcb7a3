// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// The whole machine with RTL in its slots: bfs and matrix give the same statistics as without.
#include <gmock/gmock.h>

#include <cstdio>

#include "models/workloads/registry.h"
#include "tests/hw/base/child_process.h"
#include "tests/hw/top/machine_fixture.h"

namespace heddle {
namespace {

struct rtl_case {
    const char* name;
    const char* slot;
    const char* setting;  ///< chooses the policy
    const char* where;    ///< some of the instances
};
void PrintTo(const rtl_case& one, std::ostream* out) {
    *out << one.name;
}

/// A workload on a machine.
struct run_case {
    std::string workload;
    std::string configuration;
    settings changes;
    workloads::workload_options options;

    /// Statistics of a run that ends well, in a process of its own.
    [[nodiscard]] std::string statistics_with(const settings& more, bool no_sleep) const {
        const process_result result = run_in_child([&](std::string& output) {
            settings all = changes;
            all.insert(all.end(), more.begin(), more.end());
            timed_machine machine(configuration_of(configuration, all), no_sleep);
            machine.run_well([&](device& gpu) {
                workloads::run_workload(workloads::find_workload(workload), gpu, options)
                    .require_correct(workload);
            });
            output = to_csv(machine.collected());
            std::fflush(stdout);
            return testing::Test::HasFailure() ? 1 : 0;
        });
        EXPECT_EQ(result.exit_code, 0) << result.output;
        return result.output;
    }
};
void PrintTo(const run_case& one, std::ostream* out) {
    *out << one.workload;
}

class rtl_run : public testing::TestWithParam<std::tuple<rtl_case, const char*>> {
protected:
    static std::string statistics_with(const settings& more, bool no_sleep) {
        run_case run{
            std::get<1>(GetParam()),
            "tiny",
            {"dram.model=gddr", "dram.row_mask=2147418112", std::get<0>(GetParam()).setting},
            {}};
        if (run.workload == "bfs") run.options.input = "kronecker:scale=6,degree=4";
        if (run.workload == "matrix") {
            run.options.values = {{"rows", "40"}, {"columns", "24"}, {"inner", "20"}};
        }
        return run.statistics_with(more, no_sleep);
    }
};

TEST_P(rtl_run, changes_no_statistic) {
    const std::string slot = std::string("slot.") + std::get<0>(GetParam()).slot;
    const std::string tlm = statistics_with({}, false);
    EXPECT_THAT(tlm, testing::HasSubstr("gpu.cycles,"));
    EXPECT_EQ(statistics_with({slot + "=shadow"}, false), tlm);
    EXPECT_EQ(statistics_with({slot + "=rtl"}, false), tlm);
    EXPECT_EQ(statistics_with({slot + "=rtl"}, true), tlm);
    EXPECT_EQ(
        statistics_with({slot + "=rtl", slot + ".where=" + std::get<0>(GetParam()).where}, false),
        tlm);
}

INSTANTIATE_TEST_SUITE_P(
    slots, rtl_run,
    testing::Combine(
        testing::Values(rtl_case{"lrr", "warp_scheduler", "smx.scheduler=lrr", "gpu.smx_1.*"},
                        rtl_case{"gto", "warp_scheduler", "smx.scheduler=gto", "gpu.smx_1.*"},
                        rtl_case{"motrr_recency", "warp_scheduler", "smx.scheduler=motrr_recency",
                                 "gpu.smx_1.*"},
                        rtl_case{"input_first", "crossbar_allocator",
                                 "crossbar.allocator=input_first", "*.request.*"},
                        rtl_case{"fr_fcfs", "dram_scheduler", "dram.queue=64", "*_1*"},
                        rtl_case{"fr_fcfs_age", "dram_scheduler", "dram.age_limit=20", "*_0*"},
                        rtl_case{"pdom", "formation", "smx.stack_entries=64", "gpu.smx_1.*"},
                        rtl_case{"kmu", "queue_picker", "kmu.queues=3", "gpu.kmu.*"},
                        rtl_case{"chain", "kde_chain", "kernel_distributor.entries=3",
                                 "gpu.smx_scheduler.*"}),
        testing::Values("bfs", "matrix")),
    [](const auto& info) {
        return std::string(std::get<0>(info.param).name) + "_" + std::get<1>(info.param);
    });

/// Of the stack: what bfs and matrix do not ask for.
class stack_run : public testing::TestWithParam<run_case> {};

TEST_P(stack_run, changes_no_statistic) {
    const std::string tlm = GetParam().statistics_with({"smx.stack_entries=128"}, false);
    EXPECT_THAT(tlm, testing::HasSubstr("gpu.cycles,"));
    for (const char* which : {"slot.formation=shadow", "slot.formation=rtl"}) {
        EXPECT_EQ(GetParam().statistics_with({"smx.stack_entries=128", which}, false), tlm);
    }
}

INSTANTIATE_TEST_SUITE_P(
    workloads, stack_run,
    testing::Values(
        run_case{"divergence",  // calls, recursion, exits
                 "tiny",
                 {},
                 {1, "", {{"n", "256"}}}},
        run_case{"it",  // transactions, warps of 64 threads
                 "si",
                 {"gpu.smx_count=2", "tm.enabled=true"},
                 {3, "", {{"block", "96"}, {"blocks", "3"}, {"positions", "40"}, {"rounds", "2"}}}},
        run_case{"children",  // blocks that wait for their children elsewhere
                 "tiny",
                 {"launch.enabled=true"},
                 {3,
                  "",
                  {{"launches", "64"}, {"wait", "true"}, {"hold", "false"}},
                  workloads::launch_mode::cdp}}),
    [](const auto& info) { return info.param.workload; });

/// Groups of threads that kernels launch, and transactions.
class launch_run : public testing::TestWithParam<std::tuple<run_case, const char*>> {};

TEST_P(launch_run, changes_no_statistic) {
    const auto& [run, slot] = GetParam();
    const std::string name = std::string("slot.") + slot;
    const std::string tlm = run.statistics_with({}, false);
    EXPECT_THAT(tlm, testing::HasSubstr("gpu.cycles,"));
    EXPECT_EQ(run.statistics_with({name + "=shadow"}, false), tlm);
    EXPECT_EQ(run.statistics_with({name + "=rtl"}, false), tlm);
    EXPECT_EQ(run.statistics_with({name + "=rtl"}, true), tlm);
}

std::string name_of(const testing::TestParamInfo<std::tuple<run_case, const char*>>& info) {
    return std::get<0>(info.param).workload + "_" + std::get<1>(info.param);
}

INSTANTIATE_TEST_SUITE_P(
    groups, launch_run,
    testing::Combine(
        testing::Values(run_case{
            "children",
            "tiny",
            {"launch.enabled=true", "agt.entries=8"},
            {3, "", {{"launches", "64"}, {"hold", "false"}}, workloads::launch_mode::dtbl}}),
        testing::Values("kde_chain", "group_allocator")),
    name_of);
INSTANTIATE_TEST_SUITE_P(
    transactions, launch_run,
    testing::Combine(
        testing::Values(run_case{
            "it",
            "si",
            {"gpu.smx_count=1", "tm.enabled=true"},
            {3, "", {{"block", "96"}, {"blocks", "2"}, {"positions", "40"}, {"rounds", "2"}}}}),
        testing::Values("tm_bank")),
    name_of);

TEST(rtl_setting, what_the_rtl_lacks_is_named) {
    const auto failure_with = [](const settings& changes) -> std::string {
        try {
            timed_machine machine(configuration_of("tiny", changes));
        } catch (const configuration_error& error) {
            return error.what();
        }
        return "no error";
    };
    EXPECT_EQ(failure_with({"slot.warp_scheduler=rtl", "smx.scheduler=ccws"}),
              "slot.warp_scheduler: the RTL has no such smx.scheduler; legal with rtl and shadow: "
              "lrr, gto, motrr_recency");
}

TEST(rtl_setting, a_pattern_that_names_no_instance_is_an_error) {
    try {
        timed_machine machine(configuration_of(
            "tiny", {"slot.crossbar_allocator.where=gpu.smx_7", "smx.scheduler=lrr"}));
        FAIL() << "no error";
    } catch (const configuration_error& error) {
        EXPECT_STREQ(error.what(),
                     "slot.crossbar_allocator.where = 'gpu.smx_7' names no instance; there are: "
                     "gpu.crossbar.request.allocator_0, gpu.crossbar.response.allocator_0");
    }
}

}  // namespace
}  // namespace heddle
