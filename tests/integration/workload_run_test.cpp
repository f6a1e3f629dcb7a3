// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <gmock/gmock.h>
#include <sys/wait.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "models/base/error.h"
#include "tb/kit/paths.h"
#include "tests/integration/heddle_process.h"

namespace heddle {
namespace {

using nlohmann::ordered_json;
using testing::HasSubstr;
using testing::Not;
using words = std::vector<std::string>;

/// The lines that two runs share: the host's own figures differ.
std::string without_host_figures(const std::string& text) {
    std::string kept;
    std::istringstream lines(text);
    bool host = false;
    for (std::string line; std::getline(lines, line);) {
        // In JSON a statistic is an object over several lines.
        if (line.find("host.") != std::string::npos)
            host = line.find('{') != std::string::npos;
        else if (!host)
            kept += line + "\n";
        if (line.find('}') != std::string::npos) host = false;
    }
    return kept;
}

TEST(run, small_workloads_end_well) {
    for (const char* workload : {"bfs", "divergence", "lock", "saxpy"}) {
        const command_result result = heddle_command({"run", workload, "--config", "tiny"});
        EXPECT_EQ(result.code, 0) << result.errors;
        EXPECT_EQ(result.errors, "");
        EXPECT_THAT(result.output, HasSubstr(std::string(workload) + " on configuration tiny"));
        EXPECT_THAT(result.output, testing::ContainsRegex("correct +[0-9]+ values"));
        EXPECT_THAT(result.output, Not(HasSubstr("PARTIAL")));
        EXPECT_THAT(result.output, Not(HasSubstr("\n\n")));
    }
}

TEST(run, seed_reaches_the_random_parts_of_the_machine) {
    const auto cycles = [](const std::string& allocator, const std::string& seed) {
        const command_result result =
            heddle_command({"run", "saxpy", "--config", "tiny", "--set",
                            "crossbar.allocator=" + allocator, "--seed", seed});
        EXPECT_EQ(result.code, 0) << result.errors;
        return result.output.substr(result.output.find("\ncycles "), 40);
    };
    EXPECT_EQ(cycles("islip", "1"), cycles("islip", "2")) << "it draws nothing";
    EXPECT_EQ(cycles("pim", "1"), cycles("pim", "1"));
    EXPECT_NE(cycles("pim", "1"), cycles("pim", "2"));
}

TEST(run, both_devices_give_the_same_result) {
    const words chosen{"run", "bfs", "--config", "tiny", "--input", "kronecker:scale=8,degree=8"};
    for (const bool functional : {false, true}) {
        words arguments = chosen;
        if (functional) arguments.emplace_back("--functional");
        const command_result result = heddle_command(arguments);
        EXPECT_EQ(result.code, 0) << result.errors;
        EXPECT_THAT(result.output, testing::ContainsRegex("reached vertices +[0-9]+\n"));
        EXPECT_THAT(result.output,
                    HasSubstr(functional ? ", functional simulator," : ", timed machine,"));
        // Time is what only one of them has.
        EXPECT_EQ(result.output.find("\ncycles ") == std::string::npos, functional);
    }
}

TEST(run, golden_compares_with_the_functional_simulator) {
    const command_result result =
        heddle_command({"run", "transpose", "--config", "tiny", "--golden", "--check-links"});
    EXPECT_EQ(result.code, 0) << result.errors;
    EXPECT_THAT(result.output, testing::ContainsRegex("golden +equal +262144 bytes in 1 buffers"));
}

TEST(run, says_which_input_and_options_it_used) {
    EXPECT_THAT(heddle_command({"run", "bfs"}).output, HasSubstr("\ninput: kronecker:scale=12"));
    const command_result chosen =
        heddle_command({"run", "bfs", "--input", "road:width=20,height=10", "--option",
                        "variant=queue", "--seed", "9"});
    EXPECT_EQ(chosen.code, 0) << chosen.errors;
    EXPECT_THAT(chosen.output, HasSubstr("seed 9\n"));
    EXPECT_THAT(chosen.output, HasSubstr("\ninput: road:width=20,height=10\n"));
    EXPECT_THAT(chosen.output, HasSubstr("\noption variant: queue\n"));
}

TEST(run, the_last_of_repeated_options_counts) {
    const command_result result = heddle_command({"run", "saxpy", "--config", "gk110", "--config",
                                                  "tiny", "--option", "n=5", "--option", "n=77"});
    EXPECT_THAT(result.output, HasSubstr("configuration tiny"));
    EXPECT_THAT(result.output, testing::ContainsRegex("elements +77\n"));
}

TEST(run, statistics_file_holds_run_and_statistics) {
    const temporary_directory files;
    const std::string file = files / "x.json";
    const command_result result =
        heddle_command({"run", "bfs", "--config", "tiny", "--set", "smx.max_blocks=3", "--seed",
                        "18446744073709551615", "--option", "block=64", "--stats", file});
    ASSERT_EQ(result.code, 0) << result.errors;
    const ordered_json all = ordered_json::parse(contents_of(file));
    const ordered_json& run = all.at("run");
    EXPECT_EQ(run.at("seed"), 18446744073709551615U);
    EXPECT_EQ(run.at("what"), "bfs");
    EXPECT_EQ(run.at("input"), "kronecker:scale=12,degree=16");
    EXPECT_EQ(run.at("option block"), "64");
    EXPECT_TRUE(run.contains("version"));
    EXPECT_EQ(run.at("configuration").at("smx.max_blocks"), 3);
    EXPECT_EQ(run.at("configuration").at("gpu.smx_count"), 2);
    const ordered_json& statistics = all.at("statistics");
    for (const auto& [name, statistic] : statistics.items()) {
        EXPECT_TRUE(statistic.contains("value") && statistic.contains("unit")) << name;
        EXPECT_NE(statistic.at("description"), "") << name;
    }
    EXPECT_EQ(statistics.at("run.completed").at("value"), 1);
    EXPECT_GT(statistics.at("gpu.warp_instructions").at("value"), 1000);
    EXPECT_EQ(statistics.at("host.seconds").at("unit"), "s");
    EXPECT_EQ(files.file_count(), 1U);
}

TEST(run, identical_runs_give_identical_bytes) {
    const temporary_directory files;
    for (const char* format : {"json", "csv"}) {
        words contents;
        for (const char* name : {"a.", "b."}) {
            const std::string file = files / (std::string(name) + format);
            const words run{"run", "histogram", "--option", "n=5000", "--stats", file};
            ASSERT_EQ(heddle_command(run).code, 0);
            contents.push_back(without_host_figures(contents_of(file)));
        }
        EXPECT_EQ(contents[0], contents[1]);
        EXPECT_THAT(contents[0], HasSubstr("gpu.warp_instructions"));
        EXPECT_THAT(contents[0], Not(HasSubstr("host.seconds")));
    }
}

TEST(run, the_seed_changes_the_input) {
    const auto result_of = [](const char* seed) {
        const std::string text =
            heddle_command({"run", "bfs", "--input", "kronecker:scale=8,degree=4", "--seed", seed})
                .output;
        return text.substr(text.find("vertices"), text.find("host time") - text.find("vertices"));
    };
    EXPECT_EQ(result_of("1"), result_of("1"));
    EXPECT_NE(result_of("1"), result_of("2"));
}

TEST(run, refuses_unknown_names_with_a_suggestion) {
    expect_refused({"run", "bsf"}, "did you mean 'bfs'?");
    expect_refused({"run", "saxpy", "--option", "blok=32"}, "did you mean 'block'?");
    expect_refused({"run", "saxpy", "--set", "smx.max_block=1"}, "did you mean 'smx.max_blocks'?");
    expect_refused({"run", "saxpy", "--config", "tinny"}, "did you mean 'tiny'?");
    const temporary_directory files;
    const std::string file = files.write("own.toml", "[smx]\nmax_block = 3\n");
    expect_refused({"run", "saxpy", "--config", file}, "own.toml:2:1: unknown key 'smx.max_block'");
}

TEST(run, refuses_unusable_values) {
    expect_refused({"run", "saxpy", "--set", "smx.max_blocks=65"}, "from 1 to 64");
    expect_refused({"run", "saxpy", "--set", "smx.max_blocks=many"}, "from 1 to 64");
    expect_refused({"run", "saxpy", "--set", "smx.max_blocks"}, "expected KEY=VALUE");
    expect_refused({"run", "saxpy", "--option", "block=0"}, "from 1 to 1024");
    expect_refused({"run", "saxpy", "--option", "=3"}, "expected key=value");
    expect_refused({"run", "saxpy", "--input", "road:width=3"}, "takes no input");
    expect_refused({"run", "bfs", "--input", "road:width=0"}, "width");
    expect_refused({"run", "bfs", "--input", "rood:width=3"}, "road");
    expect_refused({"run", "bfs", "--input", "/nowhere/graph.mtx"}, "/nowhere/graph.mtx");
    for (const char* number : {"one", "-1", "1.5", "1e6", " 1", "18446744073709551616"}) {
        for (const char* option : {"--seed", "--max-cycles"}) {
            expect_refused({"run", "saxpy", option, number},
                           std::string("run: ") + option + ": found '" + number +
                               "', expected a whole number from 0 to 18446744073709551615");
        }
    }
    expect_refused({"run", "saxpy", "--grid", "5"}, "--grid is for kernels of ELF files");
    const temporary_directory files;
    const std::string file = files.write("bad.mtx", "%%MatrixMarket matrix coordinate\n3 3 zero\n");
    expect_refused({"run", "bfs", "--input", file}, "bad.mtx:");
}

TEST(run, refuses_options_without_meaning) {
    for (const words& option :
         {words{"--max-cycles", "5"}, words{"--no-sleep"}, words{"--check-links"},
          words{"--vcd", "x.vcd"}, words{"--timeline", "x.json"}}) {
        words arguments{"run", "saxpy", "--functional"};
        arguments.insert(arguments.end(), option.begin(), option.end());
        expect_refused(arguments, option[0] + " is for the timed machine, but --functional");
    }
    expect_refused({"run", "saxpy", "--option", "nn=3"}, "has no option 'nn' (it has: n, ");
    expect_refused({"run", "saxpy", "--stats", "x.cvs"}, "use .json");
}

TEST(run, finds_out_before_it_runs_that_statistics_cannot_be_written) {
    const temporary_directory files;
    expect_refused({"run", "saxpy", "--stats", files / "none/x.json"}, "none");
    expect_refused({"run", "saxpy", "--stats", files.path().string()}, "it is a directory");
    EXPECT_EQ(files.file_count(), 0U);
}

TEST(run, leaves_an_older_file_alone_when_it_is_refused) {
    const temporary_directory files;
    const std::string file = files.write("x.json", "older");
    expect_refused({"run", "saxpy", "--stats", file, "--option", "n=0"}, "from 1 to");
    EXPECT_EQ(contents_of(file), "older");
    EXPECT_EQ(files.file_count(), 1U);
}

TEST(run, a_full_disk_is_an_error) {
    const command_result result = heddle_command({"run", "saxpy", "--stats", "/dev/full"});
    EXPECT_EQ(result.code, 2);
    EXPECT_THAT(result.errors, HasSubstr("/dev/full"));
}

TEST(run, programs_of_control_flow_fill_an_smx_of_g80_with_one_block) {
    const words programs[] = {{"bitonic", "arrays=1", "size=1024"},
                              {"bitonic", "variant=launches", "arrays=1", "size=1024"},
                              {"black", "options=1000"},
                              {"contrived", "n=1000", "iterations=4"},
                              {"fft", "arrays=100", "side=8"},
                              {"hmmer", "sequences=800", "nodes=3", "shortest=1", "longest=3"},
                              {"lbm", "nx=12", "ny=11", "nz=7"},
                              {"lu", "matrices=1", "tiles=27", "tile=1"}};
    for (const words& program : programs) {
        words arguments{"run",     program[0], "--config", "g80",
                        "--check", "--golden", "--option", "block=768"};
        for (std::size_t i = 1; i < program.size(); ++i) {
            arguments.insert(arguments.end(), {"--option", program[i]});
        }
        const command_result result = heddle_command(arguments);
        EXPECT_EQ(result.code, 0) << result.errors;
        EXPECT_THAT(result.output, HasSubstr("check")) << program[0];
    }
    const command_result matrix =
        heddle_command({"run", "matrix", "--config", "g80", "--check", "--golden", "--option",
                        "tile=32", "--option", "block_rows=24", "--option", "inner=16"});
    EXPECT_EQ(matrix.code, 0) << matrix.errors;
}

/// Exit code of `heddle run saxpy` with statistics in `file`, started by a shell.
int run_by_shell(const std::string& file, const std::string& redirection) {
    const std::string command = "'" + build_path("heddle") + "' run saxpy --config tiny --stats '" +
                                file + "' 2> /dev/null " + redirection;
    return WEXITSTATUS(std::system(command.c_str()));
}

TEST(run, writes_its_files_though_nobody_reads_the_summary) {
    const temporary_directory files;
    run_by_shell(files / "a.csv", "| true");
    EXPECT_THAT(contents_of(files / "a.csv"), HasSubstr("run.completed,1,"));
    EXPECT_EQ(run_by_shell(files / "b.csv", "> /dev/full"), 2);
    EXPECT_THAT(contents_of(files / "b.csv"), HasSubstr("run.completed,1,"));
    const std::string both = files / "both";
    EXPECT_EQ(run_by_shell("/dev/stdout", "> '" + both + "'"), 0);
    EXPECT_THAT(contents_of(both), HasSubstr("saxpy on configuration tiny"));
    EXPECT_THAT(contents_of(both), HasSubstr("\"run.completed\": {"));
    EXPECT_EQ(files.file_count(), 3U);
}

TEST(exit_code, is_what_the_contracts_say) {
    // No user can make a workload's result wrong, so that 1 is tested here alone.
    EXPECT_EQ(exit_code(error_kind::wrong_result), 1);
    EXPECT_EQ(exit_code(error_kind::none), 0);
}

}  // namespace
}  // namespace heddle
