// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Workloads whose threads launch children, on the functional simulator: every mode is right, gives
// the same results as the others, and launches what it should.
#include <gmock/gmock.h>

#include <optional>
#include <ostream>

#include "models/base/error.h"
#include "tests/base/temporary_directory.h"
#include "tests/workloads/workload_fixture.h"

namespace heddle::workloads {
namespace {

using testing::HasSubstr;

struct launching_case {
    const char* name;
    const char* workload;
    const char* input;
    option_values values;  ///< with a threshold that makes some children and leaves some work
};

std::ostream& operator<<(std::ostream& out, const launching_case& one) {
    return out << one.name;
}

struct launching_run {
    workload_report report;
    std::uint64_t blocks;  ///< of host launches and children
};

launching_run run_mode(const launching_case& one, launch_mode mode, unsigned warp_size) {
    machine_configuration machine;
    machine.warp_size = warp_size;
    machine.smx_count = 2;
    machine.launch.enabled = true;
    machine.tm.enabled = true;  // ledgers
    iss::functional_simulator gpu(machine);
    workload_options options;
    options.input = one.input;
    options.values = one.values;
    options.mode = mode;
    launching_run result{run_workload(find_workload(one.workload), gpu, options), 0};
    result.blocks = gpu.total().blocks;
    return result;
}

/// Those that launch.
std::vector<launch_mode> launching_modes() {
    std::vector<launch_mode> modes;
    for (const named_mode& each : named_modes) {
        const chosen_mode& chosen = each.chosen;
        if (chosen.mode != launch_mode::flat && !chosen.ideal) modes.push_back(chosen.mode);
    }
    return modes;
}

/// The form of the programs: children get whole blocks, or all; and grids that stride, or cover.
std::vector<option_values> forms() {
    return {{},
            {{"whole_blocks", "false"}, {"parents", "0"}, {"block", "64"}},
            {{"parents", "1"}, {"block", "32"}}};
}

launching_case in_form(launching_case one, const option_values& form) {
    for (const auto& [key, value] : form) one.values.emplace(key, value);
    return one;
}

class child_launch : public testing::TestWithParam<launching_case> {};

TEST_P(child_launch, is_right_in_every_mode) {
    for (const unsigned warp_size : {8U, 32U, 64U}) {
        SCOPED_TRACE(warp_size);
        for (const option_values& form : forms()) {
            const launching_case one = in_form(GetParam(), form);
            const launching_run flat = run_mode(one, launch_mode::flat, warp_size);
            EXPECT_NO_THROW(flat.report.require_correct("flat"));
            for (const launch_mode mode : launching_modes()) {
                const launching_run run = run_mode(one, mode, warp_size);
                EXPECT_NO_THROW(run.report.require_correct(std::string(name_of(mode))));
                EXPECT_EQ(golden_difference(run.report, flat.report), std::nullopt);
                EXPECT_GT(run.blocks, flat.blocks);
            }
        }
    }
}

// 400 left rows over 8 keys find about 500 / 8 right ones each.
TEST(pockets, whole_blocks_leave_the_rest_to_the_parent) {
    launching_case one{"", "join", "", {{"left", "400"}, {"right", "500"}, {"different", "8"}}};
    one.values["parents"] = "3";
    const std::uint64_t flat = run_mode(one, launch_mode::flat, 32).blocks;
    const std::uint64_t whole = run_mode(one, launch_mode::dtbl, 32).blocks;
    one.values["whole_blocks"] = "false";
    const std::uint64_t all = run_mode(one, launch_mode::dtbl, 32).blocks;
    EXPECT_EQ(flat, 3U + 2);  // join_count covers the rows
    EXPECT_GT(whole, flat);
    EXPECT_EQ(all - flat, whole - flat + 400);  // no key has a multiple of 32 rows
}

TEST_P(child_launch, needs_enough_work) {
    launching_case none = GetParam();
    none.values["threshold"] = "1000000";
    const launching_run flat = run_mode(none, launch_mode::flat, 32);
    const launching_run dtbl = run_mode(none, launch_mode::dtbl, 32);
    EXPECT_NO_THROW(dtbl.report.require_correct("dtbl"));
    EXPECT_EQ(dtbl.blocks, flat.blocks);
}

INSTANTIATE_TEST_SUITE_P(
    of, child_launch,
    testing::Values(
        launching_case{"amr", "amr", "", {{"across", "4"}, {"child_block", "48"}}},
        launching_case{
            "amr_one_level", "amr", "", {{"across", "9"}, {"levels", "1"}, {"limit", "50000"}}},
        launching_case{"bht", "bht", "", {{"bodies", "300"}, {"leaf", "50"}}},
        launching_case{"bfs_citation",
                       "bfs/citation",
                       "powerlaw:vertices=400",
                       {{"threshold", "20"}, {"child_block", "16"}}},
        launching_case{"bfs_usa_road",
                       "bfs/usa_road",
                       "road:width=15,height=9",
                       {{"threshold", "3"}, {"child_block", "2"}}},
        launching_case{"bfs_hubs",
                       "bfs/citation",
                       "hubs:vertices=900,hubs=3",
                       {{"block", "64"}, {"child_block", "33"}}},
        launching_case{"clr_graph500", "clr/graph500", "kronecker:scale=7,degree=8", {}},
        launching_case{"clr_cage15",
                       "clr/cage15",
                       "banded:vertices=300",
                       {{"threshold", "20"}, {"child_block", "16"}}},
        launching_case{"join_uniform",
                       "join/uniform",
                       "",
                       {{"left", "300"}, {"right", "500"}, {"different", "15"}}},
        launching_case{"join_gaussian",
                       "join/gaussian",
                       "",
                       {{"left", "300"}, {"right", "500"}, {"different", "15"}}},
        launching_case{"pre", "pre", "ratings:users=30,items=60,mean=9,least=3", {}},
        launching_case{"regx_darpa", "regx/darpa", "packets:count=40,longest=300", {}},
        launching_case{"regx_string",
                       "regx/string",
                       "strings:count=100",
                       {{"section", "30"}, {"child_block", "64"}}},
        launching_case{"sssp_citation",
                       "sssp/citation",
                       "powerlaw:vertices=400",
                       {{"threshold", "20"}, {"child_block", "16"}}},
        launching_case{"sssp_flight", "sssp/flight", "hubs:vertices=500,hubs=8", {}}),
    [](const testing::TestParamInfo<launching_case>& info) { return info.param.name; });

/// Programs whose threads find no pockets of items: a child does something else than its parent.
class other_children : public testing::TestWithParam<launching_case> {};

TEST_P(other_children, work_and_are_right_in_every_mode) {
    const launching_run flat = run_mode(GetParam(), launch_mode::flat, 32);
    flat.report.require_correct("flat");
    for (const launch_mode mode : launching_modes()) {
        const launching_run run = run_mode(GetParam(), mode, 32);
        run.report.require_correct(GetParam().name);
        EXPECT_GT(run.blocks, flat.blocks + 1);
    }
}

INSTANTIATE_TEST_SUITE_P(
    of, other_children,
    testing::Values(
        launching_case{"ledgers", "ledgers", "", {{"books", "60"}, {"longest", "90"}}},
        launching_case{"ledgers_of_two",
                       "ledgers",
                       "",
                       {{"books", "20"}, {"accounts", "2"}, {"block", "100"}}},
        launching_case{
            "octree_pockets",
            "octree_pockets",
            "",
            {{"points", "2000"}, {"leaf", "16"}, {"threshold", "40"}, {"child_block", "40"}}}),
    [](const testing::TestParamInfo<launching_case>& info) { return info.param.name; });

TEST(children, run_when_all_have_been_made_and_parents_read_what_they_leave) {
    const launching_case held{"held", "children", "", {{"launches", "700"}, {"each", "5"}}};
    for (const launch_mode mode : launching_modes()) {
        const launching_run run = run_mode(held, mode, 32);
        EXPECT_NO_THROW(run.report.require_correct(std::string(name_of(mode))));
        // Parents, and the blocks that hold shared memory: half the slots of two SMXs.
        const unsigned others = (700 / 5 + 31) / 32 + machine_configuration().smx.max_blocks;
        EXPECT_EQ(run.blocks, others + 700 * 4);
        launching_case waiting = held;
        waiting.values["wait"] = "true";
        EXPECT_NO_THROW(run_mode(waiting, mode, 32).report.require_correct("with wait"));
    }
}

TEST(aliases, give_inputs_and_options_that_a_user_may_change) {
    const workload& alias = find_workload("bfs/usa_road");
    EXPECT_EQ(alias.program(), "bfs_pockets");
    EXPECT_THAT(alias.default_input, HasSubstr("road:"));
    EXPECT_EQ(find_workload("join/gaussian").preset.at("keys"), "gaussian");
    for (const workload& one : workload_aliases()) {
        EXPECT_EQ(look_up(one.name), &one);
        EXPECT_NE(look_up(one.alias_of), nullptr);
        const auto prepared = one.prepare();
        for (const auto& [key, value] : one.preset) {
            EXPECT_NE(prepared->options().find(key), nullptr) << one.name << " " << key;
        }
    }
    EXPECT_EQ(look_up("bfs/nowhere"), nullptr);
    // The same run under both names.
    const auto by_alias = make_device(32);
    const auto by_name = make_device(32);
    const char* input = "road:width=9,height=7";
    EXPECT_EQ(golden_difference(run_on(*by_alias, "bfs/usa_road", {}, 3, input),
                                run_on(*by_name, "bfs_pockets", {}, 3, input)),
              std::nullopt);
    // The user's option has priority.
    const auto gaussian = make_device(32);
    const auto uniform = make_device(32);
    EXPECT_EQ(golden_difference(run_on(*gaussian, "join/gaussian", {{"keys", "uniform"}}, 3),
                                run_on(*uniform, "join/uniform", {}, 3)),
              std::nullopt);
}

TEST(regx, reads_patterns_from_a_file) {
    const temporary_directory directory;
    const std::string patterns = directory.write("patterns", "z9\n[a-h]\n");
    launching_case one{
        "", "regx", "strings:count=20,shortest=40,longest=40", {{"patterns", patterns}}};
    for (const launch_mode mode : {launch_mode::flat, launch_mode::cdp}) {
        const launching_run run = run_mode(one, mode, 32);
        EXPECT_NO_THROW(run.report.require_correct("regx"));
        workload_report expected;  // a match at each byte, also at the last one
        expected.declare_deterministic("matches", std::vector<std::uint32_t>(20, 40));
        expected.declare_deterministic("first matches", std::vector<std::uint32_t>(20, 0));
        EXPECT_EQ(golden_difference(run.report, expected), std::nullopt);
    }
    one.values["patterns"] = directory / "none";
    EXPECT_THROW((void)run_mode(one, launch_mode::flat, 32), configuration_error);
}

std::string error_of(const char* name, const std::string& input, const option_values& values = {}) {
    const auto gpu = make_device(32);
    try {
        (void)run_on(*gpu, name, values, 1, input);
    } catch (const configuration_error& error) {
        return error.what();
    }
    return "no error";
}

TEST(inputs_of_workloads, that_do_not_fit_are_errors) {
    EXPECT_THAT(error_of("clr", "rmat:scale=5"), HasSubstr("in one direction only"));
    EXPECT_THAT(error_of("clr", "kronecker:scale=5,self_loops=keep"), HasSubstr("to itself"));
    EXPECT_THAT(error_of("sssp", "road", {{"source", "70000"}}), HasSubstr("0 to 65535"));
    EXPECT_THAT(error_of("pre", "road:width=4,height=4"), HasSubstr("has no ratings"));
    EXPECT_THAT(error_of("regx", "road:width=4,height=4"),
                HasSubstr("known: lines, pcap, packets, strings"));
    EXPECT_THAT(
        error_of("join", "", {{"left", "1000000"}, {"right", "1000000"}, {"different", "1"}}),
        HasSubstr("1000000000000 pairs"));
}

}  // namespace
}  // namespace heddle::workloads
