// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// One configuration and seed give one set of statistics, whoever sleeps, and whether or not the
// domains run ahead of SystemC's kernel.
#include <gmock/gmock.h>

#include "models/workloads/registry.h"
#include "tests/hw/base/child_process.h"
#include "tests/hw/top/machine_fixture.h"

namespace heddle {
namespace {

/// All statistics of a run in a process of its own.
std::string statistics_of(const gpu_configuration& configuration, const std::string& workload,
                          const workloads::workload_options& options, bool no_sleep,
                          bool run_ahead = true) {
    const process_result result = run_in_child([&](std::string& output) {
        timed_machine machine(configuration, no_sleep, {}, nullptr, false, run_ahead);
        const error_kind kind = machine.run([&](device& gpu) {
            workloads::run_workload(workloads::find_workload(workload), gpu, options);
        });
        output = to_csv(machine.collected()) + machine.status().text();
        return exit_code(kind);
    });
    EXPECT_EQ(result.exit_code, 0) << result.output;
    return result.output;
}

void expect_the_same_whoever_sleeps(const gpu_configuration& configuration) {
    workloads::workload_options graph;
    graph.input = "kronecker:scale=8,degree=8";
    graph.values = {{"searches", "2"}};
    workloads::workload_options values;
    values.values = {{"n", "6000"}, {"variant", "global"}};
    for (const auto& [workload, options] :
         {std::make_pair("bfs", graph), std::make_pair("histogram", values)}) {
        const std::string first = statistics_of(configuration, workload, options, false);
        EXPECT_THAT(first, testing::HasSubstr("gpu.cycles,"));
        EXPECT_EQ(first, statistics_of(configuration, workload, options, false));
        EXPECT_EQ(first, statistics_of(configuration, workload, options, true));
        EXPECT_EQ(first, statistics_of(configuration, workload, options, false, false));
    }
}

class reproducible : public testing::TestWithParam<std::string> {};

TEST_P(reproducible, statistics_do_not_depend_on_sleep) {
    expect_the_same_whoever_sleeps(configuration_of(GetParam()));
}

/// Schedulers have turns, which an SMX sleeps over if nothing can come of them.
class reproducible_turns : public testing::TestWithParam<settings> {};

TEST_P(reproducible_turns, statistics_do_not_depend_on_sleep) {
    expect_the_same_whoever_sleeps(configuration_of("g80", GetParam()));
}

INSTANTIATE_TEST_SUITE_P(
    formations, reproducible_turns,
    testing::Values(settings{"smx.formation=nrec"}, settings{"smx.formation=dwf"},
                    settings{"smx.formation=dwf", "dwf.individual_return=true"},
                    settings{"smx.formation=nrec", "smx.units.integer.initiation_interval=37"},
                    settings{"smx.formation=mimd"},
                    settings{"smx.formation=dwf", "smx.schedulers=2", "smx.barrel=false",
                             "smx.dual_issue=true"},
                    settings{"smx.formation=dwf", "smx.schedulers=2", "dwf.pools=shared"},
                    settings{"smx.formation=nrec", "smx.scheduler_pipeline=true"},
                    settings{"smx.barrel=false", "smx.schedulers=2", "smx.dual_issue=true"},
                    settings{"smx.schedulers=2", "smx.scheduler=two_level"}));

INSTANTIATE_TEST_SUITE_P(configurations, reproducible,
                         testing::Values("tiny", "gf100", "gk110", "g80", "si", "iris6100"),
                         [](const auto& info) { return info.param; });

/// Edges of two domains at one instant come in the order of their scheduling. So all edges have to
/// run that would run if no SMX slept over a turn.
TEST(reproducible, the_order_of_domains_does_not_depend_on_sleep) {
    const gpu_configuration configuration =
        configuration_of("g80", {"smx.formation=mimd", "l1d.cache_global=true"});
    workloads::workload_options options;
    options.values = {{"case", "counters"}, {"n", "1024"}};
    EXPECT_EQ(statistics_of(configuration, "lock", options, false),
              statistics_of(configuration, "lock", options, true));
}

/// An SMX that counts what each line costs runs each edge behind a change; others skip some. The
/// edges of the core are the same, as one domain's decide when another one's come.
TEST_P(reproducible, edges_do_not_depend_on_what_an_smx_skips) {
    const auto edges = [](bool code_profile) {
        return run_in_child([&](std::string& output) {
            timed_machine machine(configuration_of(GetParam(), {"gpu.smx_count=1"}), false, {},
                                  nullptr, code_profile);
            workloads::workload_options graph;
            graph.input = "kronecker:scale=6,degree=8";
            const error_kind kind = machine.run([&](device& gpu) {
                workloads::run_workload(workloads::find_workload("bfs"), gpu, graph);
            });
            output = std::to_string(machine.core_edges());
            return exit_code(kind);
        });
    };
    const process_result skipping = edges(false), running = edges(true);
    ASSERT_EQ(skipping.exit_code, 0) << skipping.output;
    EXPECT_GT(std::stoull(skipping.output), 1000U);
    EXPECT_EQ(skipping.output, running.output);
}

TEST(reproducible, another_seed_gives_other_statistics) {
    const gpu_configuration configuration = configuration_of("tiny");
    workloads::workload_options options;
    options.input = "kronecker:scale=8,degree=8";
    const std::string first = statistics_of(configuration, "bfs", options, false);
    options.seed = 2;
    EXPECT_NE(first, statistics_of(configuration, "bfs", options, false));
}

class reproducible_limits : public testing::TestWithParam<std::string> {};

/// In iris6100 a limit is between what turns count as and the change that decides it.
TEST_P(reproducible_limits, a_run_that_reaches_its_limit_does_not_depend_on_sleep) {
    const gpu_configuration configuration = configuration_of(GetParam());
    for (const std::uint64_t cycles : {1, 7, 1000, 1001, 1002, 1003, 1004, 1005, 1006, 4321}) {
        const auto broken_off = [&](bool no_sleep, bool run_ahead = true) {
            return run_in_child([&](std::string& output) {
                timed_machine machine(configuration, no_sleep, {}, nullptr, false, run_ahead);
                const error_kind kind = machine.run(
                    [&](device& gpu) {
                        workloads::run_workload(workloads::find_workload("saxpy"), gpu, {});
                    },
                    cycles);
                output = to_csv(machine.collected()) + machine.status().text();
                return exit_code(kind);
            });
        };
        const process_result result = broken_off(false);
        EXPECT_EQ(result.exit_code, 4);
        // Cycles 0 to `cycles` - 1 run; the host begins in cycle 1.
        EXPECT_THAT(result.output,
                    testing::HasSubstr("gpu.cycles," + std::to_string(cycles - 1) + ","));
        EXPECT_THAT(result.output, testing::HasSubstr("(cycle " + std::to_string(cycles) + " of "));
        EXPECT_EQ(result.output, broken_off(true).output);
        EXPECT_EQ(result.output, broken_off(false, false).output);
    }
}

INSTANTIATE_TEST_SUITE_P(configurations, reproducible_limits, testing::Values("tiny", "iris6100"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace heddle
