// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/base/cpu_quota.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <string>

#include "tests/base/temporary_directory.h"

namespace heddle {
namespace {

/// The quota of a process with this membership, where these files are.
std::optional<double> quota_with(const std::string& membership,
                                 const std::map<std::string, std::string>& files) {
    const temporary_directory folder;
    const auto write = [&](const std::string& name, const std::string& text) {
        const std::filesystem::path file = folder.path() / name;
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file) << text;
    };
    write("membership", membership);
    for (const auto& [name, text] : files) write("mounted/" + name, text);
    return cpu_quota(folder.path() / "membership", folder.path() / "mounted");
}

TEST(cpu_quota, is_that_of_the_own_group) {
    EXPECT_EQ(quota_with("0::/jobs/7\n", {{"jobs/7/cpu.max", "150000 100000\n"}}), 1.5);
    EXPECT_EQ(quota_with("0::/jobs/7\n", {{"jobs/8/cpu.max", "150000 100000\n"}}), std::nullopt);
}

TEST(cpu_quota, of_a_group_around_it_counts_if_it_is_less) {
    const std::string inner = "jobs/7/cpu.max";
    EXPECT_EQ(
        quota_with("0::/jobs/7\n", {{inner, "300000 100000"}, {"jobs/cpu.max", "50000 100000"}}),
        0.5);
    EXPECT_EQ(quota_with("0::/jobs/7\n", {{inner, "20000 10000"}, {"jobs/cpu.max", "50000 10000"}}),
              2.0);
    EXPECT_EQ(quota_with("0::/jobs/7\n", {{inner, "max 100000"}, {"jobs/cpu.max", "50000 100000"}}),
              0.5);
}

/// In a container the path is one of the host.
TEST(cpu_quota, of_the_outermost_group_counts) {
    EXPECT_EQ(quota_with("0::/\n", {{"cpu.max", "400000 100000"}}), 4.0);
    EXPECT_EQ(quota_with("0::/not/here\n", {{"cpu.max", "400000 100000"}}), 4.0);
}

TEST(cpu_quota, of_version_1) {
    const std::map<std::string, std::string> files{{"cpu/jobs/cpu.cfs_quota_us", "250000\n"},
                                                   {"cpu/jobs/cpu.cfs_period_us", "100000\n"}};
    EXPECT_EQ(quota_with("3:cpuset:/jobs\n1:cpu:/jobs/7\n0::/\n", files), 2.5);
    EXPECT_EQ(quota_with("3:cpuset:/jobs\n2:cpuacct:/jobs\n", files), std::nullopt);
    EXPECT_EQ(quota_with("4:cpu,cpuacct:/a\n", {{"cpu,cpuacct/a/cpu.cfs_quota_us", "50000"},
                                                {"cpu,cpuacct/a/cpu.cfs_period_us", "100000"}}),
              0.5);
}

TEST(cpu_quota, is_none_without_a_limit) {
    EXPECT_EQ(quota_with("0::/a\n", {{"a/cpu.max", "max 100000"}}), std::nullopt);
    EXPECT_EQ(quota_with("1:cpu:/\n",
                         {{"cpu/cpu.cfs_quota_us", "-1"}, {"cpu/cpu.cfs_period_us", "100000"}}),
              std::nullopt);
    EXPECT_EQ(quota_with("", {{"cpu.max", "50000 100000"}}), std::nullopt);
    EXPECT_EQ(quota_with("nothing known\n1:cpu\n", {{"cpu.max", "50000 100000"}}), std::nullopt);
    EXPECT_EQ(quota_with("0::/a\n", {{"a/cpu.max", "50000"}}), std::nullopt);
    EXPECT_EQ(quota_with("0::/a\n", {{"a/cpu.max", "50000 0"}}), std::nullopt);
    EXPECT_EQ(cpu_quota("/no/such/file", "/no/such/folder"), std::nullopt);
}

}  // namespace
}  // namespace heddle
