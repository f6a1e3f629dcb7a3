// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// What a run shows of its inside: waveform, GTKWave view, timeline.
#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "tests/hw/base/vcd_reader.h"
#include "tests/integration/heddle_process.h"

namespace heddle {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using words = std::vector<std::string>;

constexpr unsigned block_count = 8;

/// A small run with everything switched on.
struct traced_run {
    temporary_directory files;
    std::string waves = files / "run.vcd";
    std::string view = waves + ".gtkw";
    std::string timeline = files / "timeline.json";
    std::string statistics = files / "statistics.json";

    explicit traced_run(const words& more = {}) {
        words arguments{
            "run", "saxpy",   "--config", "tiny",     "--option",  "n=2048",         "--vcd",
            waves, "--stats", statistics, "--option", "block=256", "--transactions", timeline};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const command_result result = heddle_command(arguments);
        EXPECT_EQ(result.code, 0) << result.errors;
        EXPECT_EQ(files.file_count(), 4U) << "temporary files are left";
    }
    [[nodiscard]] json events() const {
        return json::parse(contents_of(timeline)).at("traceEvents");
    }
};

words names_in(const std::string& waveform_file) {
    const vcd_reader waves(waveform_file);
    words names;
    for (const auto& [name, variable] : waves.variables()) names.push_back(name);
    return names;
}

/// Times (ps) at which a variable shows `value` anew.
std::vector<std::uint64_t> times_of(const vcd_reader& waves, const std::string& name,
                                    std::uint64_t value) {
    std::vector<std::uint64_t> times;
    for (const auto& [time, bits] : waves[name].values) {
        if (std::stoull(bits, nullptr, 2) == value) times.push_back(time);
    }
    return times;
}

std::uint64_t begin_ps(const json& slice) {
    return static_cast<std::uint64_t>(std::llround(slice.at("ts").get<double>() * 1e6));
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

    const vcd_reader waves(run.waves);
    unsigned seen_on_smx = 0;
    for (const auto& [block, time] : in_timeline) {
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
        EXPECT_TRUE(contents_of(first.timeline) == contents_of(second.timeline));
    }
}

TEST(inside, default_scope_is_the_launch_path_and_one_smx) {
    const traced_run run;
    std::set<std::string> scopes;
    for (const std::string& name : names_in(run.waves)) {
        scopes.insert(name.substr(0, name.find('.', name.find('.') + 1)));
    }
    EXPECT_THAT(scopes, testing::ElementsAre("gpu.kernel_distributor", "gpu.kmu", "gpu.smx_0",
                                             "gpu.smx_scheduler"));
}

TEST(inside, scopes_choose_what_the_waveform_shows) {
    const traced_run run({"--trace-scope", "gpu.l2_*", "--trace-scope", "gpu.smx_1.issue_*"});
    const words names = names_in(run.waves);
    EXPECT_THAT(names, testing::Contains("gpu.l2_0.requests"));
    EXPECT_THAT(names, testing::Contains("gpu.smx_1.issue_0"));
    EXPECT_THAT(names, testing::Each(testing::AnyOf(testing::StartsWith("gpu.l2_"),
                                                    testing::StartsWith("gpu.smx_1.issue_"))));
}

/// The lines of a save file that name a variable, and its groups in order.
void read_view(const std::string& text, words& signals, words& groups) {
    std::istringstream lines(text);
    words open;
    std::string flags;
    for (std::string line; std::getline(lines, line);) {
        if (line[0] == '@') flags = line;
        if (line[0] == '-') {
            if (flags == "@800200" || flags == "@c00200") {
                if (open.empty()) groups.push_back(line.substr(1));
                open.push_back(line);
            } else {
                ASSERT_FALSE(open.empty()) << line;
                EXPECT_EQ(open.back(), line) << "closes another group";
                open.pop_back();
            }
        }
        if (line.rfind("gpu.", 0) == 0) signals.push_back(line.substr(0, line.find('[')));
    }
    EXPECT_THAT(open, testing::IsEmpty());
}

TEST(inside, view_groups_every_variable_once) {
    const traced_run run({"--trace-scope", "*"});
    words signals;
    words groups;
    read_view(contents_of(run.view), signals, groups);
    EXPECT_THAT(groups, testing::ElementsAre("Launch path", "SMX", "Memory"));
    EXPECT_THAT(contents_of(run.view), HasSubstr("[dumpfile] \"run.vcd\"\n"));
    // Without it GTKWave looks for the waveform where it was started.
    EXPECT_THAT(contents_of(run.view), HasSubstr("[savefile] \"run.vcd.gtkw\"\n"));
    const words names = names_in(run.waves);
    EXPECT_THAT(signals, testing::UnorderedElementsAreArray(names));
}

TEST(inside, view_leaves_out_what_is_not_traced) {
    const traced_run run({"--trace-scope", "gpu.memory"});
    words signals;
    words groups;
    read_view(contents_of(run.view), signals, groups);
    EXPECT_THAT(groups, testing::ElementsAre("Memory"));
}

TEST(inside, enumerations_are_shown_by_their_names) {
    const traced_run run;
    std::set<std::string> shown;
    const vcd_reader waves(run.waves);
    EXPECT_EQ(waves["gpu.smx_0.issue_0"].type, "string");
    for (const auto& [time, name] : waves["gpu.smx_0.issue_0"].values) shown.insert(name);
    EXPECT_THAT(shown, testing::IsSupersetOf({"issued", "no_warp", "memory"}));
}

TEST(inside, flows_lead_from_the_launch_to_blocks_to_memory) {
    const traced_run run;
    std::map<std::string, std::string> starts;  // flow, category of its start
    std::map<std::string, std::vector<std::string>> ends;
    unsigned launches = 0;
    for (const json& event : run.events()) {
        const std::string category = event.value("cat", "");
        if (category == "launch" && event.at("name") == "saxpy") ++launches;
        if (!event.contains("bind_id")) continue;
        const std::string flow = event.at("bind_id");
        if (event.value("flow_out", false)) {
            EXPECT_TRUE(starts.emplace(flow, category).second);
        }
        if (event.value("flow_in", false)) ends[flow].push_back(category);
    }
    EXPECT_EQ(launches, 1U);
    EXPECT_EQ(starts.size(), 1U + block_count);
    for (const auto& [flow, categories] : ends) {
        ASSERT_EQ(starts.count(flow), 1U) << flow;
        const bool of_launch = starts.at(flow) == "launch";
        EXPECT_EQ(std::count(categories.begin(), categories.end(), "block_dispatch"),
                  of_launch ? block_count : 0);
        EXPECT_EQ(std::count(categories.begin(), categories.end(), "memory_access") != 0,
                  !of_launch);
    }
}

TEST(inside, tracks_have_names_of_their_own) {
    const traced_run run;
    std::set<std::string> tracks;
    for (const json& event : run.events()) {
        if (event.at("name") != "process_name") continue;
        EXPECT_TRUE(tracks.insert(event.at("args").at("name")).second);
    }
    EXPECT_THAT(tracks, testing::IsSupersetOf({"gpu.host_launch", "gpu.block_0", "gpu.l2_memory_1",
                                               "gpu.smx_0.warp_link_0"}));
}

TEST(inside, gtkwave_reads_the_waveform) {
    if (std::system("command -v vcd2fst > /dev/null") != 0) GTEST_SKIP() << "vcd2fst is missing";
    const traced_run run({"--trace-scope", "*"});
    const std::string converted = run.files / "run.fst";
    EXPECT_EQ(std::system(("vcd2fst '" + run.waves + "' '" + converted + "'").c_str()), 0);
    EXPECT_FALSE(contents_of(converted).empty());
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
                        "--transactions", timeline});
    EXPECT_EQ(result.code, 4) << result.errors;
    expect_complete(waves, timeline);
    EXPECT_EQ(files.file_count(), 3U);
}

TEST(inside, files_are_complete_after_ctrl_c) {
    const temporary_directory files;
    const std::string waves = files / "run.vcd";
    const std::string timeline = files / "timeline.json";
    heddle_process run({"run", built_program("iss_control"), "--kernel", "busy", "--arg",
                        "counter:u32[1]", "--arg", "4294967295", "--config", "tiny", "--vcd", waves,
                        "--transactions", timeline});
    ASSERT_TRUE(run.wait_until_interruptible());
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    run.interrupt();
    EXPECT_EQ(run.wait().code, 130);
    expect_complete(waves, timeline);
    EXPECT_EQ(files.file_count(), 3U);
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
    refused({"--transactions", file, "--functional"}, "--transactions is for the timed machine");
    refused({"--trace-scope", "*", "--functional"}, "--trace-scope is for the timed machine");
    refused({"--trace-scope", "*"}, "--vcd FILE");
    refused({"--vcd", files / "none/run.vcd"}, "none/run.vcd");
    refused({"--transactions", files / "none/run.json"}, "none/run.json");
    refused({"--vcd", file, "--transactions", file}, "both write");
    refused({"--vcd", file, "--stats", file + ".gtkw"}, "both write");
    refused({"--vcd", file, "--trace-scope", "gpu.kmu", "--trace-scope", "gpu.smx_7"},
            "gpu.smx_7: no variable");
}

}  // namespace
}  // namespace heddle
