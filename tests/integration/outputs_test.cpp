// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Files that a run writes: which it must not replace, and what happens when they can't be written.
#include <gmock/gmock.h>

#include <filesystem>

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

}  // namespace
}  // namespace heddle
