// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// heddle random: programs by seed, and their shrinking.
#include <gmock/gmock.h>

#include "tests/base/temporary_directory.h"
#include "tests/integration/heddle_process.h"

namespace heddle {
namespace {

using testing::HasSubstr;

TEST(random_command, the_seed_names_the_program) {
    const command_result one = heddle_command({"random", "--seed", "5"});
    EXPECT_EQ(one.code, 0) << one.errors;
    EXPECT_EQ(one.output, heddle_command({"random", "--seed", "5"}).output);
    EXPECT_NE(one.output, heddle_command({"random", "--seed", "6"}).output);
    EXPECT_THAT(one.output, HasSubstr("__global__ void k0(unsigned n, unsigned m"));
    const command_result two = heddle_command({"random", "--seed", "5", "--kernels", "3"});
    EXPECT_THAT(two.output, HasSubstr("void k2("));
}

TEST(random_command, its_programs_compile_and_pass) {
    const temporary_directory files;
    const std::string source = files / "r.cpp";
    const std::string program = files / "r.elf";
    for (const char* seed : {"1", "2", "3"}) {
        ASSERT_EQ(heddle_command({"random", "--seed", seed, "--atomics", "-o", source}).code, 0);
        const command_result compiled = heddle_command({"compile", source, "-o", program});
        ASSERT_EQ(compiled.code, 0) << compiled.errors;
    }
}

/// A program that has a word fails: what is left is the statement with the word.
TEST(random_command, shrinking_leaves_what_fails) {
    const temporary_directory files;
    const std::string source = files / "r.cpp";
    const std::string failing = files.write("fails", "#!/bin/sh\n! grep -q __shfl \"$1\"\n");
    std::string seed;
    for (unsigned s = 1; s < 100 && seed.empty(); ++s) {
        const command_result one = heddle_command({"random", "--seed", std::to_string(s)});
        if (one.output.find("__shfl") != std::string::npos) seed = std::to_string(s);
    }
    ASSERT_NE(seed, "");
    const command_result result =
        heddle_command({"random", "--seed", seed, "-o", source, "--shrink", "sh " + failing});
    EXPECT_EQ(result.code, 0) << result.errors;
    EXPECT_THAT(result.output, HasSubstr(": 1 statements of "));
    EXPECT_THAT(contents_of(source), HasSubstr("__shfl"));
    EXPECT_THAT(contents_of(source), testing::Not(HasSubstr("for (")));
}

/// The third run of the command is interrupted, or can't be.
TEST(random_command, shrinking_that_breaks_off_leaves_the_smallest_that_fails) {
    for (const char* end : {"kill -INT $$", "kill -QUIT $$", "exit 130", "exit 127", "exit 126"}) {
        const temporary_directory files;
        const std::string source = files / "it's.cpp";
        const std::string runs = files / "runs";
        const std::string failing =
            files.write("fails", "#!/bin/sh\necho >> " + runs + "\ntest -f \"$1\" || exit 0\n" +
                                     "case $(wc -l < " + runs + ") in\n1) cp \"$1\" " + runs +
                                     ".1; exit 1;;\n2) cp \"$1\" " + runs + ".2; exit 1;;\n*) " +
                                     end + ";;\nesac\n");
        const command_result result =
            heddle_command({"random", "--seed", "2", "-o", source, "--shrink", "sh " + failing});
        const bool unusable = std::string(end) == "exit 127" || std::string(end) == "exit 126";
        EXPECT_EQ(result.code, unusable ? 2 : 130) << end << result.errors;
        EXPECT_THAT(result.errors, HasSubstr("--shrink sh " + failing)) << end;
        EXPECT_EQ(contents_of(source), contents_of(runs + ".2"));
        EXPECT_NE(contents_of(source), contents_of(runs + ".1"));
        EXPECT_EQ(contents_of(runs), "\n\n\n");
    }
}

TEST(random_command, wrong_words_are_refused) {
    const temporary_directory files;
    const auto refused = [](const std::vector<std::string>& words, const std::string& text) {
        const command_result result = heddle_command(words);
        EXPECT_EQ(result.code, 2);
        EXPECT_THAT(result.errors, HasSubstr(text));
    };
    refused({"random", "--shrink", "false"}, "--shrink cuts down one kernel in a file");
    refused({"random", "--shrink", "true", "-o", files / "r.cpp"},
            "it does not fail for the program of seed 1");
    refused({"random", "--shrink", "./no_such_program", "-o", files / "r.cpp"},
            "--shrink ./no_such_program: the shell can't run it (exit code 127)");
    refused({"random", "--opencl", "--atomics"}, "kernels in OpenCL C have none");
    refused({"random", "-o", "no such/r.cpp"}, "no such");
    refused({"random", "--kernels", "0"}, "--kernels");
}

}  // namespace
}  // namespace heddle
