// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// What a run shows of its inside: waveform, GTKWave view, timeline.
#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <thread>

#include "tests/integration/traced_run.h"

namespace heddle {
namespace {

constexpr unsigned block_count = 8;

/// The rows of a CSV file without quotes, by the names in its first line.
std::vector<std::map<std::string, std::string>> rows_of(const std::string& file) {
    std::istringstream lines(contents_of(file));
    const auto cells = [](const std::string& line) {
        words all;
        std::istringstream text(line);
        for (std::string cell; std::getline(text, cell, ',');) all.push_back(cell);
        return all;
    };
    std::string line;
    std::getline(lines, line);
    const words names = cells(line);
    std::vector<std::map<std::string, std::string>> rows;
    while (std::getline(lines, line)) {
        const words values = cells(line);
        rows.emplace_back();
        for (std::size_t i = 0; i < values.size(); ++i) rows.back()[names.at(i)] = values[i];
    }
    return rows;
}

TEST(inside, dispatch_of_a_block_agrees_everywhere) {
    const traced_run run;
    const json all = json::parse(contents_of(run.statistics));
    const auto statistic = [&](const char* name) {
        return all.at("statistics").at(name).at("value").get<std::uint64_t>();
    };
    const auto kilohertz = all.at("run").at("configuration").at("clock.core").get<std::uint64_t>();
    const auto time_of_cycle = [&](std::uint64_t cycle) {
        return cycle * 1'000'000'000 / kilohertz;
    };
    std::map<std::uint64_t, std::uint64_t> in_timeline;
    std::map<std::uint64_t, std::uint64_t> processor;
    for (const json& event : run.events()) {
        if (event.value("cat", "") != "block_dispatch" || !event.contains("args")) continue;
        const auto block = event.at("args").at("block").get<std::uint64_t>();
        EXPECT_EQ(event.at("name"), "block " + std::to_string(block));
        EXPECT_TRUE(in_timeline.emplace(block, begin_ps(event)).second);
        processor[block] = event.at("args").at("sm").get<std::uint64_t>();
    }
    ASSERT_EQ(in_timeline.size(), block_count);
    EXPECT_EQ(statistic("smx_scheduler.blocks"), block_count);
    EXPECT_EQ(in_timeline.at(0), time_of_cycle(statistic("smx_scheduler.first_dispatch")));
    EXPECT_EQ(in_timeline.at(block_count - 1),
              time_of_cycle(statistic("smx_scheduler.last_dispatch")));

    const auto rows = rows_of(run.blocks);
    ASSERT_EQ(rows.size(), block_count);
    const vcd_reader waves(run.waves);
    unsigned seen_on_smx = 0;
    for (const auto& [block, time] : in_timeline) {
        const auto& row = rows.at(block);
        EXPECT_EQ(row.at("index"), std::to_string(block));
        EXPECT_EQ(row.at("x"), std::to_string(block));
        EXPECT_EQ(row.at("smx"), std::to_string(processor.at(block)));
        EXPECT_EQ(time_of_cycle(std::stoull(row.at("dispatch"))), time) << block;
        EXPECT_THAT(times_of(waves, "gpu.smx_scheduler.blocks", block + 1),
                    testing::ElementsAre(time));
        if (processor.at(block) != 0 || block == 0) continue;  // a register's reset value is 0
        // The SMX sees it a cycle later.
        const std::uint64_t cycle = (time * kilohertz + 999'999'999) / 1'000'000'000;
        std::vector<std::uint64_t> times = times_of(waves, "gpu.smx_0.tbcr_0.blkid", block);
        for (const auto other : times_of(waves, "gpu.smx_0.tbcr_1.blkid", block)) {
            times.push_back(other);
        }
        EXPECT_THAT(times, testing::ElementsAre(time_of_cycle(cycle + 1))) << block;
        EXPECT_EQ(row.at("dispatch"), std::to_string(cycle));
        ++seen_on_smx;
    }
    EXPECT_GE(seen_on_smx, 2U);
}

TEST(inside, equal_runs_write_equal_files) {
    const traced_run first;
    for (const words& options : {words{}, words{"--no-sleep"}}) {
        const traced_run second(options);
        EXPECT_TRUE(contents_of(first.waves) == contents_of(second.waves));
        EXPECT_TRUE(contents_of(first.view) == contents_of(second.view));
        EXPECT_TRUE(contents_of(first.names) == contents_of(second.names));
        EXPECT_TRUE(contents_of(first.timeline) == contents_of(second.timeline));
        EXPECT_TRUE(contents_of(first.blocks) == contents_of(second.blocks));
    }
}

/// Files of a run that broke off show all up to there.
void expect_complete(const std::string& waves, const std::string& timeline) {
    EXPECT_GT(vcd_reader(waves).end_time(), 0U);
    EXPECT_GT(json::parse(contents_of(timeline)).at("traceEvents").size(), 0U);
}

TEST(inside, files_are_complete_after_a_limit) {
    const temporary_directory files;
    const std::string waves = files / "run.vcd";
    const std::string timeline = files / "timeline.json";
    const command_result result =
        heddle_command({"run", "saxpy", "--config", "tiny", "--max-cycles", "300", "--vcd", waves,
                        "--timeline", timeline});
    EXPECT_EQ(result.code, 4) << result.errors;
    EXPECT_THAT(result.errors, testing::HasSubstr("(cycle 300 of 'gpu.core_clock'), the limit of "
                                                  "this run (--max-cycles)"));
    expect_complete(waves, timeline);
    EXPECT_EQ(files.file_count(), 4U);
}

TEST(inside, files_are_complete_after_ctrl_c) {
    const temporary_directory files;
    const std::string waves = files / "run.vcd";
    const std::string timeline = files / "timeline.json";
    heddle_process run({"run", built_program("iss_control"), "--kernel", "busy", "--arg",
                        "counter:u32[1]", "--arg", "4294967295", "--config", "tiny", "--vcd", waves,
                        "--timeline", timeline});
    ASSERT_TRUE(run.wait_until_interruptible());
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    run.interrupt();
    EXPECT_EQ(run.wait().code, 130);
    expect_complete(waves, timeline);
    EXPECT_EQ(files.file_count(), 4U);
}

TEST(inside, wrong_options_are_refused_before_the_run) {
    const temporary_directory files;
    const std::string file = files / "run.vcd";
    const words run{"run", "saxpy", "--config", "tiny"};
    const auto refused = [&](words more, const std::string& text) {
        more.insert(more.begin(), run.begin(), run.end());
        expect_refused(more, text);
        EXPECT_EQ(files.file_count(), 0U);
    };
    refused({"--vcd", file, "--functional"}, "--vcd is for the timed machine");
    refused({"--timeline", file, "--functional"}, "--timeline is for the timed machine");
    refused({"--trace-scope", "*", "--functional"}, "--trace-scope is for the timed machine");
    refused({"--trace-scope", "*"}, "--vcd FILE");
    refused({"--trace-cycles", "1:2"}, "--vcd FILE");
    refused({"--trace-cycles", "1:2", "--functional"}, "--trace-cycles is for the timed machine");
    for (const char* cycles : {"5", "x:5", "5:x", "-1:5", "5:4", "1:2:3", "1:1000000000001"}) {
        refused({"--vcd", file, "--trace-cycles", cycles}, "legal: FROM:TO");
    }
    refused({"--vcd", file, "--stats", file + ".names"}, "both write");
    refused({"--vcd", files / "none/run.vcd"}, "none/run.vcd");
    refused({"--timeline", files / "none/run.json"}, "none/run.json");
    refused({"--vcd", file, "--timeline", file}, "both write");
    refused({"--vcd", file, "--stats", file + ".gtkw"}, "both write");
    refused({"--vcd", file, "--trace-scope", "gpu.kmu", "--trace-scope", "gpu.smx_7"},
            "gpu.smx_7: no variable has that name");
    refused({"--vcd", file, "--trace-scope", "gpu.smx0"},
            "did you mean 'gpu.smx_0'?; there are gpu.crossbar, gpu.kernel_distributor, gpu.kmu, "
            "gpu.l2_0..1, gpu.memory, gpu.smx_0..1, gpu.smx_scheduler and everything below them");
    refused({"--timeline", files / "run.json", "--trace-scope", "gpu.smx_0.lsu"},
            "no track has that name");
    // The waveform would be empty, although the timeline has such a track.
    refused({"--vcd", file, "--timeline", files / "run.json", "--trace-scope", "gpu.smx_0.memory"},
            "gpu.smx_0.memory: selects no variable of --vcd");
    refused({"--retire", file, "--retire-scope", "smx=2-3"}, "legal: smx=0 to smx=1");
    refused({"--blocks", files / "run.json"}, "unknown file type '.json'; use .csv");
    refused({"--vcd", files / "run.FST"}, "unknown file type '.FST'; use .vcd, .vcd.gz, .fst");
    refused({"--vcd", files / "run.fst.gz"}, "unknown file type '.fst.gz'");
    refused({"--timeline", files / "run.json.GZ"}, "unknown file type '.GZ'; use .json");
    refused({"--series", files / "run.txt"}, "unknown file type '.txt'; use .csv, .json");
    refused({"--golden", "--functional"}, "--golden is for the timed machine");
}

TEST(inside, cycles_after_the_end_are_noted) {
    const temporary_directory files;
    const std::string file = files / "run.vcd";
    const auto run = [&](const char* cycles) {
        return heddle_command(
                   {"run", "saxpy", "--config", "tiny", "--vcd", file, "--trace-cycles", cycles})
            .output;
    };
    EXPECT_THAT(run("1000000:"),
                testing::HasSubstr("--trace-cycles: 1000000: begins after the end of the run"));
    EXPECT_THAT(run("1000:"), testing::Not(testing::HasSubstr("--trace-cycles")));
}

}  // namespace
}  // namespace heddle
