// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/list/statistics_catalog.h"

#include <gmock/gmock.h>

#include <set>

#include "models/base/output_file.h"
#include "tb/kit/paths.h"
#include "tests/base/temporary_directory.h"

namespace heddle::command {
namespace {

using testing::HasSubstr;

TEST(statistics_catalog, the_reference_page_is_current) {
    const std::string generated = build_path("statistics_reference.md");
    write_file(generated, statistics_markdown());
    EXPECT_TRUE(contents_of(source_path("docs/statistics_reference.md")) == statistics_markdown())
        << "the declarations have changed: cp " << generated << " docs/statistics_reference.md";
}

TEST(statistics_catalog, every_name_is_there_once_with_a_description) {
    std::set<std::string> names;
    for (const statistic_group& group : statistic_catalog()) {
        for (const statistic_declaration& s : group.table) {
            EXPECT_TRUE(names.insert(std::string(group.scope) + "." + s.name).second) << s.name;
            EXPECT_STRNE(s.description, "") << s.name;
            EXPECT_THAT(s.description, testing::Not(HasSubstr("|"))) << s.name;
        }
    }
}

/// Names of the design that tools rely on, as far as the machine has the blocks.
TEST(statistics_catalog, has_the_names_that_tools_rely_on) {
    std::set<std::string> names;
    for (const statistic_group& group : statistic_catalog()) {
        for (const statistic_declaration& s : group.table) {
            names.insert(std::string(group.scope) + "." + s.name);
        }
    }
    for (const char* name :
         {"gpu.cycles", "gpu.time", "gpu.warp_instructions", "gpu.thread_instructions", "gpu.ipc",
          "gpu.simd_efficiency", "gpu.smx_occupancy", "gpu.dram_efficiency",
          "gpu.dram_bandwidth_utilization", "gpu.l1d_miss_rate", "gpu.l2_miss_rate",
          "gpu.stall_cycles", "gpu.reservation_fails", "launch.count", "launch.waiting_time",
          "host.seconds", "host.warp_instructions_per_second", "host.cycles_per_second",
          "host.peak_memory"}) {
        EXPECT_EQ(names.count(name), 1U) << name;
    }
}

}  // namespace
}  // namespace heddle::command
