// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// --check as a user sees it, on the kernels of docs/finding_a_wrong_kernel.md.
#include <gmock/gmock.h>

#include "tests/integration/heddle_process.h"

namespace heddle {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;
using words = std::vector<std::string>;

/// A kernel of docs/examples/wrong_sum.cpp over 1000 ones.
command_result wrong_sum(const std::string& kernel, const std::string& grid,
                         const words& more = {}) {
    words arguments{"run",      built_program("wrong_sum"),
                    "--config", "tiny",
                    "--kernel", kernel,
                    "--grid",   grid,
                    "--block",  "256",
                    "--arg",    "1000",
                    "--arg",    "values:u32[1000]=1",
                    "--arg",    "sums:u32[500]"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return heddle_command(arguments);
}

TEST(check, says_what_it_has_compared) {
    const command_result result =
        heddle_command({"run", "saxpy", "--config", "tiny", "--option", "n=2048", "--check"});
    EXPECT_EQ(result.code, 0) << result.errors;
    EXPECT_THAT(result.output, ContainsRegex("check +equal +[0-9]+ warp instructions"));
    EXPECT_THAT(result.output, Not(HasSubstr("rac")));
}

TEST(check, passes_what_races_by_right) {
    for (const char* configuration : {"tiny", "gf100", "si"}) {
        const command_result search = heddle_command(
            {"run", "bfs", "--config", configuration, "--input", "kronecker:scale=9,degree=16",
             "--option", "block=64", "--check", "--golden"});
        EXPECT_EQ(search.code, 0) << search.errors;
        EXPECT_THAT(search.output,
                    AllOf(HasSubstr("racing loads"), HasSubstr("first racing load: "),
                          HasSubstr("bfs_kernel.cpp:")));
        const command_result locks = heddle_command(
            {"run", "lock", "--config", configuration, "--option", "n=300", "--check"});
        EXPECT_EQ(locks.code, 0) << locks.errors;
        EXPECT_THAT(locks.output, Not(HasSubstr("racing")));
    }
}

TEST(check, changes_no_result_and_no_time) {
    const temporary_directory files;
    const auto run = [&](const std::string& name, const words& more) {
        words arguments{"run",     "bfs",          "--config", "tiny",
                        "--input", "road:width=8", "--retire", files / name};
        arguments.insert(arguments.end(), more.begin(), more.end());
        EXPECT_EQ(heddle_command(arguments).code, 0);
        return contents_of(files / name);
    };
    const std::string plain = run("a", {});
    EXPECT_TRUE(plain == run("b", {"--check"}));
    EXPECT_TRUE(plain == run("c", {"--check", "--no-sleep", "--check-links"}));
}

TEST(check, begins_where_skipped_launches_end) {
    const command_result result =
        heddle_command({"run", "bfs", "--config", "gf100", "--input", "road:width=8", "--check",
                        "--skip-kernels", "5", "--golden"});
    EXPECT_EQ(result.code, 0) << result.errors;
    EXPECT_THAT(result.output, ContainsRegex("check +equal"));
}

TEST(check, names_races_on_shared_memory) {
    const command_result result = wrong_sum("sum_without_barrier", "4", {"--check"});
    EXPECT_EQ(result.code, 0) << result.errors;
    EXPECT_THAT(result.output,
                AllOf(ContainsRegex("shared races +[0-9]+  accesses without a barrier"),
                      ContainsRegex("first race on shared memory: at cycle .*without a barrier "
                                    "between them, shared byte [0-9]+"),
                      HasSubstr("wrong_sum.cpp:23 in sum_without_barrier")));
    // It is one: who is faster decides.
    EXPECT_NE(result.output.find("sums u32[500]: 256 256 256 232"), std::string::npos);
    EXPECT_THAT(wrong_sum("sum_without_barrier", "4", {"--functional"}).output,
                HasSubstr("sums u32[500]: 160 160 160 160"));
}

TEST(check, names_private_memory_that_was_never_written) {
    EXPECT_EQ(wrong_sum("sum_of_stack", "1").code, 0) << "nobody notices";
    const command_result result = wrong_sum("sum_of_stack", "1", {"--check"});
    EXPECT_EQ(result.code, 3);
    EXPECT_THAT(result.errors,
                AllOf(HasSubstr("heddle: undefined value at cycle "),
                      HasSubstr("from private memory that this thread has never written"),
                      HasSubstr("wrong_sum.cpp:37 in sum_of_stack")));
}

TEST(check, leaves_faults_as_they_are) {
    const command_result plain = wrong_sum("sum_past_end", "4");
    EXPECT_EQ(plain.code, 3);
    EXPECT_THAT(plain.errors, HasSubstr("out of bounds: 0 bytes past 'values'"));
    EXPECT_THAT(plain.errors,
                testing::ContainsRegex("\n  in cycle [0-9]+, SMX [01], warp slot [0-9]+\n"));
    EXPECT_EQ(wrong_sum("sum_past_end", "4", {"--check"}).errors, plain.errors);
}

TEST(check, belongs_to_the_timed_machine) {
    expect_refused({"run", "saxpy", "--functional", "--check"}, "--check is for the timed machine");
}

}  // namespace
}  // namespace heddle
