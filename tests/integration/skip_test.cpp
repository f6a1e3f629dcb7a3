// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// --skip-kernels: the first launches of a run take no time.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/integration/heddle_process.h"

namespace heddle {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using words = std::vector<std::string>;

constexpr unsigned launches = 5;  ///< of the search below

/// A breadth-first search, one launch a level: each reads what the last has written.
command_result search(const words& more) {
    words arguments{"run",      "bfs",  "--input", "kronecker:scale=9,degree=16",
                    "--config", "tiny", "--golden"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return heddle_command(arguments);
}

json statistics_of(const words& more) {
    const temporary_directory files;
    const std::string file = files / "statistics.json";
    words arguments{"--stats", file};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const command_result result = search(arguments);
    EXPECT_EQ(result.code, 0) << result.errors;
    EXPECT_THAT(result.output, HasSubstr("golden"));
    EXPECT_THAT(result.output, HasSubstr("equal"));
    return json::parse(contents_of(file)).at("statistics");
}

std::uint64_t value(const json& statistics, const char* name) {
    return statistics.at(name).at("value").get<std::uint64_t>();
}

TEST(skip_kernels, every_number_of_launches_gives_the_same_result) {
    const json whole = statistics_of({});
    EXPECT_EQ(value(whole, "run.skipped_launches"), 0U);
    std::uint64_t cycles = value(whole, "gpu.cycles");
    for (unsigned skipped = 1; skipped < launches; ++skipped) {
        const json some = statistics_of({"--skip-kernels", std::to_string(skipped)});
        EXPECT_EQ(value(some, "run.skipped_launches"), skipped);
        EXPECT_EQ(value(some, "kernel.bfs_flags.launches"), launches - skipped);
        EXPECT_LT(value(some, "gpu.cycles"), cycles);
        cycles = value(some, "gpu.cycles");
        // What threads do depends on who reaches a vertex first, but not how many blocks there are.
        EXPECT_GT(value(some, "run.skipped_warp_instructions"), 0U);
        EXPECT_LT(value(some, "gpu.blocks"), value(whole, "gpu.blocks"));
    }
}

/// gf100 caches global loads in L1: the timed launches must see what the skipped ones have written.
TEST(skip_kernels, caches_see_what_was_written_without_time) {
    const command_result result =
        heddle_command({"run", "bfs", "--input", "road:width=9", "--config", "gf100", "--golden",
                        "--skip-kernels", "7"});
    EXPECT_EQ(result.code, 0) << result.errors;
    EXPECT_THAT(result.output, HasSubstr("skipped launches"));
}

/// A rate over a time that misses a part of the work would be wrong.
TEST(skip_kernels, without_all_of_the_time_there_is_no_rate) {
    EXPECT_THAT(search({}).output, HasSubstr("traversal rate"));
    EXPECT_THAT(search({"--skip-kernels", "2"}).output, testing::Not(HasSubstr("traversal rate")));
    EXPECT_THAT(heddle_command({"run", "bfs", "--functional"}).output,
                testing::Not(HasSubstr("traversal rate")));
}

TEST(skip_kernels, two_runs_are_equal) {
    const temporary_directory files;
    for (const char* name : {"a.json", "b.json"}) {
        EXPECT_EQ(search({"--skip-kernels", "2", "--stats", files / name}).code, 0);
    }
    json a = json::parse(contents_of(files / "a.json")).at("statistics");
    json b = json::parse(contents_of(files / "b.json")).at("statistics");
    for (json* all : {&a, &b}) {
        for (auto entry = all->begin(); entry != all->end();) {
            entry = entry.key().rfind("host.", 0) == 0 ? all->erase(entry) : std::next(entry);
        }
    }
    EXPECT_EQ(a, b);
}

TEST(skip_kernels, something_must_be_left_to_time) {
    for (const char* skipped : {"5", "1000000"}) {
        const command_result result = search({"--skip-kernels", skipped});
        EXPECT_EQ(result.code, 2);
        EXPECT_THAT(result.errors, HasSubstr(std::string("--skip-kernels ") + skipped +
                                             ": the run has only 5 launches"));
        EXPECT_THAT(result.errors, HasSubstr("legal: 0 to 4"));
    }
}

TEST(skip_kernels, a_fault_of_a_skipped_launch_is_told) {
    const command_result result =
        heddle_command({"run", built_program("iss_fault"), "--kernel", "write_past_the_end",
                        "--arg", "out:u32[4]", "--skip-kernels", "1"});
    EXPECT_EQ(result.code, 3) << result.errors;
    EXPECT_THAT(result.errors, HasSubstr("illegal write of 4 bytes"));
}

TEST(skip_kernels, belongs_to_the_timed_machine) {
    const command_result result = search({"--skip-kernels", "1", "--functional"});
    EXPECT_EQ(result.code, 2);
    EXPECT_THAT(result.errors, HasSubstr("--skip-kernels is for the timed machine"));
}

TEST(skip_kernels, takes_a_number_that_is_not_negative) {
    EXPECT_EQ(search({"--skip-kernels", "-1"}).code, 2);
    EXPECT_EQ(search({"--skip-kernels", "some"}).code, 2);
}

}  // namespace
}  // namespace heddle
