// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Cooperative kernels on the functional simulator: with any number of blocks that they want, alone
// and beside a task that takes blocks from them.
#include "models/workloads/cooperative_run.h"

#include <gmock/gmock.h>

#include <cmath>
#include <string>

#include "tests/workloads/workload_fixture.h"

namespace heddle::workloads {
namespace {

/// A simulator with room for `slots` blocks.
std::unique_ptr<device> make_slots(unsigned slots, unsigned warp_size = 32) {
    machine_configuration machine;
    machine.warp_size = warp_size;
    machine.smx_count = slots;
    machine.smx.max_blocks = 1;
    machine.launch.enabled = true;
    machine.tm.enabled = true;
    return std::make_unique<iss::functional_simulator>(machine);
}

std::string row(const workload_report& report, const std::string& name) {
    for (const report_row& one : report.rows()) {
        if (one.name == name) return one.text();
    }
    return "no row " + name;
}

class cooperative_kernel : public testing::TestWithParam<run_case> {};

TEST_P(cooperative_kernel, is_right_with_any_number_of_blocks) {
    const run_case& one = GetParam();
    for (const char* kernel : {"cooperative", "original", "software", "flags"}) {
        for (const char* blocks : {"1", "2", "5", "7"}) {
            SCOPED_TRACE(std::string(kernel) + " " + blocks);
            auto values = one.values;
            values["kernel"] = kernel;
            values["blocks"] = blocks;
            values["block"] = "64";
            const auto gpu = make_slots(8);  // a scheduler in software has the eighth
            const auto report = run_on(*gpu, one.workload, values, 3, one.input);
            EXPECT_NO_THROW(report.require_correct(one.workload));
            EXPECT_EQ(row(report, "blocks wanted"), blocks);
        }
    }
}

/// Fewer slots than blocks that the kernel wants, and a task that takes some of them for a short
/// time, so that blocks end and start again.
TEST_P(cooperative_kernel, is_right_while_a_task_takes_blocks) {
    const run_case& one = GetParam();
    for (const unsigned slots : {2U, 3U, 6U}) {
        for (const char* groups : {"1", "quarter", "half", "all_but_one"}) {
            SCOPED_TRACE(std::to_string(slots) + " slots, " + groups);
            auto values = one.values;
            values["blocks"] = "6";
            values["block"] = "32";
            values["task"] = "light";
            values["task_size"] = "measured";
            values["groups"] = groups;
            values["scale"] = "0.00005";
            const auto gpu = make_slots(slots);
            const auto report = run_on(*gpu, one.workload, values, 3, one.input);
            EXPECT_NO_THROW(report.require_correct(one.workload));
            EXPECT_GE(std::stoul(row(report, "frames")), 2U) << row(report, "kernel time");
        }
    }
}

/// The same with the scheduler in software: it has no other room than that of its workers.
TEST_P(cooperative_kernel, is_right_while_a_scheduler_in_software_takes_blocks) {
    const run_case& one = GetParam();
    for (const char* groups : {"1", "quarter", "half", "all_but_one"}) {
        SCOPED_TRACE(groups);
        auto values = one.values;
        values["kernel"] = "software";
        values["blocks"] = "6";
        values["block"] = "32";
        values["task"] = "light";
        values["task_size"] = "measured";
        values["groups"] = groups;
        values["scale"] = "0.0001";
        const auto gpu = make_slots(7);
        const auto report = run_on(*gpu, one.workload, values, 3, one.input);
        EXPECT_NO_THROW(report.require_correct(one.workload));
        const unsigned long frames = std::stoul(row(report, "frames"));
        const unsigned long share = std::stoul(row(report, "blocks of the task"));
        const unsigned long ended = std::stoul(row(report, "blocks ended"));
        const unsigned long started = std::stoul(row(report, "blocks started"));
        EXPECT_GE(frames, 2U) << row(report, "kernel time");
        EXPECT_LE(ended, frames * share);
        EXPECT_LE(started, ended);
        EXPECT_GE(started + share, ended) << "blocks that ended for an earlier frame never came "
                                             "back";
    }
}

INSTANTIATE_TEST_SUITE_P(
    all, cooperative_kernel,
    testing::Values(run_case{"color", {}, "circuit:vertices=1000"},
                    run_case{"mis", {}, "circuit:vertices=1000"},
                    run_case{"p_sssp", {}, "road:width=12,height=12"},
                    run_case{"p_sssp", {}, "rmat:scale=9,degree=8"},
                    run_case{"l_bfs", {}, "road:width=20,height=20"},
                    run_case{"l_bfs", {}, "rmat:scale=10,degree=8"},
                    run_case{"l_sssp", {}, "road:width=16,height=16"},
                    run_case{"l_sssp", {}, "rmat:scale=9,degree=8"},
                    run_case{"octree", {{"points", "3000"}, {"threshold", "4"}, {"cut", "1"}}},
                    run_case{"octree", {{"points", "2000"}, {"cut", "0"}, {"clusters", "1"}}},
                    run_case{"octree_pockets", {{"points", "3000"}, {"leaf", "4"}, {"cut", "1"}}},
                    run_case{"game", {{"plies", "5"}, {"below", "2"}}},
                    run_case{"uts", {{"roots", "20"}, {"places", "5"}}}));

/// At its barriers the kernel gives all that a frame needs, and gets them back behind it.
TEST(software_scheduler, blocks_end_and_start_for_each_frame) {
    const auto gpu = make_slots(9);
    const auto report = run_on(*gpu, "l_bfs",
                               {{"kernel", "software"},
                                {"task", "light"},
                                {"task_size", "measured"},
                                {"groups", "all_but_one"},
                                {"scale", "0.001"}},
                               1, "road:width=20,height=20");
    report.require_correct("l_bfs");
    EXPECT_EQ(row(report, "blocks wanted"), "8");
    const unsigned long frames = std::stoul(row(report, "frames"));
    EXPECT_GE(frames, 4U);
    EXPECT_EQ(row(report, "blocks ended"), std::to_string(7 * frames));
    const unsigned long started = std::stoul(row(report, "blocks started"));
    EXPECT_THAT(started, testing::AnyOf(7 * frames, 7 * (frames - 1)));
}

/// What the scheduler writes down are the times of the host's display: due on the grid, shown
/// behind what was asked, and the kernel's end within the launch.
TEST(software_scheduler, frames_are_due_on_the_grid) {
    const auto gpu = make_slots(5);
    const auto report = run_on(*gpu, "mis",
                               {{"kernel", "software"},
                                {"task", "light"},
                                {"task_size", "measured"},
                                {"groups", "1"},
                                {"scale", "0.0003"}},
                               1, "circuit:vertices=3000");
    report.require_correct("mis");
    EXPECT_EQ(row(report, "period"), "70");
    const unsigned long frames = std::stoul(row(report, "frames"));
    EXPECT_GE(frames, 3U);
    EXPECT_GE(std::stod(row(report, "achieved period")), 70.0);
    EXPECT_GT(std::stod(row(report, "response")), std::stod(row(report, "gather time")));
    EXPECT_GT(std::stod(row(report, "gather time")), 0.0);
    EXPECT_GT(std::stoul(row(report, "kernel time")), frames * 20'000);
}

TEST(cooperative_run, times_follow_the_scale) {
    const auto gpu = make_slots(4);
    const auto report =
        run_on(*gpu, "mis", {{"task", "light"}, {"scale", "0.00001"}}, 1, "circuit:vertices=400");
    EXPECT_EQ(row(report, "period"), "70");
    EXPECT_EQ(row(report, "task on one block"), "282");
    EXPECT_EQ(row(report, "task on all blocks"), "70.5");
    EXPECT_EQ(row(report, "measured display"), "3");
    EXPECT_EQ(row(report, "scale of time"), "1e-05");

    const auto again = make_slots(4);
    const auto other =
        run_on(*again, "mis", {{"task", "heavy"}, {"task_size", "measured"}, {"scale", "0.00001"}},
               1, "circuit:vertices=400");
    EXPECT_EQ(row(other, "period"), "40");
    EXPECT_EQ(row(other, "task on one block"), "40");
    EXPECT_EQ(row(other, "task on all blocks"), "10");
}

TEST(display_times, frames_in_time_take_the_period) {
    const display_times times = times_of({{100, 100, 130}, {200, 203, 250}, {300, 300, 400}}, 100);
    EXPECT_EQ(times.missed, 0U);
    EXPECT_EQ(times.period, 100);
    EXPECT_EQ(times.response, (30 + 47 + 100) / 3.0);
}

/// The second and third frames take less than a period but began late: they miss their deadlines.
TEST(display_times, a_late_frame_that_is_made_up_for_counts_as_missed_only) {
    const std::vector<display_frame> frames = {
        {100, 100, 240}, {200, 240, 310}, {300, 310, 405}, {400, 405, 450}};
    const display_times times = times_of(frames, 100);
    EXPECT_EQ(times.missed, 3U);
    EXPECT_EQ(times.period, 100);
    EXPECT_EQ(times.response, (140 + 70 + 95 + 45) / 4.0);
}

TEST(display_times, frames_that_never_catch_up_take_their_response) {
    const display_times times =
        times_of({{100, 100, 350}, {200, 350, 600}, {300, 600, 850}, {400, 850, 1100}}, 100);
    EXPECT_EQ(times.missed, 4U);
    EXPECT_EQ(times.period, 250);
    EXPECT_EQ(times.response, 250);
    EXPECT_EQ(times_of({}, 100).period, 0);
}

/// Some frames miss their deadlines, but all that were due while the kernel ran are shown.
TEST(cooperative_run, late_frames_do_not_shift_those_after_them) {
    const auto gpu = make_slots(6);
    const auto report = run_on(*gpu, "octree",
                               {{"points", "3000"},
                                {"threshold", "4"},
                                {"cut", "1"},
                                {"task", "light"},
                                {"task_size", "measured"},
                                {"scale", "0.00005"}});
    const double frames = std::stod(row(report, "frames"));
    EXPECT_GT(std::stod(row(report, "missed deadlines")), frames / 4);
    const double period = 70e6 * 0.00005;
    // One may still be due when the kernel ends.
    EXPECT_NEAR(frames, std::floor(std::stod(row(report, "kernel time")) / period), 1);
}

/// Blocks of the task: a share of those that the kernel wants, at least one.
TEST(cooperative_run, the_task_takes_its_share) {
    const std::pair<const char*, const char*> shares[] = {
        {"1", "1"}, {"quarter", "1"}, {"half", "3"}, {"all_but_one", "5"}};
    for (const auto& [groups, expected] : shares) {
        const auto gpu = make_slots(6);
        const auto report =
            run_on(*gpu, "game",
                   {{"plies", "4"}, {"task", "medium"}, {"groups", groups}, {"scale", "0.0001"}});
        EXPECT_EQ(row(report, "blocks of the task"), expected);
    }
}

}  // namespace
}  // namespace heddle::workloads
