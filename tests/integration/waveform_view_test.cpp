// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// What the waveform of a run shows, and how GTKWave is told to show it.
#include <gmock/gmock.h>

#include <cstdlib>
#include <map>
#include <set>
#include <sstream>

#include "tests/integration/traced_run.h"

namespace heddle {
namespace {

using testing::HasSubstr;

words names_in(const std::string& waveform_file) {
    const vcd_reader waves(waveform_file);
    words names;
    for (const auto& [name, variable] : waves.variables()) names.push_back(name);
    return names;
}

TEST(waveform_view, default_scope_is_the_launch_path_and_one_smx) {
    const traced_run run;
    std::set<std::string> scopes;
    for (const std::string& name : names_in(run.waves)) {
        scopes.insert(name.substr(0, name.find('.', name.find('.') + 1)));
    }
    EXPECT_THAT(scopes, testing::ElementsAre("gpu.kernel_distributor", "gpu.kmu", "gpu.smx_0",
                                             "gpu.smx_scheduler"));
}

TEST(waveform_view, scopes_choose_what_the_waveform_shows) {
    const traced_run run({"--trace-scope", "gpu.l2_*", "--trace-scope", "gpu.smx_1.issue_*"});
    const words names = names_in(run.waves);
    EXPECT_THAT(names, testing::Contains("gpu.l2_0.requests"));
    EXPECT_THAT(names, testing::Contains("gpu.smx_1.issue_0.state"));
    EXPECT_THAT(names, testing::Each(testing::AnyOf(testing::StartsWith("gpu.l2_"),
                                                    testing::StartsWith("gpu.smx_1.issue_"))));
}

TEST(waveform_view, blocks_behind_pins_show_their_pins) {
    const words behind_pins{"--set", "dram.model=gddr",
                            "--set", "dram.row_mask=2147418112",
                            "--set", "slot.memory_controller=pins",
                            "--set", "slot.kernel_distributor=pins"};
    const traced_run launches(behind_pins);
    EXPECT_THAT(
        names_in(launches.waves),
        testing::AllOf(testing::Contains("gpu.kernel_distributor_pins.dispatch_valid"),
                       testing::Contains("gpu.kernel_distributor_pins.update_next_group"),
                       testing::Contains("gpu.kernel_distributor_pins.distributor.kde_0.valid"),
                       testing::Not(testing::Contains(testing::HasSubstr("memory_controller")))));
    words of_memory = behind_pins;
    of_memory.insert(of_memory.end(), {"--trace-scope", "gpu.memory_controller_1_pins",
                                       "--trace-scope", "gpu.l2_0"});  // for the timeline
    const traced_run memory(of_memory);
    const vcd_reader waves(memory.waves);
    words pins;
    for (const std::string& name : names_in(memory.waves)) {
        if (name.rfind("gpu.memory_controller_1_pins.", 0) == 0) pins.push_back(name);
    }
    EXPECT_EQ(pins.size(), 2U + 2 + 5 + 2 + 3) << "clock and reset, two channels, their payloads";
    EXPECT_EQ(waves["gpu.memory_controller_1_pins.request_mask"].width, 128U);
    EXPECT_GT(waves["gpu.memory_controller_1_pins.response_data"].values.size(), 10U);
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
        // An alias in front: +{issue_0 state} gpu.smx_0.issue_0.state[3:0]
        if (line.rfind("+{", 0) == 0) line = line.substr(line.find("} ") + 2);
        if (line.rfind("gpu.", 0) == 0) signals.push_back(line.substr(0, line.find('[')));
    }
    EXPECT_THAT(open, testing::IsEmpty());
}

/// Width of the pane with names and values.
unsigned pane_of(const std::string& view) {
    const std::string key = "[signals_width] ";
    const std::size_t at = view.find(key);
    EXPECT_NE(at, std::string::npos);
    return at == std::string::npos
               ? 0
               : static_cast<unsigned>(std::stoul(view.substr(at + key.size())));
}

TEST(waveform_view, pane_is_as_wide_as_the_longest_name_with_a_value) {
    EXPECT_EQ(pane_of(contents_of(traced_run({"--trace-scope", "gpu.kmu"}).view)), 420U);
    const unsigned wide = pane_of(contents_of(traced_run({"--trace-scope", "gpu.smx_0"}).view));
    EXPECT_GT(wide, 420U) << "gpu.smx_0.warp_scheduler_... and names of instructions";
    EXPECT_LE(wide, 640U);
}

TEST(waveform_view, view_groups_every_variable_once) {
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

TEST(waveform_view, view_leaves_out_what_is_not_traced) {
    const traced_run run({"--trace-scope", "gpu.l2_0"});
    words signals;
    words groups;
    read_view(contents_of(run.view), signals, groups);
    EXPECT_THAT(groups, testing::ElementsAre("Memory"));
}

/// Of a GTKWave filter file: what is shown for which digits.
std::map<std::string, std::string> state_names(const std::string& file) {
    std::map<std::string, std::string> names;
    std::istringstream lines(contents_of(file));
    for (std::string line; std::getline(lines, line);) {
        if (line[0] == '#') continue;
        const std::size_t space = line.find(' ');
        const std::size_t color_end = line.rfind('?');
        EXPECT_TRUE(
            names
                .emplace(line.substr(0, space),
                         line.substr((color_end == std::string::npos ? space : color_end) + 1))
                .second)
            << line;
    }
    return names;
}

TEST(waveform_view, enumerations_are_shown_by_their_names) {
    const traced_run run;
    const vcd_reader waves(run.waves);
    const std::map<std::string, std::string> names = state_names(run.names);
    const auto shown_by = [&](const std::string& variable) {
        std::set<std::string> shown;
        const vcd_reader::variable& states = waves["gpu.smx_0." + variable];
        for (const auto& [time, bits] : states.values) {
            const std::string digits = std::string(states.width - bits.size(), '0') + bits;
            EXPECT_EQ(names.count(digits), 1U) << variable << " has no name for " << digits;
            shown.insert(names.count(digits) != 0 ? names.at(digits) : "");
        }
        return shown;
    };
    EXPECT_THAT(shown_by("issue_0.state"), testing::IsSupersetOf({"issued", "no_warp", "memory"}));
    EXPECT_THAT(shown_by("issue_0.instruction"),
                testing::IsSupersetOf({"-", "lw", "sw", "fmadd.s", "exit"}));
    EXPECT_THAT(shown_by("lsu.state"), testing::IsSupersetOf({"idle", "working"}));
    // Each of them is shown through the names.
    std::istringstream view(contents_of(run.view));
    std::string before, filter;
    for (std::string line; std::getline(view, line); before = filter, filter = line) {
        if (line.find(".state[") == std::string::npos &&
            line.find(".instruction[") == std::string::npos) {
            continue;
        }
        EXPECT_EQ(filter, "^1 run.vcd.names") << line;
    }
}

TEST(waveform_view, every_state_has_a_color) {
    const traced_run run({"--trace-scope", "*", "--set", "dram.model=gddr", "--set", "l2.banks=4"});
    std::istringstream lines(contents_of(run.names));
    unsigned states = 0;
    for (std::string line; std::getline(lines, line);) {
        if (line[0] == '#') continue;
        ++states;
        EXPECT_THAT(line, HasSubstr(" ?"));
    }
    EXPECT_GT(states, 100U);
}

TEST(waveform_view, kernels_and_policies_are_shown_by_their_names) {
    const traced_run run({"--set", "smx.scheduler=lrr"});
    const vcd_reader waves(run.waves);
    const auto shown_by = [&](const char* name) {
        std::vector<std::string> shown;
        for (const auto& [time, text] : waves[name].values) shown.push_back(text);
        return shown;
    };
    using testing::ElementsAre;
    EXPECT_THAT(shown_by("gpu.kmu.hwq_0.kernel"), ElementsAre("-", "saxpy", "-"));
    EXPECT_THAT(shown_by("gpu.kernel_distributor.kde_0.kernel"), ElementsAre("-", "saxpy", "-"));
    EXPECT_THAT(shown_by("gpu.smx_0.tbcr_0.kernel"), testing::Contains("saxpy"));
    EXPECT_THAT(shown_by("gpu.smx_0.warp_scheduler_0.policy"), ElementsAre("lrr"));
}

/// The waveform's instructions are those that were counted.
TEST(waveform_view, every_issue_is_in_the_waveform) {
    const traced_run run({"--set", "gpu.smx_count=1"});
    const vcd_reader waves(run.waves);
    const json statistics = json::parse(contents_of(run.statistics)).at("statistics");
    for (const char* scheduler : {"0", "1"}) {
        const std::string scope = std::string("gpu.smx_0.issue_") + scheduler;
        std::set<std::uint64_t> changes;  // of warp, PC or instruction: there is an issue
        for (const char* name : {".warp", ".pc"}) {
            for (const auto& [time, bits] : waves[scope + name].values) changes.insert(time);
        }
        const auto issues =
            statistics.at(std::string("smx.0.warp_scheduler_") + scheduler + ".issues")
                .at("value")
                .get<std::uint64_t>();
        EXPECT_EQ(changes.size() - 1, issues) << "besides the first values";
    }
}

TEST(waveform_view, cycles_choose_what_the_waveform_shows) {
    const traced_run all;
    const traced_run some({"--trace-cycles", "100:150"});
    const vcd_reader whole(all.waves);
    const vcd_reader part(some.waves);
    const auto time_of_cycle = [](std::uint64_t cycle) { return cycle * 1'000'000 / 706; };
    EXPECT_EQ(part.end_time(), time_of_cycle(151) - 1);
    std::size_t changes = 0;
    for (const auto& [name, variable] : whole.variables()) {
        vcd_reader::changes expected{{time_of_cycle(100), ""}};
        for (const auto& [time, value] : variable.values) {
            if (time < time_of_cycle(100)) expected[0].second = value;
            if (time >= time_of_cycle(100) && time < time_of_cycle(151)) {
                expected.emplace_back(time, value);
            }
        }
        EXPECT_EQ(part[name].values, expected) << name;
        changes += expected.size() - 1;
    }
    EXPECT_GT(changes, 100U);
}

/// Schedulers that have turns, which an SMX without a waveform sleeps over: the states of the
/// waveform last as long as the statistics of such an SMX say.
TEST(waveform_view, states_of_schedulers_last_as_long_as_the_statistics_say) {
    const temporary_directory files;
    const std::string vcd = files / "run.vcd", statistics = files / "run.json";
    const words arguments{"run",      "bfs",     "--config",
                          "iris6100", "--input", "kronecker:scale=6,degree=8",
                          "--stats",  statistics};
    ASSERT_EQ(heddle_command(arguments).code, 0);
    words traced = arguments;
    traced.insert(traced.end(), {"--vcd", vcd});
    ASSERT_EQ(heddle_command(traced).code, 0);
    const vcd_reader waves(vcd);
    std::map<unsigned long, std::uint64_t> cycles;  // by state; a cycle takes 1 ns
    for (const char* const scheduler : {"issue_0", "issue_1"}) {
        const auto& changes = waves["gpu.smx_0." + std::string(scheduler) + ".state"].values;
        for (std::size_t i = 0; i + 1 < changes.size(); ++i) {
            cycles[std::stoul(changes[i].second, nullptr, 2)] +=
                (changes[i + 1].first - changes[i].first) / 1000;
        }
    }
    const json counted = json::parse(contents_of(statistics)).at("statistics");
    const std::pair<unsigned long, const char*> states[] = {
        {0, "issued"}, {1, "integer_busy"}, {14, "memory"}, {17, "dependency"}, {18, "fetch"}};
    for (const auto& [state, name] : states) {
        const std::string statistic = "smx.0.issue_slots." + std::string(name);
        EXPECT_GT(cycles[state], 100U) << name;
        EXPECT_EQ(cycles[state], counted.at(statistic).at("value")) << name;
    }
}

TEST(waveform_view, a_name_says_that_the_waveform_is_fst) {
    if (std::system("command -v vcd2fst > /dev/null") != 0) GTEST_SKIP() << "vcd2fst is missing";
    const traced_run run({"--trace-scope", "*"});
    const std::string converted = run.files / "converted.fst";
    EXPECT_EQ(std::system(("vcd2fst '" + run.waves + "' '" + converted + "'").c_str()), 0);
    for (const words& options : {words{}, words{"--no-sleep"}}) {
        const std::string fst = run.files / "run.fst";
        words arguments{"run",      "saxpy",     "--config", "tiny", "--option",      "n=2048",
                        "--option", "block=256", "--vcd",    fst,    "--trace-scope", "*"};
        arguments.insert(arguments.end(), options.begin(), options.end());
        EXPECT_EQ(heddle_command(arguments).code, 0);
        EXPECT_TRUE(contents_of(fst) == contents_of(converted));
        EXPECT_THAT(contents_of(fst + ".gtkw"), HasSubstr("[dumpfile] \"run.fst\"\n"));
        EXPECT_TRUE(contents_of(fst + ".names") == contents_of(run.names));
    }
}

}  // namespace
}  // namespace heddle
