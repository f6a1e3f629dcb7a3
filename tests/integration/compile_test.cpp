// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <filesystem>
#include <thread>

#include "tb/kit/paths.h"
#include "tests/integration/heddle_process.h"

namespace heddle {
namespace {

using testing::HasSubstr;

TEST(compile, makes_a_program_that_runs) {
    const temporary_directory files;
    const std::string program = files / "vector_add.elf";
    const command_result compiled =
        heddle_command({"compile", source_path("docs/examples/vector_add.cpp"), "-o", program});
    ASSERT_EQ(compiled.code, 0) << compiled.errors;
    EXPECT_EQ(compiled.errors, "");
    EXPECT_THAT(compiled.output, HasSubstr("vector_add"));
    EXPECT_THAT(compiled.output, HasSubstr("unsigned int n"));
    const command_result run =
        heddle_command({"run", program, "--grid", "4", "--arg", "100", "--arg", "a:f32[100]=iota",
                        "--arg", "b:f32[100]=0.5", "--arg", "sum:f32[100]"});
    EXPECT_EQ(run.code, 0) << run.errors;
    EXPECT_THAT(run.output, HasSubstr("sum f32[100]: 0.5 1.5 2.5 3.5 4.5 5.5 6.5 7.5 ...\n"));
}

TEST(compile, passes_its_options_on) {
    const temporary_directory files;
    files.write("include/step.h", "enum { step = STEP };\n");
    const std::string source =
        files.write("count.cpp",
                    "#include <heddle.h>\n#include <step.h>\n"
                    "__global__ void count(unsigned* out) { *out = step; }\n");
    const std::string program = files / "count.elf";
    const command_result compiled = heddle_command(
        {"compile", source, "-o", program, "-I", files / "include", "-D", "STEP=42", "-O0"});
    ASSERT_EQ(compiled.code, 0) << compiled.errors;
    const command_result run =
        heddle_command({"run", program, "--block", "1", "--arg", "out:u32[1]"});
    EXPECT_THAT(run.output, HasSubstr("out u32[1]: 42\n"));
}

TEST(compile, shows_what_the_compiler_says) {
    const temporary_directory files;
    const std::string output = files.write("kept.elf", "older");
    const std::string source = files.write(
        "wrong.cpp", "#include <heddle.h>\n__global__ void k(unsigned* out) { *out = mistake; }\n");
    const command_result failed = heddle_command({"compile", source, "-o", output});
    EXPECT_EQ(failed.code, 2);
    EXPECT_EQ(failed.output, "");
    EXPECT_THAT(failed.errors, HasSubstr("wrong.cpp:2:"));
    EXPECT_THAT(failed.errors, HasSubstr("undeclared identifier 'mistake'"));
    EXPECT_EQ(contents_of(output), "older");
    EXPECT_EQ(files.file_count(), 2U);
    const std::string empty = files.write("empty.cpp", "#include <heddle.h>\n");
    expect_refused({"compile", empty, "-o", output}, "kernel");
}

TEST(compile, refuses_wrong_usage) {
    const temporary_directory files;
    const std::string source =
        files.write("k.cpp", "#include <heddle.h>\n__global__ void k() {}\n");
    expect_refused({"compile", source}, "--output FILE.elf is missing");
    expect_refused({"compile", "-o", files / "x.elf"}, "FILE is missing");
    expect_refused({"compile", files / "none.cpp", "-o", files / "x.elf"}, "none.cpp");
    expect_refused({"compile", files.write("k.txt", ""), "-o", files / "x.elf"}, "k.txt");
    expect_refused({"compile", source, "-o", files / "none/x.elf"}, "none");
    expect_refused({"compile", source, "-o", files / "x.elf", "-O", "4"}, "-O");
    EXPECT_FALSE(std::filesystem::exists(files / "x.elf"));
}

TEST(compile, does_not_replace_a_pipe_or_a_link) {
    const temporary_directory files;
    const std::string source =
        files.write("k.cpp", "#include <heddle.h>\n__global__ void k() {}\n");
    const std::string program = files / "k.elf";
    ASSERT_EQ(heddle_command({"compile", source, "-o", program}).code, 0);
    const std::string pipe = files / "pipe";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    std::string read;
    std::thread reader([&] { read = contents_of(pipe); });
    const command_result piped = heddle_command({"compile", source, "-o", pipe});
    reader.join();
    EXPECT_EQ(piped.code, 0) << piped.errors;
    EXPECT_TRUE(read == contents_of(program));
    EXPECT_TRUE(std::filesystem::is_fifo(pipe));

    const std::string link = files / "link.elf";
    const std::string target = files.write("target.elf", "");
    std::filesystem::create_symlink("target.elf", link);
    EXPECT_EQ(heddle_command({"compile", source, "-o", link}).code, 0);
    EXPECT_TRUE(std::filesystem::is_symlink(link));
    EXPECT_TRUE(contents_of(target) == contents_of(program));
    EXPECT_EQ(files.file_count(), 5U);
}

TEST(compile, does_not_overwrite_what_it_reads) {
    const temporary_directory files;
    const std::string text = "#include <heddle.h>\n__global__ void k() {}\n";
    const std::string source = files.write("k.cpp", text);
    std::filesystem::create_symlink("k.cpp", files / "link.elf");
    for (const std::string& output : {source, files / "./k.cpp", files / "link.elf"}) {
        expect_refused({"compile", source, "-o", output}, "it is a source of this program");
    }
    expect_refused({"compile", source, "-o", files / "k.h"}, "it has the name of a source");
    EXPECT_EQ(contents_of(source), text);
    EXPECT_EQ(files.file_count(), 2U);
}

}  // namespace
}  // namespace heddle
