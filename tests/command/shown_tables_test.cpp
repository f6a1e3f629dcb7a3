// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/run/shown_tables.h"

#include <gmock/gmock.h>

#include "hw/smx/smx_statistics.h"
#include "hw/top/gpu_statistics.h"
#include "models/device/execution_counts.h"

namespace heddle::command {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

/// Of one SMX: 60 cycles of 100 issue, with half of the lanes.
statistics sample() {
    statistics values;
    declare_gpu(values);
    values.set("gpu.cycles", 100U);
    values.set("gpu.warp_instructions", 60U);
    values.set("gpu.simd_efficiency", 0.5);
    for (const statistic_declaration& part : scheduler_statistics) {
        values.set(std::string("gpu.") + part.name, 0U);
    }
    values.set("gpu.issue_slots.issued", 60U);
    values.set("gpu.issue_slots.memory", 30U);
    values.set("gpu.issue_slots.no_warp", 10U);
    collect_kernel(values, "a.kernel", {3, {}}, 32);
    return values;
}

std::string table_of(const std::string& name, const statistics& values,
                     const std::vector<launch_record>& launches) {
    return shown_table(name, {values, launches, {}});
}

TEST(shown_tables, cpi_shows_the_parts_that_there_are) {
    const std::string text = table_of("cpi", sample(), {});
    EXPECT_THAT(text, ContainsRegex("issued +60 +60\\.0 +1\\.000 +####"));
    EXPECT_THAT(text, ContainsRegex("of which lanes off +30 +30\\.0 +0\\.500\n"));
    EXPECT_THAT(text, ContainsRegex("memory +30 +30\\.0 +0\\.500 +####"));
    EXPECT_THAT(text, ContainsRegex("all +100 +100\\.0 +1\\.667\n"));
    EXPECT_THAT(text, Not(HasSubstr("fetch")));
}

TEST(shown_tables, cpi_of_an_empty_run_has_no_ratios) {
    statistics values;
    declare_gpu(values);
    EXPECT_THAT(table_of("cpi", values, {}), ContainsRegex("all +0 +- +-\n"));
}

TEST(shown_tables, kernels_have_the_cycles_of_their_launches) {
    std::vector<launch_record> launches(2);
    for (launch_record& launch : launches) {
        launch.kernel = "a.kernel";
        launch.first_dispatch = 10;
        launch.last_end = 17;
    }
    EXPECT_THAT(table_of("kernels", sample(), launches),
                ContainsRegex("a\\.kernel +3 +0 +14 +0 +0\\.00 "));
}

TEST(shown_tables, launches_that_have_not_ended_have_no_cycles) {
    launch_record launch;
    launch.launch = launch_id(7);
    launch.kernel = "k";
    launch.grid = {4, 1, 1};
    launch.block = {64, 2, 1};
    launch.launched = 5;
    EXPECT_THAT(table_of("launches", sample(), {launch}),
                ContainsRegex("7 +k +4,1,1 +64,2,1 +5 +- +- +- +0 +0\n"));
    launch.first_dispatch = 6;
    launch.last_end = 99;
    launch.blocks = 3;
    EXPECT_THAT(table_of("launches", sample(), {launch}), ContainsRegex(" +5 +6 +- +- +3 +0\n"));
    launch.blocks = 4;
    EXPECT_THAT(table_of("launches", sample(), {launch}), ContainsRegex(" +5 +6 +99 +93 +4 +0\n"));
}

TEST(shown_tables, all_names_have_a_table) {
    for (const std::string& name : shown_table_names())
        EXPECT_NE(table_of(name, sample(), {}), "") << name;
    EXPECT_EQ(table_of("none", sample(), {}), "");
}

}  // namespace
}  // namespace heddle::command
