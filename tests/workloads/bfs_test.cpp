// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <gmock/gmock.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <optional>

#include "models/base/error.h"
#include "tests/workloads/workload_fixture.h"

namespace heddle::workloads {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::uint64_t count_of(const workload_report& report, const std::string& name) {
    for (const auto& row : report.rows()) {
        if (row.name == name) return std::get<std::uint64_t>(row.value);
    }
    ADD_FAILURE() << "no row " << name;
    return 0;
}

TEST(bfs, counts_what_it_traversed) {
    for (const char* variant : {"flags", "queue"}) {
        const auto gpu = make_device(32);
        // A path 0 - 1 - 2 - 3, and 4 - 5 apart from it.
        const std::string path =
            testing::TempDir() + "/path_" + variant + std::to_string(getpid()) + ".el";
        std::ofstream(path) << "0 1\n1 2\n2 3\n4 5\n";
        const auto report = run_on(*gpu, "bfs", {{"variant", variant}, {"source", "0"}}, 1,
                                   "edge_list:file=" + path);
        std::remove(path.c_str());
        EXPECT_TRUE(report.correct());
        EXPECT_EQ(count_of(report, "vertices"), 6U);
        EXPECT_EQ(count_of(report, "levels"), 3U);
        EXPECT_EQ(count_of(report, "reached vertices"), 4U);
        EXPECT_EQ(count_of(report, "traversed edges"), count_of(report, "edges") - 1);
        const std::vector<std::uint32_t> distance{0, 1, 2, 3, 0xffffffff, 0xffffffff};
        workload_report expected;
        expected.declare_deterministic("distances from 0", distance);
        EXPECT_EQ(golden_difference(report, expected), std::nullopt);
    }
}

TEST(bfs, bad_sources_and_inputs_are_errors) {
    const auto error_of = [](const option_values& values, const std::string& input) {
        const auto gpu = make_device(32);
        try {
            (void)run_on(*gpu, "bfs", values, 1, input);
        } catch (const configuration_error& error) {
            return std::string(error.what());
        }
        return std::string("no configuration_error");
    };
    EXPECT_THAT(error_of({{"source", "64"}}, "kronecker:scale=6,degree=4"),
                AllOf(HasSubstr("source=64"), HasSubstr("0 to 63")));
    EXPECT_THAT(error_of({}, "no/such/file.mtx"), HasSubstr("no/such/file.mtx"));
}

}  // namespace
}  // namespace heddle::workloads
