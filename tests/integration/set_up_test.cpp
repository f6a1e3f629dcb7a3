// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// What scripts/setup, run and test build. Stand-ins for cmake, ctest and dpkg-query write down how
// they were called.
#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>

#include "tb/kit/paths.h"
#include "tests/integration/heddle_process.h"

namespace heddle {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using words = std::vector<std::string>;

/// The commands that a script of a tree without a build gives.
std::string commands_of(const words& arguments) {
    const temporary_directory tree;
    const std::string log = tree / "log";
    const auto stand_in = [&](const std::string& name, const std::string& action) {
        tree.write(name, "#!/bin/sh\n" + action + "\n");
        std::filesystem::permissions(tree / name, std::filesystem::perms::owner_all);
    };
    const std::string write_down = "echo \"$(basename \"$0\") $*\" >> '" + log + "'";
    for (const char* name : {"bin/cmake", "bin/ctest", "build/release/heddle"}) {
        stand_in(name, write_down);
    }
    stand_in("bin/dpkg-query", "echo install ok installed");
    std::filesystem::create_directory(tree / "scripts");
    for (const char* name : {"setup", "run", "test", "usage.sh", "packages.txt"}) {
        std::filesystem::copy_file(source_path(std::string("scripts/") + name),
                                   tree / (std::string("scripts/") + name));
    }
    words call{"PATH=" + tree / "bin" + ":" + std::getenv("PATH")};
    call.push_back(tree / ("scripts/" + arguments.front()));
    call.insert(call.end(), arguments.begin() + 1, arguments.end());
    const command_result result = heddle_process("/usr/bin/env", call).wait();
    EXPECT_EQ(result.code, 0) << result.errors;
    return contents_of(log);
}

TEST(set_up, run_builds_the_command_only) {
    EXPECT_EQ(commands_of({"run", "saxpy", "--seed", "7"}),
              "cmake --preset release\n"
              "cmake --build --preset release --target heddle\n"
              "heddle run saxpy --seed 7\n");
}

TEST(set_up, test_builds_everything) {
    const std::string commands = commands_of({"test", "--preset", "asan", "-R", "isa"});
    EXPECT_THAT(commands, HasSubstr("cmake --build --preset asan --target all\n"
                                    "ctest --test-dir build/asan "));
    EXPECT_THAT(commands, EndsWith(" -R isa\n"));
}

TEST(set_up, setup_builds_the_targets_that_it_is_given) {
    EXPECT_EQ(commands_of({"setup", "quick", "crossbar_tb", "kmu_tb"}),
              "cmake --preset quick\n"
              "cmake --build --preset quick --target crossbar_tb kmu_tb\n");
}

/// Of the build that this test belongs to.
TEST(set_up, the_command_needs_no_test_and_no_testbench) {
    if (!std::filesystem::exists(build_path("build.ninja"))) GTEST_SKIP() << "not Ninja's build";
    const std::string inputs =
        heddle_process("/usr/bin/env", {"ninja", "-C", build_path(""), "-t", "inputs", "heddle"})
            .wait()
            .output;
    EXPECT_THAT(inputs, HasSubstr("heddle_kernel_bfs\n"));
    for (const std::string& other : {std::string("\ntests/"), std::string("\ntb/"),
                                     "\n" + source_path("tests/"), "\n" + source_path("tb/")}) {
        EXPECT_THAT(inputs, testing::Not(HasSubstr(other)));
    }
}

}  // namespace
}  // namespace heddle
