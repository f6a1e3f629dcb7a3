// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// The testbenches of the launch path as programs: neither sleeping nor the order of modules
// changes a result, and the waveforms show what they have to.
#include <gmock/gmock.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "tb/kit/paths.h"

namespace heddle {
namespace {

using testing::HasSubstr;

std::string file_name(const std::string& name) {
    return testing::TempDir() + "heddle_launch_" + std::to_string(getpid()) + "_" + name;
}

std::string read_and_remove(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(in), {}};
    std::filesystem::remove(path);
    return text;
}

/// What a testbench prints; it has to pass.
std::string run(const std::string& command) {
    const std::string log = file_name("log");
    const int status =
        std::system((build_path("tb/") + command + " >" + log + " 2>" + log + ".err").c_str());
    EXPECT_EQ(status, 0) << command << "\n" << read_and_remove(log + ".err");
    std::filesystem::remove(log + ".err");
    return read_and_remove(log);
}

void expect_equal_results(const std::string& command, const std::vector<std::string>& variants) {
    const std::string expected = run(command);
    EXPECT_THAT(expected, HasSubstr("passed"));
    for (const std::string& variant : variants) {
        EXPECT_EQ(run(command + " " + variant), expected) << variant;
    }
}

TEST(launch_path, sleeping_and_module_order_change_nothing) {
    expect_equal_results("launch_path_tb --seed 11",
                         {"--no-sleep", "--order 1", "--order 2 --no-sleep"});
}

TEST(launch_path, storms_of_launches_by_kernels_lose_nothing) {
    expect_equal_results("device_launch_tb --seed 11", {"--no-sleep"});
    // Every table as small as it gets, and a pool that is soon empty.
    expect_equal_results("device_launch_tb --seed 12 --entries 1 --groups 1 --launches 3",
                         {"--no-sleep"});
    // Nearly all groups spill, and several records are on their way.
    expect_equal_results("device_launch_tb --seed 17 --groups 2 --chains 5", {"--no-sleep"});
    const std::string refusing = run("device_launch_tb --seed 13 --pool 4096 --lanes 32");
    EXPECT_THAT(refusing, testing::Not(HasSubstr("refused 0")));
}

TEST(launch_path, storms_of_blocks_that_wait_for_their_launches_lose_nothing) {
    expect_equal_results("device_launch_tb --seed 14 --waits 1 --entries 2 --launches 4",
                         {"--no-sleep"});
    // Most groups are in the AGT, and their chains are long.
    const std::string chains = run("device_launch_tb --seed 15 --waits 0.7 --groups 1024");
    EXPECT_THAT(chains, testing::ContainsRegex("longest chain [1-9][0-9]\n"));
    // A single SMX gets all blocks back, others none of theirs.
    EXPECT_THAT(run("device_launch_tb --seed 16 --smxs 1"), HasSubstr("of them moved 0\n"));
}

TEST(launch_path, more_streams_than_queues_and_more_kernels_than_entries) {
    expect_equal_results(
        "launch_path_tb --seed 12 --queues 2 --streams 40 --queue-depth 1 "
        "--entries 1 --dispatch-latency 1 --launches 80 --stall-probability 0.4",
        {"--no-sleep", "--order 3"});
}

TEST(launch_path, several_blocks_a_cycle) {
    expect_equal_results("launch_path_tb --seed 13 --blocks-per-cycle 4 --entries 32 --queues 32",
                         {"--no-sleep", "--order 4"});
}

TEST(launch_path, blocks_alone) {
    expect_equal_results("kmu_tb --seed 14 --launches 200", {"--no-sleep"});
    expect_equal_results("kernel_distributor_tb --seed 14 --kernels 400",
                         {"--no-sleep", "--reversed"});
    expect_equal_results("smx_scheduler_tb --seed 14 --kernels 50", {"--no-sleep", "--reversed"});
}

TEST(launch_path, waveforms_show_the_registers_whether_parts_sleep_or_not) {
    const std::string vcd = file_name("vcd");
    const std::string command = "launch_path_tb --seed 15 --launches 40 --vcd " + vcd;
    (void)run(command);
    const std::string expected = read_and_remove(vcd);
    for (const char* name :
         {"hwq_7", "occupancy", "kde_5", "exebl", "blocks_left", "nagei", "lagei", "fcfs", "head",
          "sscr", "kdei", "next_block", "free_registers"}) {
        EXPECT_THAT(expected, HasSubstr(name));
    }
    (void)run(command + " --no-sleep");
    EXPECT_TRUE(read_and_remove(vcd) == expected);
}

}  // namespace
}  // namespace heddle
