// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Files that a run writes: which it must not replace, and what happens when they can't be written.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <filesystem>

#include "tb/kit/paths.h"
#include "tests/integration/heddle_process.h"

namespace heddle {
namespace {

using testing::HasSubstr;
using words = std::vector<std::string>;

TEST(outputs, never_overwrite_an_input) {
    const temporary_directory files;
    const std::string parent = files.write("parent.toml", "[gpu]\nsmx_count = 1\n");
    const std::string child = files.write("child.toml", "inherits = 'parent.toml'\n");
    const std::string graph = files.write("g.gr", "p sp 2 1\na 1 2 1\n");
    std::filesystem::create_symlink("child.toml", files / "link.csv");
    std::filesystem::create_symlink(built_program("iss_memory"), files / "kernel.csv");
    const auto refused = [](words arguments, const std::string& what) {
        arguments.insert(arguments.begin(), "run");
        expect_refused(arguments, "which this run reads as " + what);
    };
    refused({"saxpy", "--config", child, "--retire", child}, "the configuration");
    refused({"saxpy", "--config", child, "--retire", parent}, "the configuration");
    refused({"saxpy", "--config", child, "--blocks", files / "link.csv"}, "the configuration");
    refused({"bfs", "--input", graph, "--retire", files / "./g.gr"}, "--input");
    refused({"bfs", "--input", "dimacs:file=" + graph, "--retire", graph}, "--input");
    refused({built_program("iss_memory"), "--series", files / "kernel.csv"}, "the program");
    refused({built_program("iss_memory"), "--retire", built_program("iss_memory")}, "the program");
    expect_refused({"run", "saxpy", "--retire", files / "new.csv", "--blocks", files / "./new.csv"},
                   "both write");
    expect_refused(
        {"run", "saxpy", "--retire", files / "child.toml", "--blocks", files / "link.csv"},
        "both write");
    EXPECT_EQ(contents_of(child), "inherits = 'parent.toml'\n");
    EXPECT_EQ(files.file_count(), 5U);
}

/// A run whose every file ends at 512 bytes, as on a full disk.
command_result limited(words arguments) {
    words all{"-c", "ulimit -f 1; exec \"$0\" \"$@\"", build_path("heddle")};
    all.insert(all.end(), arguments.begin(), arguments.end());
    return heddle_process("/bin/sh", all).wait();
}

TEST(outputs, tell_what_could_not_be_written) {
    const words search{"run",      "bfs",       "--config",
                       "tiny",     "--input",   "kronecker:scale=8,degree=8",
                       "--option", "searches=4"};
    const std::pair<const char*, const char*> outputs[] = {
        {"--retire", "a.txt"},   {"--retire", "a.txt.gz"},    {"--stats", "a.json"},
        {"--vcd", "a.vcd"},      {"--vcd", "a.vcd.gz"},       {"--timeline", "a.json"},
        {"--blocks", "a.csv"},   {"--timeline", "a.json.gz"}, {"--series", "a.csv"},
        {"--launches", "a.csv"}, {"--lines", "a.csv"},        {"--thread-progress", "a.csv"}};
    for (const auto& [option, name] : outputs) {
        const temporary_directory files;
        words arguments = search;
        arguments.insert(arguments.end(), {option, files / name});
        if (std::string(option) == "--series")
            arguments.insert(arguments.end(), {"--interval", "20"});
        const command_result result = limited(arguments);
        EXPECT_EQ(result.code, 2) << option << " " << name;
        EXPECT_EQ(result.errors, "heddle: cannot write '" + (files / name) + "': File too large\n");
        EXPECT_EQ(files.file_count(), 0U) << option << " " << name;
    }
}

TEST(outputs, a_pipe_that_nobody_reads_is_refused) {
    const temporary_directory files;
    const std::string pipe = files / "pipe";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    expect_refused({"run", "saxpy", "--config", "tiny", "--stats", pipe},
                   "cannot write '" + pipe + "': nobody reads from the pipe");
}

/// The reader of a pipe gets the statistics although it looked before the end of the run, or an
/// error comes when it has left.
TEST(outputs, a_pipe_has_one_writer_from_beginning_to_end) {
    const temporary_directory files;
    const std::string pipe = files / "pipe";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    const words run{"run", "saxpy", "--config", "tiny"};
    for (const char* option : {"--stats", "--retire", "--launches"}) {
        words arguments = run;
        arguments.insert(arguments.end(), {option, pipe});
        heddle_process written(arguments);
        const std::string text = contents_of(pipe);
        EXPECT_EQ(written.wait().code, 0) << option;
        EXPECT_FALSE(text.empty()) << option;

        heddle_process left(arguments);
        { const std::ifstream reader(pipe); }
        const command_result result = left.wait();
        EXPECT_EQ(result.code, 2) << option;
        EXPECT_EQ(result.errors, "heddle: cannot write '" + pipe + "': Broken pipe\n");
    }
}

}  // namespace
}  // namespace heddle
