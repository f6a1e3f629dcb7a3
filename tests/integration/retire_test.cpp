// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// --retire: what each warp executes, as a text.
#include <gmock/gmock.h>

#include <algorithm>
#include <bitset>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/integration/heddle_process.h"

namespace heddle {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using words = std::vector<std::string>;

words lines_of(const std::string& text) {
    words lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

words columns_of(const std::string& line) {
    words columns;
    std::istringstream in(line);
    for (std::string column; std::getline(in, column, '\t');) columns.push_back(column);
    return columns;
}

/// The file of a small run; the first line, which names the columns, is left out.
words retired(const std::string& workload, const words& more = {}) {
    const temporary_directory files;
    const std::string file = files / "retired.txt";
    words arguments{"run", workload, "--config", "tiny", "--retire", file};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const command_result result = heddle_command(arguments);
    EXPECT_EQ(result.code, 0) << result.errors;
    words lines = lines_of(contents_of(file));
    EXPECT_EQ(lines.at(0),
              "cycle\tsmx\tslot\tlaunch\tblock\twarp\tn\tpc\tmask\tinstruction\taddress\tresult");
    lines.erase(lines.begin());
    return lines;
}

TEST(retire, has_every_instruction_once) {
    const temporary_directory files;
    const std::string statistics = files / "statistics.json";
    const std::pair<const char*, words> runs[] = {
        {"saxpy", {"--option", "n=2048"}},
        {"divergence", {"--option", "case=recursion", "--option", "n=128"}},
        {"lock", {"--option", "n=128"}},
        {"bfs", {"--input", "kronecker:scale=7,degree=8"}}};
    for (const auto& [workload, options] : runs) {
        words more{"--stats", statistics};
        more.insert(more.end(), options.begin(), options.end());
        const words lines = retired(workload, more);
        const json all = json::parse(contents_of(statistics)).at("statistics");
        EXPECT_EQ(lines.size(), all.at("gpu.warp_instructions").at("value")) << workload;
        std::size_t threads = 0;
        std::set<words> places;
        std::uint64_t cycle = 0;
        for (const std::string& line : lines) {
            const words columns = columns_of(line);
            ASSERT_EQ(columns.size(), 12U) << line;
            threads += std::bitset<64>(std::stoull(columns[8], nullptr, 16)).count();
            EXPECT_TRUE(places.insert({columns[3], columns[4], columns[5], columns[6]}).second);
            EXPECT_GE(std::stoull(columns[0]), cycle);
            cycle = std::stoull(columns[0]);
        }
        EXPECT_EQ(threads, all.at("gpu.thread_instructions").at("value")) << workload;
    }
}

/// A line of a file sorted by warp, without cycle and place.
words comparable(words lines) {
    for (std::string& line : lines) {
        const words c = columns_of(line);
        line.clear();
        for (const std::size_t number : {3, 4, 5, 6}) {
            line += std::string(12 - c[number].size(), ' ') + c[number];
        }
        for (std::size_t i = 7; i < c.size(); ++i) line += '\t' + c[i];
    }
    std::sort(lines.begin(), lines.end());
    return lines;
}

TEST(retire, machines_differ_in_time_only) {
    const words here = retired(
        "matrix", {"--option", "variant=tiled", "--option", "rows=32", "--option", "inner=32"});
    const words there =
        retired("matrix", {"--option", "variant=tiled", "--option", "rows=32", "--option",
                           "inner=32", "--set", "l1d.hit_latency=40", "--set", "gpu.smx_count=1",
                           "--set", "smx.scheduler=gto"});
    EXPECT_NE(here, there);
    EXPECT_EQ(comparable(here), comparable(there));
}

TEST(retire, equal_runs_write_equal_files) {
    const words first = retired("lock", {"--option", "n=128"});
    EXPECT_EQ(retired("lock", {"--option", "n=128"}), first);
    EXPECT_EQ(retired("lock", {"--option", "n=128", "--no-sleep"}), first);
}

TEST(retire, shows_values_of_active_lanes) {
    const words lines = retired("saxpy", {"--option", "n=100", "--retire-scope", "block=0,warp=3"});
    ASSERT_EQ(lines.size(), 18U);
    EXPECT_THAT(lines,
                testing::Contains(HasSubstr("\tffffffff\tcsrrs a6, tid_x, zero\t-\ta6=60+1")));
    // The last four threads go on; each loads and stores a word of its own.
    EXPECT_THAT(lines, testing::Contains(testing::ContainsRegex(
                           "\t0000000f\tsw a1, 0x0\\(a0\\)\t40000380\\+4\t[0-9a-f]+,[0-9a-f]+,"
                           "[0-9a-f]+,[0-9a-f]+$")));
    for (const std::string& line : lines) EXPECT_EQ(columns_of(line)[5], "3");
}

TEST(retire, scopes_add_up) {
    const auto chosen = [](const std::string& line) {
        const words c = columns_of(line);
        return c[1] == "1" || (c[4] >= "1" && c[4] <= "2" && c[5] == "0");
    };
    words expected = retired("saxpy", {"--option", "n=2048"});
    const std::size_t all = expected.size();
    expected.erase(std::remove_if(expected.begin(), expected.end(),
                                  [&](const std::string& line) { return !chosen(line); }),
                   expected.end());
    EXPECT_LT(expected.size(), all);
    EXPECT_EQ(retired("saxpy", {"--option", "n=2048", "--retire-scope", "smx=1", "--retire-scope",
                                "block=1-2,warp=0"}),
              expected);
}

TEST(retire, gz_gives_the_same_lines_packed) {
    if (std::system("command -v gzip > /dev/null") != 0) GTEST_SKIP() << "gzip is missing";
    const temporary_directory files;
    for (const char* name : {"a.txt", "a.txt.gz", "b.txt.gz"}) {
        EXPECT_EQ(heddle_command({"run", "saxpy", "--config", "tiny", "--option", "n=2048",
                                  "--retire", files / name})
                      .code,
                  0);
    }
    EXPECT_TRUE(contents_of(files / "a.txt.gz") == contents_of(files / "b.txt.gz"));
    EXPECT_LT(contents_of(files / "a.txt.gz").size() * 3, contents_of(files / "a.txt").size());
    EXPECT_EQ(std::system(("gzip -d '" + (files / "b.txt.gz") + "'").c_str()), 0);
    EXPECT_TRUE(contents_of(files / "a.txt") == contents_of(files / "b.txt"));
}

TEST(retire, a_run_that_breaks_off_leaves_what_it_did) {
    const temporary_directory files;
    const std::string file = files / "retired.txt";
    const command_result result = heddle_command(
        {"run", "saxpy", "--config", "tiny", "--max-cycles", "300", "--retire", file});
    EXPECT_EQ(result.code, 4) << result.errors;
    EXPECT_GT(lines_of(contents_of(file)).size(), 10U);
    EXPECT_EQ(files.file_count(), 1U);
}

TEST(retire, refuses_what_makes_no_sense) {
    const temporary_directory files;
    const std::string file = files / "retired.txt";
    expect_refused({"run", "saxpy", "--functional", "--retire", file},
                   "--retire is for the timed machine");
    expect_refused({"run", "saxpy", "--retire-scope", "smx=0"}, "needs --retire FILE");
    expect_refused({"run", "saxpy", "--retire", file, "--stats", file},
                   "--stats and --retire both write");
    expect_refused({"run", "saxpy", "--retire", files / "none/retired.txt"}, "cannot write");
    expect_refused({"run", "saxpy", "--retire", file, "--retire-scope", "sm=0"},
                   "--retire-scope sm=0: 'sm=0' is no condition; did you mean 'smx'?");
    for (const char* scope : {"smx", "smx=", "smx=-1", "smx=1-", "smx=3-2", "smx=1,smx=2", "smx=0,",
                              "smx=99999999999999999999"}) {
        expect_refused({"run", "saxpy", "--retire", file, "--retire-scope", scope},
                       "expected smx, launch, block and warp");
    }
    EXPECT_EQ(files.file_count(), 0U);
}

}  // namespace
}  // namespace heddle
