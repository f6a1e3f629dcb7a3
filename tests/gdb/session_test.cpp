// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Each session of tests/gdb/sessions on each machine, by session.py; and debuggers that behave
// badly, by remote_test.py.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <tuple>
#include <vector>

#include "models/program/process.h"
#include "tb/kit/paths.h"

namespace heddle {
namespace {

using program::run_process;

/// Its name, and the machine.
using session = std::tuple<std::string, std::string>;

/// Those whose names begin with timed_ are of the timed machine only.
std::vector<session> sessions() {
    std::vector<session> all;
    for (const auto& each :
         std::filesystem::directory_iterator(source_path("tests/gdb/sessions"))) {
        const std::string name = each.path().stem().string();
        if (name.rfind("timed_", 0) != 0) all.emplace_back(name, "functional");
        all.emplace_back(name, "timed");
    }
    std::sort(all.begin(), all.end());
    return all;
}

class gdb_session : public testing::TestWithParam<session> {};

TEST_P(gdb_session, prints_what_it_expects) {
    constexpr int skipped = 77;
    const auto& [name, machine] = GetParam();
    const std::string elf =
        name.rfind("optimized_", 0) == 0 ? "kernels/debugged_o1.elf" : "kernels/debugged_o0.elf";
    const auto ended = run_process(
        {"/usr/bin/python3", "-B", source_path("tests/gdb/session.py"), build_path("heddle"),
         build_path(elf), source_path("tests/gdb/sessions/" + name + ".gdb"), machine},
        "/dev/null");
    if (ended.status == skipped) GTEST_SKIP() << ended.output;
    EXPECT_EQ(ended.status, 0) << ended.output;
}

INSTANTIATE_TEST_SUITE_P(gdb, gdb_session, testing::ValuesIn(sessions()), [](const auto& info) {
    return std::get<0>(info.param) + "_" + std::get<1>(info.param);
});

TEST(gdb_remote, stands_debuggers_that_behave_badly) {
    ::setenv("HEDDLE_COMMAND", build_path("heddle").c_str(), 1);
    ::setenv("HEDDLE_DEBUGGED", build_path("kernels/debugged_o0.elf").c_str(), 1);
    const auto ended = run_process(
        {"/usr/bin/python3", "-B", source_path("tests/gdb/remote_test.py")}, "/dev/null");
    EXPECT_EQ(ended.status, 0) << ended.output;
}

}  // namespace
}  // namespace heddle
