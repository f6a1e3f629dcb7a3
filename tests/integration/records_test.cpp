// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// What a run records beside its statistics: series, blocks, launches, tables below the summary.
#include <gmock/gmock.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "tb/kit/paths.h"
#include "tests/integration/heddle_process.h"

namespace heddle {
namespace {

using nlohmann::json;
using testing::ContainsRegex;
using testing::HasSubstr;
using words = std::vector<std::string>;

const words search{"run",      "bfs",       "--config",
                   "tiny",     "--input",   "kronecker:scale=7,degree=6",
                   "--option", "searches=2"};

command_result searched(words more) {
    more.insert(more.begin(), search.begin(), search.end());
    command_result result = heddle_command(more);
    EXPECT_EQ(result.code, 0) << result.errors;
    return result;
}

std::vector<words> table_of(const std::string& file) {
    std::vector<words> rows;
    std::istringstream lines(contents_of(file));
    for (std::string line; std::getline(lines, line);) {
        rows.emplace_back();
        std::istringstream text(line + ",");
        for (std::string cell; std::getline(text, cell, ',');) rows.back().push_back(cell);
    }
    return rows;
}

std::size_t column(const std::vector<words>& table, const std::string& name) {
    const auto found = std::find(table.at(0).begin(), table.at(0).end(), name);
    EXPECT_NE(found, table[0].end()) << name;
    return static_cast<std::size_t>(found - table[0].begin());
}

std::uint64_t number(const std::string& cell) {
    return std::stoull(cell);
}

/// Sum of a column of counts.
std::uint64_t sum(const std::vector<words>& table, const std::string& name) {
    const std::size_t at = column(table, name);
    std::uint64_t all = 0;
    for (std::size_t row = 1; row < table.size(); ++row) all += number(table[row].at(at));
    return all;
}

TEST(records, add_up_to_the_statistics) {
    const temporary_directory files;
    searched({"--stats", files / "s.json", "--series", files / "t.csv", "--interval", "500",
              "--blocks", files / "b.csv", "--launches", files / "l.csv"});
    const json all = json::parse(contents_of(files / "s.json")).at("statistics");
    const auto value = [&](const std::string& name) {
        return all.at(name).at("value").get<std::uint64_t>();
    };
    const auto series = table_of(files / "t.csv");
    EXPECT_EQ(series.size(), 2 + number(series.back().at(0)) / 500);
    EXPECT_EQ(sum(series, "gpu.cycles"), value("gpu.cycles"));
    EXPECT_EQ(sum(series, "gpu.launches"), value("launch.count"));
    for (const auto& row : series) EXPECT_EQ(row.size(), series[0].size());

    const auto blocks = table_of(files / "b.csv");
    EXPECT_EQ(blocks.size() - 1, value("gpu.blocks"));
    EXPECT_EQ(sum(blocks, "warp_instructions"), value("gpu.warp_instructions"));
    std::uint64_t before = 0;
    for (std::size_t row = 1; row < blocks.size(); ++row) {
        const auto at = [&](const char* name) { return number(blocks[row][column(blocks, name)]); };
        EXPECT_LE(before, at("dispatch"));
        EXPECT_LT(at("dispatch"), at("start"));
        EXPECT_LT(at("start"), at("end"));
        before = at("dispatch");
    }

    const auto launches = table_of(files / "l.csv");
    EXPECT_EQ(launches.size() - 1, value("launch.count"));
    EXPECT_EQ(sum(launches, "blocks"), value("gpu.blocks"));
    EXPECT_EQ(sum(launches, "warp_instructions"), value("gpu.warp_instructions"));
    for (std::size_t row = 1; row < launches.size(); ++row) {
        const auto cell = [&](const std::string& name) {
            return number(launches[row][column(launches, name)]);
        };
        const std::string scope = "launch." + launches[row][0] + ".";
        for (const char* name : {"launched", "first_dispatch", "first_start", "last_end", "cycles",
                                 "blocks", "warp_instructions"}) {
            EXPECT_EQ(value(scope + name), cell(name)) << scope << name;
        }
        EXPECT_LE(cell("launched"), cell("first_dispatch"));
        EXPECT_EQ(cell("cycles"), cell("last_end") - cell("first_dispatch"));
    }
    EXPECT_EQ(value("smx_scheduler.first_dispatch"), value("launch.1.first_dispatch"));
}

TEST(records, do_not_depend_on_sleep_and_change_nothing) {
    const temporary_directory files;
    searched({"--stats", files / "plain.csv"});
    searched({"--stats", files / "s.csv", "--series", files / "t.csv", "--blocks", files / "b.csv",
              "--launches", files / "l.csv", "--show", "cpi"});
    searched({"--stats", files / "s2.csv", "--series", files / "t2.csv", "--blocks",
              files / "b2.csv", "--launches", files / "l2.csv", "--no-sleep"});
    for (const char* name : {"t", "b", "l"}) {
        EXPECT_TRUE(contents_of(files / (name + std::string(".csv"))) ==
                    contents_of(files / (name + std::string("2.csv"))))
            << name;
    }
    const auto simulated = [&](const char* name) {
        const std::string all = contents_of(files / name);
        return all.substr(0, all.find("\nhost."));
    };
    EXPECT_EQ(simulated("plain.csv"), simulated("s.csv"));
}

/// What the series and the thread progress of a run on one SMX say of each interval.
void expect_threads_add_up(words run, const std::string& interval) {
    const temporary_directory files;
    run.insert(run.end(), {"--set", "gpu.smx_count=1", "--interval", interval, "--series",
                           files / "t.csv", "--thread-progress", files / "p.csv"});
    const command_result result = heddle_command(run);
    ASSERT_EQ(result.code, 0) << result.errors;
    const auto series = table_of(files / "t.csv");
    const auto threads = table_of(files / "p.csv");
    ASSERT_EQ(series.size(), threads.size());
    ASSERT_GT(series.size(), 3U);
    const std::size_t of_all = column(series, "gpu.thread_instructions");
    for (std::size_t row = 1; row < series.size(); ++row) {
        std::uint64_t sum = 0;
        for (std::size_t at = 2; at < threads[row].size(); ++at) sum += number(threads[row][at]);
        EXPECT_EQ(sum, number(series[row][of_all])) << "row " << row;
        EXPECT_EQ(threads[row][0], series[row][0]);
        EXPECT_EQ(threads[row][1], series[row][1]);
    }
}

TEST(records, threads_add_up_to_the_series) {
    expect_threads_add_up(search, "500");
    for (const char* formation : {"pdom", "nrec", "dwf", "mimd"}) {
        SCOPED_TRACE(formation);
        expect_threads_add_up(
            {"run", "bitonic", "--config", "g80", "--option", "arrays=3", "--option", "size=64",
             "--set", std::string("smx.formation=") + formation},
            "70");
    }
}

TEST(records, thread_progress_has_a_column_for_each_place) {
    const temporary_directory files;
    const std::string file = files / "p.csv";
    const command_result result =
        heddle_command({"run", "saxpy", "--config", "tiny", "--option", "n=100", "--option",
                        "block=128", "--interval", "100000", "--thread-progress", file});
    ASSERT_EQ(result.code, 0) << result.errors;
    const auto threads = table_of(file);
    ASSERT_EQ(threads.size(), 2U);
    const auto of = [&](const std::string& place) {
        return sum(threads, "thread." + place + ".instructions");
    };
    EXPECT_EQ(of("0"), of("99"));
    EXPECT_GT(of("99"), of("100")) << "the vector has 100 elements";
    EXPECT_EQ(of("100"), of("127"));
    EXPECT_GT(of("127"), 0U);
    EXPECT_EQ(of("128"), 0U);
}

TEST(records, thread_progress_changes_nothing_and_does_not_depend_on_sleep_or_other_observers) {
    const temporary_directory files;
    searched({"--stats", files / "plain.csv"});
    searched({"--stats", files / "s.csv", "--thread-progress", files / "p.csv"});
    searched({"--thread-progress", files / "p2.csv", "--no-sleep", "--check", "--retire",
              files / "r.txt"});
    const auto simulated = [&](const char* name) {
        const std::string all = contents_of(files / name);
        return all.substr(0, all.find("\nhost."));
    };
    EXPECT_EQ(simulated("plain.csv"), simulated("s.csv"));
    EXPECT_TRUE(contents_of(files / "p.csv") == contents_of(files / "p2.csv"));
}

TEST(records, tables_show_parts_of_the_run) {
    const std::string shown =
        searched({"--show", "cpi", "--show", "smxs", "--show", "kernels", "--show", "launches"})
            .output;
    EXPECT_THAT(shown, ContainsRegex("\nissued +[0-9]+ +[0-9.]+ +1\\.000"));
    EXPECT_THAT(shown, ContainsRegex("\nall +[0-9]+ +100\\.0 "));
    EXPECT_THAT(shown, ContainsRegex("SMX +blocks"));
    EXPECT_THAT(shown, ContainsRegex("\nkernel +launches +blocks"));
    EXPECT_THAT(shown, ContainsRegex("\n +1 +[a-z_]+ +[0-9]+,1,1 +[0-9]+,1,1 "));
    EXPECT_THAT(searched({}).output, Not(HasSubstr("CPI")));
}

/// All lines of a file have as many cells as its first.
void expect_complete(const std::string& file) {
    const auto table = table_of(file);
    EXPECT_GT(table.size(), 1U) << file;
    for (const words& row : table) EXPECT_EQ(row.size(), table[0].size()) << file;
}

TEST(records, are_complete_after_a_limit) {
    const temporary_directory files;
    words run = search;
    run.insert(run.end(), {"--max-cycles", "2345", "--series", files / "t.csv", "--interval", "100",
                           "--blocks", files / "b.csv", "--launches", files / "l.csv",
                           "--thread-progress", files / "p.csv"});
    EXPECT_EQ(heddle_command(run).code, 4);
    for (const char* name : {"t.csv", "b.csv", "l.csv", "p.csv"}) expect_complete(files / name);
    const auto series = table_of(files / "t.csv");
    EXPECT_GE(number(series.back().at(1)), 2345U);
    EXPECT_EQ(table_of(files / "p.csv").back().at(1), series.back().at(1));
    EXPECT_EQ(files.file_count(), 4U);
}

TEST(records, a_launch_that_was_cut_off_has_no_end) {
    const temporary_directory files;
    EXPECT_EQ(heddle_command({"run", "saxpy", "--config", "tiny", "--option", "n=2048",
                              "--max-cycles", "700", "--launches", files / "l.csv"})
                  .code,
              4);
    const auto launches = table_of(files / "l.csv");
    const words& cut_off = launches.at(1);
    EXPECT_LT(number(cut_off.at(column(launches, "blocks"))), 8U);
    for (const char* name : {"last_end", "cycles"}) {
        EXPECT_EQ(cut_off.at(column(launches, name)), "") << name;
    }
}

TEST(records, are_complete_after_ctrl_c) {
    const temporary_directory files;
    heddle_process run({"run", built_program("iss_control"), "--kernel", "busy", "--arg",
                        "counter:u32[1]", "--arg", "4294967295", "--config", "tiny", "--series",
                        files / "t.csv", "--blocks", files / "b.csv"});
    ASSERT_TRUE(run.wait_until_interruptible());
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    run.interrupt();
    EXPECT_EQ(run.wait().code, 130);
    expect_complete(files / "t.csv");
    expect_complete(files / "b.csv");
    EXPECT_EQ(files.file_count(), 2U);
    const auto blocks = table_of(files / "b.csv");
    EXPECT_EQ(blocks.at(1).at(column(blocks, "end")), "");
}

TEST(records, wrong_options_are_refused_before_the_run) {
    const temporary_directory files;
    const std::string file = files / "t.csv";
    const auto refused = [&](words more, const std::string& text) {
        more.insert(more.begin(), search.begin(), search.end());
        expect_refused(more, text);
        EXPECT_EQ(files.file_count(), 0U);
    };
    refused({"--interval", "100"}, "--series FILE, --thread-progress FILE or --report FILE");
    refused({"--interval", "0", "--series", file}, "at least 1 core cycle");
    refused({"--interval", "-5", "--series", file}, "-5");
    refused({"--interval", "often", "--series", file}, "often");
    refused({"--series", file, "--functional"}, "--series is for the timed machine");
    refused({"--blocks", file, "--functional"}, "--blocks is for the timed machine");
    refused({"--launches", file, "--functional"}, "--launches is for the timed machine");
    refused({"--thread-progress", file, "--functional"},
            "--thread-progress is for the timed machine");
    refused({"--thread-progress", files / "p.txt"}, "unknown file type '.txt'");
    refused({"--thread-progress", file, "--series", file}, "both write");
    refused({"--show", "cpi", "--functional"}, "--show is for the timed machine");
    refused({"--show", "smx"}, "did you mean 'smxs'?");
    refused({"--series", file, "--blocks", file}, "both write");
    refused({"--launches", file, "--blocks", file}, "both write");
    refused({"--lines", file, "--blocks", file}, "both write");
    refused({"--lines", file, "--functional"}, "--lines is for the timed machine");
    refused({"--lines", files / "l.txt"}, "unknown file type '.txt'");
    refused({"--lines", files / "none/l.csv"}, "none/l.csv");
    refused({"--series", files / "none/t.csv"}, "none/t.csv");
    refused({"--blocks", files / "none/b.csv"}, "none/b.csv");
    refused({"--launches", files / "none/l.csv"}, "none/l.csv");
}

TEST(records, launches_by_kernels_have_parents) {
    const temporary_directory files;
    const std::string file = files / "l.csv";
    const command_result result =
        heddle_command({"run",        build_path("kernels/device_launch.elf"),
                        "--kernel",   "spread_groups",
                        "--config",   "tiny",
                        "--grid",     "2",
                        "--block",    "40",
                        "--arg",      "counts:u32[16]",
                        "--arg",      "marks:u32[64]=1",
                        "--arg",      "2",
                        "--arg",      "4",
                        "--arg",      "0",
                        "--launches", file});
    ASSERT_EQ(result.code, 0) << result.errors;
    const auto launches = table_of(file);
    const auto cell = [&](std::size_t row, const char* name) {
        return launches[row].at(column(launches, name));
    };
    std::set<std::string> known;
    unsigned groups = 0;
    for (std::size_t row = 1; row < launches.size(); ++row) {
        known.insert(cell(row, "launch"));
        if (cell(row, "source") == "host") {
            EXPECT_EQ(cell(row, "parent"), "");
            EXPECT_EQ(cell(row, "depth"), "0");
            continue;
        }
        EXPECT_EQ(known.count(cell(row, "parent")), 1U) << row;
        EXPECT_GE(number(cell(row, "depth")), 1U);
        groups += cell(row, "agei").empty() ? 0 : 1;
    }
    EXPECT_GT(groups, 0U);
}

}  // namespace
}  // namespace heddle
