// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "tests/integration/heddle_process.h"

namespace heddle {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;
using testing::HasSubstr;
using words = std::vector<std::string>;

/// Starts a run that would take hours, interrupts it, and expects a prompt and orderly end.
void expect_orderly_interrupt(words arguments, milliseconds after = milliseconds(300)) {
    const temporary_directory files;
    const std::string file = files.write("x.csv", "older");
    arguments.insert(arguments.end(), {"--stats", file});
    heddle_process run(arguments);
    ASSERT_TRUE(run.wait_until_interruptible());
    std::this_thread::sleep_for(after);
    EXPECT_EQ(contents_of(file), "older");
    const auto before = steady_clock::now();
    run.interrupt();
    const command_result result = run.wait();
    EXPECT_LT(steady_clock::now() - before, std::chrono::seconds(10));
    EXPECT_EQ(result.code, 130) << result.errors;
    EXPECT_THAT(result.output, HasSubstr("PARTIAL"));
    EXPECT_THAT(result.output, HasSubstr("warp instructions"));
    EXPECT_THAT(result.errors, HasSubstr("interrupted"));
    EXPECT_EQ(files.file_count(), 1U);
    EXPECT_THAT(contents_of(file), HasSubstr("run.completed,0,"));
}

const words endless_workload{"run",      "compute",   "--option", "rounds=1048576",
                             "--option", "n=4194304", "--config", "gk110"};
const words endless_kernel{"run",      built_program("iss_control"),
                           "--kernel", "busy",
                           "--arg",    "counter:u32[1]",
                           "--arg",    "4294967295"};

words functional(words arguments) {
    arguments.emplace_back("--functional");
    return arguments;
}

TEST(interrupt, ends_a_workload_with_partial_results) {
    expect_orderly_interrupt(endless_workload);
    expect_orderly_interrupt(functional(endless_workload));
}

TEST(interrupt, ends_a_kernel_with_partial_results) {
    expect_orderly_interrupt(endless_kernel);
    expect_orderly_interrupt(functional(endless_kernel));
}

TEST(interrupt, ends_the_making_of_an_input) {
    for (const char* input : {"kronecker:scale=23,degree=16", "road:width=5000,height=5000",
                              "powerlaw:vertices=10000000,degree=16"}) {
        for (const bool on_simulator : {false, true}) {
            const words run{"run", "bfs", "--input", input};
            expect_orderly_interrupt(on_simulator ? functional(run) : run, milliseconds(100));
        }
    }
}

TEST(interrupt, by_sigterm_is_orderly_too) {
    heddle_process run(endless_kernel);
    ASSERT_TRUE(run.wait_until_interruptible());
    run.send(SIGTERM);
    const command_result result = run.wait();
    EXPECT_EQ(result.code, 130) << result.errors;
    EXPECT_THAT(result.output, HasSubstr("PARTIAL"));
}

TEST(interrupt, the_second_ends_the_process_at_once_and_leaves_nothing_half_written) {
    const temporary_directory files;
    const std::string waveform = files.write("x.vcd", "older");
    const std::string pipe = files / "pipe";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    // Nobody reads the pipe, so that opening it takes for ever, after the files of the waveform.
    heddle_process run({"run", "saxpy", "--vcd", waveform, "--timeline", pipe});
    while (files.file_count() < 4) std::this_thread::sleep_for(milliseconds(1));
    run.interrupt();
    std::this_thread::sleep_for(milliseconds(100));
    EXPECT_GE(files.file_count(), 4U);
    run.interrupt();
    const command_result result = run.wait();
    EXPECT_EQ(result.code, -SIGINT) << result.errors;
    EXPECT_EQ(result.output, "");
    EXPECT_EQ(contents_of(waveform), "older");
    EXPECT_EQ(files.file_count(), 2U);
}

}  // namespace
}  // namespace heddle
