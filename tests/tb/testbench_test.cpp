// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "tb/kit/testbench.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "models/base/error.h"
#include "tb/kit/paths.h"
#include "tests/hw/base/child_process.h"

namespace heddle {
namespace {

using testing::HasSubstr;

std::string file_name(const std::string& name) {
    return testing::TempDir() + "heddle_tb_" + std::to_string(getpid()) + "_" + name;
}

std::string read_file(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// Runs the clock domain testbench with these arguments.
process_result run_program(const std::string& arguments) {
    const std::string log = file_name("log");
    const int status =
        std::system((build_path("tb/clock_domain_tb ") + arguments + " >" + log + " 2>&1").c_str());
    process_result result;
    result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    result.output = read_file(log);
    std::filesystem::remove(log);
    return result;
}

TEST(testbench_program, prints_seed_and_verdict) {
    const process_result run = run_program("--seed 7 --chains 2");
    EXPECT_EQ(run.exit_code, 0);
    EXPECT_THAT(run.output, HasSubstr("clock_domain_tb: seed 7\n"));
    EXPECT_THAT(run.output, HasSubstr("clock_domain_tb: passed, seed 7, stopped at"));
}

TEST(testbench_program, help_names_the_common_options) {
    const process_result run = run_program("--help");
    EXPECT_EQ(run.exit_code, 0);
    for (const char* option : {"--seed", "--vcd", "--trace-scope", "--timeline",
                               "--stall-probability", "--max-cycles", "--watchdog", "--no-sleep"}) {
        EXPECT_THAT(run.output, HasSubstr(option));
    }
}

TEST(testbench_program, equal_runs_give_equal_bytes_with_and_without_sleep) {
    std::vector<std::string> waves;
    std::vector<std::string> traces;
    for (const char* extra : {"", "", " --no-sleep"}) {
        const std::string vcd = file_name("vcd");
        const std::string json = file_name("json");
        ASSERT_EQ(run_program("--seed 1 --chains 3 --vcd " + vcd + " --timeline " + json + extra)
                      .exit_code,
                  0);
        waves.push_back(read_file(vcd));
        traces.push_back(read_file(json));
        std::filesystem::remove(vcd);
        std::filesystem::remove(json);
    }
    ASSERT_GT(waves[0].size(), 1000U);
    ASSERT_GT(traces[0].size(), 1000U);
    for (std::size_t i = 1; i < 3; ++i) {
        EXPECT_TRUE(waves[0] == waves[i]) << i;
        EXPECT_TRUE(traces[0] == traces[i]) << i;
    }
}

TEST(testbench_program, passes_under_heavy_stalls_and_with_many_modules) {
    EXPECT_EQ(run_program("--stall-probability 0.9").exit_code, 0);
    EXPECT_EQ(run_program("--stall-probability 0 --chains 60").exit_code, 0);
}

TEST(testbench_program, a_hanging_module_ends_with_4_and_a_report) {
    const process_result run = run_program("--inject hang");
    EXPECT_EQ(run.exit_code, 4);
    EXPECT_THAT(run.output, HasSubstr("no progress in 10000 cycles"));
    EXPECT_THAT(run.output, HasSubstr("stage_2: for ever: a fault was injected"));
    EXPECT_THAT(run.output, HasSubstr("FAILED"));
}

TEST(testbench_program, a_run_that_never_stops_ends_with_4) {
    const process_result run = run_program("--inject endless --max-cycles 50000");
    EXPECT_EQ(run.exit_code, 4);
    EXPECT_THAT(run.output, HasSubstr("cycle 50000 of 'core'"));
}

TEST(testbench_program, a_warning_ends_with_1) {
    const process_result run = run_program("--inject warning");
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_THAT(run.output, HasSubstr("SystemC warning /heddle/tb/injected"));
}

TEST(testbench_program, a_wrong_result_ends_with_1) {
    const process_result run = run_program("--inject wrong");
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_THAT(run.output, HasSubstr("expected was item 19 with value"));
}

TEST(testbench_program, bad_usage_ends_with_2) {
    EXPECT_EQ(run_program("--sed 3").exit_code, 2);
    EXPECT_EQ(run_program("--seed x").exit_code, 2);
    EXPECT_EQ(run_program("--max-cycles 0").exit_code, 2);
    EXPECT_EQ(run_program("--stall-probability 1.5").exit_code, 2);
    EXPECT_EQ(run_program("--vcd /no/such/folder/x.vcd").exit_code, 2);
    const std::string vcd = file_name("scope.vcd");
    const process_result run = run_program("--trace-scope 'gpu.*' --vcd " + vcd);
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_THAT(run.output, HasSubstr("'gpu.*' matches no variable"));
    std::filesystem::remove(vcd);
}

TEST(testbench, a_run_that_falls_silent_fails) {
    testbench bench("silent_tb", testbench_options());
    clock_domain core("core", frequency::megahertz(1000), bench.domain_options());
    EXPECT_EQ(bench.run(core), error_kind::no_progress);
    EXPECT_THAT(bench.status().text(), HasSubstr("silent_tb: no progress in 10000 cycles"));
}

TEST(testbench, a_failed_check_is_a_wrong_result) {
    testbench bench("check_tb", testbench_options());
    EXPECT_TRUE(bench.check(true, "unused"));
    EXPECT_EQ(bench.status().kind(), error_kind::none);
    EXPECT_FALSE(bench.check(false, "two is not three"));
    EXPECT_EQ(bench.status().kind(), error_kind::wrong_result);
    EXPECT_THAT(bench.status().text(), HasSubstr("check_tb: two is not three"));
}

TEST(testbench, warnings_and_fatal_reports_end_as_wrong_result) {
    testbench bench("report_tb", testbench_options());
    SC_REPORT_WARNING("/heddle/test", "odd");
    EXPECT_EQ(bench.status().kind(), error_kind::wrong_result);
    EXPECT_THROW(SC_REPORT_FATAL("/heddle/test", "does not abort"), sc_core::sc_report);
}

TEST(stall_source, keeps_its_probability_and_does_not_depend_on_who_asks) {
    for (const double probability : {0.0, 0.1, 0.5, 0.95, 1.0}) {
        const stall_source first(1, "gpu.link", probability);
        const stall_source second(1, "gpu.link", probability);
        int stalls = 0;
        for (std::uint64_t cycle = 0; cycle < 100000; ++cycle) {
            stalls += first.stalled(cycle) ? 1 : 0;
            if (cycle % 7 == 0) {
                ASSERT_EQ(first.stalled(cycle), second.stalled(cycle));
            }
        }
        EXPECT_NEAR(stalls, 100000 * probability, 700);
    }
}

TEST(stall_source, differs_by_name_and_seed) {
    const stall_source first(1, "a", 0.5);
    const stall_source other_name(1, "b", 0.5);
    const stall_source other_seed(2, "a", 0.5);
    int same_name = 0;
    int same_seed = 0;
    for (std::uint64_t cycle = 0; cycle < 10000; ++cycle) {
        same_name += first.stalled(cycle) == other_name.stalled(cycle) ? 1 : 0;
        same_seed += first.stalled(cycle) == other_seed.stalled(cycle) ? 1 : 0;
    }
    EXPECT_NEAR(same_name, 5000, 300);
    EXPECT_NEAR(same_seed, 5000, 300);
}

}  // namespace
}  // namespace heddle
