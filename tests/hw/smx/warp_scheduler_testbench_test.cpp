// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tb/kit/paths.h"
#include "tests/hw/base/child_process.h"

/// The testbench of the warp scheduler as a program: it passes, it fails when it must, and sleep
/// changes nothing.
namespace heddle {
namespace {

using ::testing::HasSubstr;

std::string file_name(const std::string& name) {
    return ::testing::TempDir() + "heddle_warp_scheduler_tb_" + std::to_string(getpid()) + "_" +
           name;
}
std::string read_and_remove(const std::string& path) {
    std::string text;
    {
        std::ifstream in(path, std::ios::binary);
        text.assign(std::istreambuf_iterator<char>(in), {});
    }
    std::filesystem::remove(path);
    return text;
}
process_result run_program(const std::string& arguments) {
    const std::string log = file_name("log");
    const int status = std::system(
        (build_path("tb/warp_scheduler_tb ") + arguments + " >" + log + " 2>&1").c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_and_remove(log)};
}

TEST(warp_scheduler_testbench, sleep_changes_no_byte) {
    std::vector<std::string> seen;
    for (const char* extra : {"", " --no-sleep"}) {
        const std::string vcd = file_name("vcd");
        const std::string json = file_name("json");
        const process_result run =
            run_program("--seed 4 --warps 150 --stall-probability 0.3 --vcd " + vcd +
                        " --timeline " + json + extra);
        EXPECT_EQ(run.exit_code, 0) << run.output;
        const std::size_t counts = run.output.find("lrr_0.scheduler_0: ");
        ASSERT_NE(counts, std::string::npos) << run.output;
        seen.push_back(
            run.output.substr(counts, run.output.find("warp_scheduler_tb", counts) - counts) +
            read_and_remove(vcd) + read_and_remove(json));
    }
    EXPECT_GT(seen[0].size(), 100000U);
    EXPECT_TRUE(seen[0] == seen[1]);
}

TEST(warp_scheduler_testbench, passes_under_heavy_stalls) {
    EXPECT_EQ(run_program("--stall-probability 0.9 --warps 100").exit_code, 0);
    EXPECT_EQ(run_program("--stall-probability 0").exit_code, 0);
}

TEST(warp_scheduler_testbench, a_warp_that_is_not_ready_is_a_violation) {
    const process_result run = run_program("--inject unready_warp");
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_THAT(run.output, HasSubstr("a warp is issuable but not ready"));
}

TEST(warp_scheduler_testbench, a_second_call_is_a_violation) {
    const process_result run = run_program("--inject two_calls");
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_THAT(run.output, HasSubstr("once_per_instant"));
}

TEST(warp_scheduler_testbench, a_start_that_is_not_told_makes_a_wrong_choice) {
    const process_result run = run_program("--inject missed_start");
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_THAT(run.output, HasSubstr("expected was warp"));
}

}  // namespace
}  // namespace heddle
