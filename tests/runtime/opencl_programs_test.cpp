// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Whole programs, which check their results themselves.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "models/program/process.h"
#include "tests/base/temporary_directory.h"
#include "tests/integration/heddle_process.h"

namespace heddle {
namespace {

using testing::HasSubstr;
using words = std::vector<std::string>;

std::string program_file(const std::string& name) {
    return std::string(HEDDLE_OPENCL_PROGRAMS) + "/" + name;
}

words on(const words& options, const words& program) {
    words all{"opencl", "--config", "tiny"};
    all.insert(all.end(), options.begin(), options.end());
    all.emplace_back("--");
    all.insert(all.end(), program.begin(), program.end());
    return all;
}

struct program_case {
    const char* name;
    const char* larger;  ///< a size beside the program's own
};

class opencl_program : public testing::TestWithParam<program_case> {};

constexpr program_case programs[] = {
    {"bfs", "200"},          {"bitonic_sort", "64"},   {"built_again", "10"},
    {"convolution", "35"},   {"double_dot", "7"},      {"exceptions", "70"},
    {"histogram", "333"},    {"hot_spots", "12"},      {"image_blur", "7"},
    {"jacobi", "33"},        {"k_means", "65"},        {"kept_binary", "7"},
    {"lines", "31"},         {"many_bodies", "17"},    {"matrix_multiply", "24"},
    {"matrix_vector", "21"}, {"old_style", "700"},     {"page_rank", "50"},
    {"path_finder", "128"},  {"pipeline", "9"},        {"reduction", "63"},
    {"scan", "3"},           {"shortest_paths", "40"}, {"tiles", "6"},
    {"two_queues", "5"},     {"vector_add", "1"},      {"zoom", "5"}};
INSTANTIATE_TEST_SUITE_P(all, opencl_program, testing::ValuesIn(programs),
                         [](const auto& one) { return std::string(one.param.name); });

TEST_P(opencl_program, is_right_on_the_timed_machine) {
    const command_result result = heddle_command(on({}, {program_file(GetParam().name)}));
    EXPECT_EQ(result.code, 0) << result.errors;
    EXPECT_THAT(result.output, HasSubstr("correct\n")) << result.errors;
    EXPECT_THAT(result.errors, HasSubstr("timed machine"));
    EXPECT_THAT(result.errors, testing::Not(HasSubstr("partial")));
}

TEST_P(opencl_program, is_right_without_time_at_another_size) {
    const command_result result =
        heddle_command(on({"--functional"}, {program_file(GetParam().name), GetParam().larger}));
    EXPECT_EQ(result.code, 0) << result.errors;
    EXPECT_THAT(result.output, HasSubstr("correct\n")) << result.errors;
}

TEST_P(opencl_program, keeps_step_with_the_functional_simulator) {
    const command_result result =
        heddle_command(on({"--check"}, {program_file(GetParam().name), GetParam().larger}));
    EXPECT_EQ(result.code, 0) << result.errors;
    EXPECT_THAT(result.output, HasSubstr("correct\n")) << result.errors;
}

/// Programs without floating point print a sum of their bytes.
class opencl_oracle : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(all, opencl_oracle,
                         testing::Values("bfs", "bitonic_sort", "convolution", "histogram",
                                         "hot_spots", "jacobi", "path_finder", "reduction", "scan",
                                         "shortest_paths", "tiles", "vector_add"));

TEST_P(opencl_oracle, finds_the_same_bytes) {
    const std::string oclgrind = program::find_program("oclgrind");
    if (oclgrind.empty()) GTEST_SKIP() << "oclgrind is not installed";
    const command_result other = heddle_process(oclgrind, {program_file(GetParam())}).wait();
    const command_result ours = heddle_command(on({"--functional"}, {program_file(GetParam())}));
    EXPECT_THAT(ours.output, HasSubstr("\ncorrect\n")) << ours.errors;
    EXPECT_EQ(ours.output, other.output) << other.errors;
}

/// Statistics without those of the host's time.
std::string without_host(const std::string& text) {
    nlohmann::json all = nlohmann::json::parse(text);
    nlohmann::json& values = all.at("statistics");
    EXPECT_EQ(values.erase("host.seconds"), 1u);
    for (auto it = values.begin(); it != values.end();) {
        it = it.key().rfind("host.", 0) == 0 ? values.erase(it) : std::next(it);
    }
    EXPECT_GT(values.size(), 100u);
    return all.dump();
}

TEST(opencl_run, gives_the_same_bytes_twice) {
    const temporary_directory files;
    std::string first[3];
    for (int round = 0; round < 2; ++round) {
        const std::string stats = files / "s.json", wave = files / "w.vcd", time = files / "t.json";
        const command_result result = heddle_command(on(
            {"--stats", stats, "--vcd", wave, "--timeline", time}, {program_file("two_queues")}));
        ASSERT_EQ(result.code, 0) << result.errors;
        const std::string* const each[] = {&stats, &wave, &time};
        for (int i = 0; i < 3; ++i) {
            const std::string file = contents_of(*each[i]);
            const std::string now = i == 0 ? without_host(file) : file;
            EXPECT_GT(now.size(), 100u);
            if (round == 0) first[i] = now;
            EXPECT_TRUE(now == first[i]) << *each[i];
        }
    }
}

TEST(opencl_run, lets_a_queue_go_on_while_another_waits) {
    const command_result result = heddle_command(on({}, {program_file("pipeline")}));
    EXPECT_THAT(result.output, HasSubstr("together: 1\n")) << result.errors;
}

class opencl_double : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(machines, opencl_double, testing::Values("--functional", "--check-links"));

TEST_P(opencl_double, is_told_as_a_share_of_the_instructions) {
    const temporary_directory files;
    const std::string stats = files / "s.json";
    const command_result result =
        heddle_command(on({GetParam(), "--stats", stats}, {program_file("double_dot")}));
    EXPECT_EQ(result.code, 0) << result.errors;
    const nlohmann::json values = nlohmann::json::parse(contents_of(stats)).at("statistics");
    const auto value = [&](const char* name) { return values.at(name).at("value").get<double>(); };
    const double doubles = value("gpu.double_instructions"), all = value("gpu.warp_instructions");
    EXPECT_GT(doubles, all / 2);
    EXPECT_LT(doubles, all);
    EXPECT_EQ(value("kernel.dot.double_instructions"), doubles);
    EXPECT_THAT(result.errors,
                testing::ContainsRegex(
                    fmt::format("\ndouble precision +{:.1f} +% of the warp", 100 * doubles / all)));
}

TEST(opencl_run, counts_double_precision_as_the_lines_do) {
    const temporary_directory files;
    const std::string stats = files / "s.json", lines = files / "l.json";
    const command_result result =
        heddle_command(on({"--stats", stats, "--lines", lines}, {program_file("double_dot")}));
    EXPECT_EQ(result.code, 0) << result.errors;
    std::uint64_t counted = 0;
    const nlohmann::json table = nlohmann::json::parse(contents_of(lines));
    ASSERT_EQ(table.at("columns").at(2).at("name"), "function");
    ASSERT_EQ(table.at("columns").at(6).at("name"), "warp_instructions");
    for (const nlohmann::json& row : table.at("rows")) {
        if (!row.at(2).is_string()) continue;
        const auto function = row.at(2).get<std::string>();
        if (function == "__muldf3" || function == "__adddf3") counted += row.at(6).get<int>();
    }
    const nlohmann::json values = nlohmann::json::parse(contents_of(stats)).at("statistics");
    EXPECT_GT(counted, 0U);
    EXPECT_EQ(values.at("gpu.double_instructions").at("value"), counted);
}

TEST(opencl_run, without_double_precision_says_nothing_of_it) {
    const temporary_directory files;
    const std::string stats = files / "s.json";
    const command_result result =
        heddle_command(on({"--stats", stats}, {program_file("vector_add")}));
    EXPECT_THAT(result.errors, testing::Not(HasSubstr("double")));
    EXPECT_THAT(contents_of(stats), testing::Not(HasSubstr("double_instructions")));
}

TEST(opencl_device, has_no_double_precision_if_it_is_switched_off) {
    const command_result refused =
        heddle_command(on({"--functional", "--no-double"}, {program_file("double_dot")}));
    EXPECT_EQ(refused.code, 2);
    EXPECT_THAT(refused.errors, HasSubstr("use of type 'double' requires cl_khr_fp64"));
    const std::string clinfo = program::find_program("clinfo");
    if (clinfo.empty()) GTEST_SKIP() << "clinfo is not installed";
    const command_result told =
        heddle_command(on({"--functional", "--no-double"}, {clinfo, "--raw"}));
    EXPECT_THAT(told.output, HasSubstr("cl_khr_byte_addressable_store"));
    EXPECT_THAT(told.output, testing::Not(HasSubstr("cl_khr_fp64")));
}

class opencl_fault : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(machines, opencl_fault, testing::Values("--functional", "--check-links"));

TEST_P(opencl_fault, is_told_and_a_new_context_works) {
    const temporary_directory files;
    const command_result result =
        heddle_command(on({GetParam(), "--stats", files / "s.json"}, {program_file("fault")}));
    EXPECT_EQ(result.code, 7) << result.errors;
    EXPECT_EQ(result.output, "before\nwrong: -5\nright: 0\n");
    EXPECT_THAT(result.errors, HasSubstr("heddle: illegal write of 4 bytes at 0x"));
    EXPECT_THAT(result.errors, HasSubstr("past 'buffer 0'"));
    EXPECT_THAT(result.errors, HasSubstr("program1.cl:3 in wrong"));
    EXPECT_THAT(contents_of(files / "s.json"), HasSubstr("kernel.wrong.launches"));
    EXPECT_THAT(contents_of(files / "s.2.json"), HasSubstr("kernel.right.launches"));
}

TEST(opencl_run, with_options_that_are_wrong_does_not_start_the_program) {
    const auto refused = [](const words& options, const std::string& text) {
        words all{"opencl"};
        all.insert(all.end(), options.begin(), options.end());
        const command_result result = heddle_command(all);
        EXPECT_EQ(result.code, 2) << text;
        EXPECT_EQ(result.output, "");
        EXPECT_THAT(result.errors, HasSubstr(text));
    };
    const std::string program = program_file("vector_add");
    refused({"--config", "tiny"}, "legal: heddle opencl [OPTIONS] -- PROGRAM [ARGUMENTS]");
    refused({"--config", "tinny", "--", program}, "tinny");
    refused({"--set", "smx.nothing=1", "--", program}, "smx.nothing");
    refused({"--functional", "--vcd", "w.vcd", "--", program}, "--vcd is for the timed machine");
    refused({"--", "/nowhere/program"}, "can't start '/nowhere/program'");
    refused({"--nonsense", "--", program}, "--nonsense");
}

TEST(opencl_run, has_a_server_that_nobody_starts_by_hand) {
    expect_refused({"device-server"}, "there is no program at the other end");
}

TEST(opencl_run, ends_as_the_program_does) {
    EXPECT_EQ(heddle_command(on({}, {"/bin/sh", "-c", "exit 5"})).code, 5);
    const command_result killed = heddle_command(on({}, {"/bin/sh", "-c", "kill -9 $$"}));
    EXPECT_EQ(killed.code, 128 + 9);
    EXPECT_THAT(killed.errors, HasSubstr("'/bin/sh' was ended by signal 9 (Killed)\n"));
    const command_result faulty = heddle_command(on({}, {"/bin/sh", "-c", "kill -11 $$"}));
    EXPECT_THAT(faulty.errors, HasSubstr("signal 11 (Segmentation fault): has it accessed memory"));
    const command_result stopped = heddle_command(on({}, {"/bin/sh", "-c", "kill -2 $$"}));
    EXPECT_THAT(stopped.errors, testing::Not(HasSubstr("signal")));
}

TEST(opencl_run, skips_the_first_launches) {
    const command_result result =
        heddle_command(on({"--skip-kernels", "40"}, {program_file("jacobi")}));
    EXPECT_THAT(result.output, HasSubstr("correct\n")) << result.errors;
    EXPECT_THAT(result.errors, testing::ContainsRegex("step +10 "));
}

TEST(opencl_run, needs_no_more_than_a_variable) {
    const temporary_directory files;
    const std::string stats = files / "s.json", summary = files / "summary";
    const command_result result =
        heddle_process("/usr/bin/env",
                       {std::string("OCL_ICD_VENDORS=") + HEDDLE_OPENCL_ICD, "HEDDLE_CONFIG=tiny",
                        "HEDDLE_OPTIONS=--stats '" + stats + "'", "HEDDLE_SUMMARY=" + summary,
                        program_file("vector_add")})
            .wait();
    EXPECT_EQ(result.code, 0) << result.errors;
    EXPECT_EQ(result.errors, "");
    EXPECT_THAT(result.output, HasSubstr("correct\n"));
    EXPECT_THAT(contents_of(stats), HasSubstr("kernel.add.launches"));
    EXPECT_THAT(contents_of(summary), HasSubstr("vector_add on configuration tiny"));
}

TEST(opencl_run, names_sources_the_same_in_every_folder) {
    const temporary_directory files;
    std::string lines[2];
    for (int i = 0; i < 2; ++i) {
        const std::string folder = files / std::to_string(i);
        std::filesystem::create_directory(folder);
        const command_result result =
            heddle_process(
                "/usr/bin/env",
                {std::string("OCL_ICD_VENDORS=") + HEDDLE_OPENCL_ICD, "HEDDLE_DIRECTORY=" + folder,
                 "HEDDLE_OPTIONS=--config tiny --lines l.csv", program_file("vector_add")})
                .wait();
        EXPECT_EQ(result.code, 0) << result.errors;
        lines[i] = contents_of(folder + "/l.csv");
    }
    EXPECT_THAT(lines[0], HasSubstr("program1.cl,1,add,"));
    EXPECT_EQ(lines[0], lines[1]);
}

TEST(opencl_run, with_variables_that_are_wrong_says_which) {
    const auto refused = [](const std::string& variable, const std::string& text) {
        const command_result result =
            heddle_process("/usr/bin/env", {std::string("OCL_ICD_VENDORS=") + HEDDLE_OPENCL_ICD,
                                            variable, program_file("vector_add")})
                .wait();
        EXPECT_NE(result.code, 0) << variable;
        EXPECT_THAT(result.errors, HasSubstr(text));
    };
    refused("HEDDLE_OPTIONS=--functional 'open", "a quote is not closed in: --functional 'open");
    refused("HEDDLE_OPTIONS=--nonsense", "--nonsense");
    refused("HEDDLE_DIRECTORY=/nowhere", "HEDDLE_DIRECTORY: '/nowhere' is no folder");
    refused("HEDDLE_SUMMARY=/nowhere/file", "HEDDLE_SUMMARY: cannot write '/nowhere/file'");
    refused("HEDDLE_COMMAND=/nowhere/heddle", "HEDDLE_COMMAND: '/nowhere/heddle' is no program");
}

TEST(opencl_run, of_several_processes_has_files_for_each) {
    const temporary_directory files;
    const std::string program = program_file("vector_add");
    const command_result result =
        heddle_command(on({"--functional", "--stats", files / "s.json"},
                          {"/bin/sh", "-c", program + " & " + program + " 64 & wait"}));
    EXPECT_EQ(result.code, 0) << result.errors;
    EXPECT_THAT(contents_of(files / "s.json"), HasSubstr("kernel.add.launches"));
    EXPECT_THAT(contents_of(files / "s.2.json"), HasSubstr("kernel.add.launches"));
}

TEST(opencl_run, of_a_script_in_python_is_right) {
    const temporary_directory files;
    const std::string script = files.write("script.py", R"(
import numpy
import pyopencl as cl

context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
n = 100
a = numpy.arange(n, dtype=numpy.float32)
flags = cl.mem_flags
given = cl.Buffer(context, flags.READ_ONLY | flags.COPY_HOST_PTR, hostbuf=a)
made = cl.Buffer(context, flags.WRITE_ONLY, a.nbytes)
program = cl.Program(context, '''
kernel void square(global const float* a, global float* b) {
    int i = get_global_id(0);
    b[i] = a[i] * a[i];
}''').build()
program.square(queue, a.shape, None, given, made)
found = numpy.empty_like(a)
cl.enqueue_copy(queue, found, made)
print(context.devices[0].name, 'correct' if (found == a * a).all() else 'WRONG')
)");
    if (heddle_process("/usr/bin/python3", {"-c", "import pyopencl"}).wait().code != 0) {
        GTEST_SKIP() << "python3-pyopencl is not installed";
    }
    const command_result result = heddle_command(on({}, {"/usr/bin/python3", script}));
    EXPECT_THAT(result.output, HasSubstr("Heddle tiny correct\n")) << result.errors;
}

TEST(opencl_device, is_sane_to_clinfo) {
    const std::string clinfo = program::find_program("clinfo");
    if (clinfo.empty()) GTEST_SKIP() << "clinfo is not installed";
    const command_result result = heddle_command(on({}, {clinfo, "--raw"}));
    EXPECT_EQ(result.code, 0) << result.errors;
    for (const char* const line :
         {"CL_DEVICE_NAME", "Heddle tiny", "CL_DEVICE_TYPE_GPU", "OpenCL 1.2 Heddle",
          "CL_DEVICE_MAX_COMPUTE_UNITS", "FULL_PROFILE", "cl_khr_fp64"}) {
        EXPECT_THAT(result.output, HasSubstr(line));
    }
    EXPECT_THAT(result.output, testing::Not(HasSubstr("error")));
}

}  // namespace
}  // namespace heddle
