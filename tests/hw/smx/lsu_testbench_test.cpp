// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tb/kit/paths.h"

/// The testbench of the load-store unit as a program: sleep changes nothing.
namespace heddle {
namespace {

std::string file_name(const std::string& name) {
    return ::testing::TempDir() + "heddle_l1_tb_" + std::to_string(getpid()) + "_" + name;
}
std::string read_and_remove(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(in), {}};
    std::filesystem::remove(path);
    return text;
}

TEST(l1_testbench, sleep_changes_no_byte) {
    for (const char* seed : {"7", "8", "9"}) {
        std::vector<std::string> seen;
        for (const char* extra : {"", " --no-sleep"}) {
            const std::string vcd = file_name("vcd");
            const std::string log = file_name("log");
            const std::string call = build_path("tb/l1_tb --accesses 1500 ") +
                                     "--stall-probability 0.3 --seed " + seed + " --vcd " + vcd +
                                     extra + " >" + log + " 2>&1";
            const int status = std::system(call.c_str());
            const std::string output = read_and_remove(log);
            EXPECT_EQ(WEXITSTATUS(status), 0) << output;
            const std::size_t table = output.find("rig.lsu.loads");
            ASSERT_NE(table, std::string::npos) << output;
            seen.push_back(output.substr(table) + read_and_remove(vcd));
        }
        EXPECT_GT(seen[0].size(), 10000u);
        EXPECT_TRUE(seen[0] == seen[1]) << "seed " << seed;
    }
}

}  // namespace
}  // namespace heddle
