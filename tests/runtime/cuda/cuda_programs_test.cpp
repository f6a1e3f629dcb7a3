// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Runs the programs of this folder, which check the library from within.
#include <gmock/gmock.h>
#include <signal.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "tests/base/temporary_directory.h"
#include "tests/integration/heddle_process.h"

namespace heddle {
namespace {

using testing::HasSubstr;
using testing::Not;
using words = std::vector<std::string>;

std::string program_file(const std::string& name) {
    return std::string(HEDDLE_CUDA_TEST_PROGRAMS) + "/" + name;
}

command_result run_on(const words& options, const words& program) {
    words all{"cuda", "--config", "tiny"};
    all.insert(all.end(), options.begin(), options.end());
    all.emplace_back("--");
    all.push_back(program_file(program.front()));
    all.insert(all.end(), program.begin() + 1, program.end());
    return heddle_command(all);
}

const words functional{"--functional"};
const words timed{};
const words checked{"--check"};

void expect_good(const command_result& result) {
    EXPECT_EQ(result.code, 0) << result.output << result.errors;
    EXPECT_THAT(result.errors, Not(HasSubstr("PARTIAL")));
}

TEST(cuda_entry_points, are_there_or_say_that_they_are_not_supported) {
    expect_good(run_on(functional, {"entry_points"}));
}

class cuda_cases : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(all, cuda_cases,
                         testing::Values("errors", "memory", "memory_kinds", "streams", "surfaces",
                                         "textures"));

TEST_P(cuda_cases, hold_without_time) {
    expect_good(run_on(functional, {GetParam()}));
}
TEST_P(cuda_cases, hold_on_the_timed_machine) {
    ::setenv("TIMED", "1", 1);
    const command_result result = run_on(timed, {GetParam()});
    expect_good(result);
    EXPECT_THAT(result.errors, HasSubstr("timed machine"));
}

TEST(cuda_driver, loads_programs_from_files) {
    expect_good(run_on(functional, {"driver", program_file("driver_module.cubin")}));
    expect_good(run_on(checked, {"driver", program_file("driver_module.cubin")}));
}

class cuda_faults : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(all, cuda_faults,
                         testing::Values("address", "misaligned", "assert", "trap"));

TEST_P(cuda_faults, are_told_until_the_device_is_reset) {
    for (const words& options : {functional, timed}) {
        const command_result result = run_on(options, {"faults", GetParam()});
        EXPECT_EQ(result.code, 0) << result.output << result.errors;
        EXPECT_THAT(result.output, HasSubstr(std::string(GetParam()) + ": told"));
        // The model's own message, once.
        const std::string where = "block (0,0,0), thread (0,0,0)";
        const std::size_t first = result.errors.find(where);
        EXPECT_NE(first, std::string::npos) << result.errors;
        EXPECT_EQ(result.errors.find(where, first + 1), std::string::npos) << result.errors;
    }
}

TEST(cuda_fault, of_a_kernel_that_waits_for_ever_is_found) {
    const command_result result =
        run_on({"--functional", "--set", "iss.watchdog=1000"}, {"faults", "progress"});
    EXPECT_EQ(result.code, 0) << result.output << result.errors;
    EXPECT_THAT(result.errors, HasSubstr("no progress"));
}

TEST(cuda_processes, have_a_device_each) {
    const temporary_directory files;
    const command_result result = run_on({"--stats", files / "s.json"}, {"processes", "fork"});
    expect_good(result);
    EXPECT_THAT(result.output, HasSubstr("child has a device"));
    for (const char* const name : {"s.json", "s.2.json"}) {
        EXPECT_FALSE(nlohmann::json::parse(contents_of(files / name)).empty()) << name;
    }
}

TEST(cuda_processes, have_memory_of_a_parent_no_more) {
    for (const words& options : {functional, timed}) {
        expect_good(run_on(options, {"processes", "fork_large"}));
    }
}

TEST(cuda_processes, have_large_blocks_beside_what_lies_in_the_way) {
    expect_good(run_on(functional, {"processes", "large"}));
}

TEST(cuda_processes, are_whole_when_they_end_by_a_release) {
    for (const words& options : {functional, timed}) {
        expect_good(run_on(options, {"processes", "freed"}));
    }
}

TEST(cuda_processes, may_end_in_a_signal_handler) {
    const command_result result = run_on(timed, {"processes", "signal"});
    EXPECT_EQ(result.code, 3) << result.errors;
    EXPECT_THAT(result.errors, HasSubstr("PARTIAL"));
}

TEST(cuda_processes, share_memory_with_a_cache_that_writes_back) {
    const words back{"--set", "l1d.cache_global=true", "--set", "l1d.write_policy=back"};
    expect_good(run_on(back, {"memory", "managed_memory"}));
    expect_good(run_on(back, {"memory", "page_locked_memory"}));
    expect_good(run_on(back, {"memory_kinds", "results_of_two_streams_arrive"}));
}

TEST(cuda_heap_limit, above_the_heap_is_told) {
    const command_result result = run_on(functional, {"memory_kinds", "the_heap"});
    expect_good(result);
    EXPECT_THAT(result.errors, HasSubstr("found 67108864, but the kernels were compiled with a "
                                         "heap of 8388608 bytes: add -DHEDDLE_HEAP_BYTES="));
    EXPECT_THAT(result.errors, Not(HasSubstr("found 1048576")));
}

TEST(cuda_processes, may_have_threads) {
    expect_good(run_on(timed, {"processes", "threads"}));
}

TEST(cuda_processes, see_no_child_but_their_own) {
    expect_good(run_on(timed, {"processes", "children"}));
}

TEST(cuda_processes, release_without_a_device) {
    const temporary_directory files;
    expect_good(run_on({"--stats", files / "s.json"}, {"processes", "released"}));
    EXPECT_TRUE(std::filesystem::exists(files / "s.json"));
    EXPECT_FALSE(std::filesystem::exists(files / "s.2.json"));
}

TEST(cuda_processes, wait_by_a_reset) {
    for (const words& options : {functional, timed}) {
        const command_result result = run_on(options, {"processes", "reset"});
        expect_good(result);
        EXPECT_THAT(result.output, HasSubstr("kernel 0 speaks"));
    }
}

TEST(cuda_processes, that_do_not_wait_are_told) {
    const command_result result = run_on(timed, {"processes", "unheard"});
    EXPECT_EQ(result.code, 0);
    EXPECT_THAT(result.errors, HasSubstr("launches that never began: 2"));
}

TEST(cuda_processes, that_end_early_have_partial_files) {
    const temporary_directory files;
    for (const char* const what : {"early", "killed"}) {
        const command_result result = run_on({"--stats", files / "s.json"}, {"processes", what});
        EXPECT_EQ(result.code, std::string(what) == "killed" ? 128 + SIGKILL : 0);
        EXPECT_THAT(result.errors, HasSubstr("PARTIAL"));
        // Written when heddle cuda ends: it has waited for the device server.
        EXPECT_FALSE(nlohmann::json::parse(contents_of(files / "s.json")).empty()) << what;
        std::filesystem::remove(files / "s.json");
    }
}

TEST(cuda_processes, without_a_device_are_told) {
    const command_result result = heddle_command({"cuda", "--", "/bin/true"});
    EXPECT_EQ(result.code, 0);
    EXPECT_THAT(result.errors, HasSubstr("used no device"));
}

TEST(cuda_processes, need_no_command) {
    // As OpenCL's: the environment says what machine it is.
    const temporary_directory files;
    ::setenv("HEDDLE_CONFIG", "tiny", 1);
    ::setenv("HEDDLE_OPTIONS", "--functional", 1);
    ::setenv("HEDDLE_SUMMARY", (files / "summary").c_str(), 1);
    ::unsetenv("HEDDLE_COMMAND");
    const command_result result = heddle_process(program_file("launches"), {"10"}).wait();
    EXPECT_EQ(result.code, 0) << result.output;
    EXPECT_THAT(contents_of(files / "summary"), HasSubstr("configuration tiny, functional"));
}

TEST(cuda_processes, hear_what_is_wrong_with_the_machine) {
    ::setenv("HEDDLE_CONFIG", "nonsense", 1);
    const command_result result = heddle_process(program_file("launches"), {"1"}).wait();
    EXPECT_EQ(result.code, 1);
    EXPECT_THAT(result.output, HasSubstr("cudaErrorDevicesUnavailable"));
    EXPECT_THAT(result.errors, HasSubstr("nonsense"));
}

TEST(cuda_processes, try_another_machine_after_a_reset) {
    ::setenv("HEDDLE_OPTIONS", "--functional", 1);
    ::unsetenv("HEDDLE_COMMAND");
    const command_result result = heddle_process(program_file("processes"), {"retries"}).wait();
    EXPECT_EQ(result.code, 0) << result.output << result.errors;
    EXPECT_THAT(result.errors, HasSubstr("nonsense"));
}

/// Statistics without those of the host's time.
std::string without_host(const std::string& text) {
    nlohmann::json all = nlohmann::json::parse(text);
    nlohmann::json& values = all.at("statistics");
    for (auto it = values.begin(); it != values.end();) {
        it = it.key().rfind("host.", 0) == 0 ? values.erase(it) : std::next(it);
    }
    EXPECT_GT(values.size(), 100u);
    return all.dump();
}

TEST(cuda_run, gives_the_same_bytes_twice) {
    const temporary_directory files;
    std::string first[3];
    for (int round = 0; round < 2; ++round) {
        const std::string stats = files / "s.json", wave = files / "w.vcd";
        const command_result result =
            run_on({"--stats", stats, "--vcd", wave}, {"streams", "asking_lets_time_pass"});
        expect_good(result);
        const std::string now[] = {without_host(contents_of(stats)), contents_of(wave),
                                   result.output};
        if (round == 0) {
            std::copy(std::begin(now), std::end(now), first);
        } else {
            for (int i = 0; i < 3; ++i) EXPECT_TRUE(now[i] == first[i]) << i;
        }
    }
}

TEST(cuda_run, launches_often) {
    expect_good(run_on(functional, {"launches", "5000"}));
    expect_good(run_on(timed, {"launches", "700"}));
}

}  // namespace
}  // namespace heddle
