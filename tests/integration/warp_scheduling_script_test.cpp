// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// scripts/warp_scheduling: what it prints is what runs of the same configuration measure.
#include <gmock/gmock.h>

#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tb/kit/paths.h"
#include "tests/integration/heddle_process.h"

namespace heddle {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using words = std::vector<std::string>;

command_result warp_scheduling(words arguments) {
    arguments.insert(arguments.begin(), {"--heddle", build_path("heddle"), "--size", "tiny"});
    return script("warp_scheduling", arguments);
}

/// The cells of the table under the line `title`, by the first one of each line.
std::map<std::string, words> table(const std::string& output, const std::string& title) {
    std::map<std::string, words> rows;
    std::istringstream lines(output.substr(output.find("\n" + title + "\n") + title.size() + 2));
    for (std::string line; std::getline(lines, line) && !line.empty();) {
        std::istringstream cells(line);
        std::string name;
        cells >> name;
        for (std::string cell; cells >> cell;) rows[name].push_back(cell);
    }
    return rows;
}

/// Statistics of a run of tiny atax or stencil, on two SMXs.
std::map<std::string, double> direct_run(const std::string& workload, const std::string& policy,
                                         const std::string& setting = "gpu.smx_count=2") {
    const temporary_directory files;
    words arguments{"run",      workload,
                    "--config", "gf100",
                    "--set",    "smx.scheduler=" + policy,
                    "--set",    setting,
                    "--stats",  files / "stats.json"};
    const words options =
        workload == "atax" ? words{"rows=64", "columns=48"} : words{"nx=40", "ny=8", "nz=4"};
    for (const std::string& option : options) {
        arguments.insert(arguments.end(), {"--option", option});
    }
    EXPECT_EQ(heddle_command(arguments).code, 0);
    std::map<std::string, double> values;
    const auto written = nlohmann::json::parse(contents_of(files / "stats.json"));
    for (const char* name : {"gpu.ipc", "gpu.l1d_miss_rate", "gpu.stall_cycles",
                             "gpu.reservation_fails", "gpu.warps_in_flight"}) {
        values[name] = written.at("statistics").at(name).at("value").get<double>();
    }
    return values;
}

std::string shown(int decimals, double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.*f", decimals, value);
    return text;
}

TEST(warp_scheduling_script, prints_what_runs_measure) {
    const command_result result = warp_scheduling(
        {"--benchmarks", "ATAX,STC", "--policies", "mto,lrr", "--set", "gpu.smx_count=2"});
    ASSERT_EQ(result.code, 0) << result.errors;
    EXPECT_THAT(result.output, HasSubstr("gf100, tiny inputs, seed 1, gpu.smx_count=2\n"));
    // gto is there though nobody asked: IPC is over its one.
    const words policies{"gto", "mto", "lrr"};
    std::map<std::string, std::map<std::string, std::map<std::string, double>>> runs;
    for (const std::string& policy : policies) {
        runs["ATAX"][policy] = direct_run("atax", policy);
        runs["STC"][policy] = direct_run("stencil", policy);
    }
    const auto expect_rows = [&](const std::string& title, const std::string& field, int decimals,
                                 const std::string& base) {
        const auto rows = table(result.output, title);
        std::map<std::string, double> sums;
        for (auto& [benchmark, of] : runs) {
            words cells;
            for (const std::string& policy : policies) {
                const double value = of[policy][field] / (base.empty() ? 1 : of[base][field]);
                cells.push_back(shown(decimals, value));
                sums[policy] += value;
            }
            EXPECT_EQ(rows.at(benchmark), cells) << title;
        }
        if (base.empty()) return;
        words means;
        for (const std::string& policy : policies)
            means.push_back(shown(decimals, sums[policy] / 2));
        EXPECT_EQ(rows.at("mean"), means) << title;
    };
    expect_rows("Fig. 2: warps in flight, mean", "gpu.warps_in_flight", 2, "");
    expect_rows("Fig. 5: L1D miss rate", "gpu.l1d_miss_rate", 3, "");
    expect_rows("Fig. 6: reservation fails over lrr", "gpu.reservation_fails", 2, "lrr");
    expect_rows("Fig. 7: stall cycles over lrr", "gpu.stall_cycles", 2, "lrr");
    expect_rows("Fig. 8: IPC over gto", "gpu.ipc", 3, "gto");
    EXPECT_THAT(result.output, HasSubstr("order by mean IPC: "));
    EXPECT_THAT(result.output, Not(HasSubstr("motrr")));
}

TEST(warp_scheduling_script, sweeps_a_key_and_draws_it) {
    const temporary_directory files;
    const command_result result =
        warp_scheduling({"--benchmarks", "ATAX", "--policies", "lrr,gto", "--sweep",
                         "l1d.mshrs=8,32", "--plot", files / "mshrs.svg"});
    ASSERT_EQ(result.code, 0) << result.errors;
    const auto rows = table(result.output, "geometric mean of the IPC over lrr, by l1d.mshrs");
    EXPECT_THAT(rows.at("l1d.mshrs"), ElementsAre("lrr", "gto"));
    for (const char* mshrs : {"8", "32"}) {
        const std::string setting = std::string("l1d.mshrs=") + mshrs;
        const double ratio = direct_run("atax", "gto", setting)["gpu.ipc"] /
                             direct_run("atax", "lrr", setting)["gpu.ipc"];
        EXPECT_THAT(rows.at(mshrs), ElementsAre("1.000", shown(3, ratio)));
    }
    const std::string picture = contents_of(files / "mshrs.svg");
    EXPECT_THAT(picture, HasSubstr("<svg "));
    EXPECT_THAT(picture, HasSubstr(">l1d.mshrs</text>"));
    EXPECT_THAT(picture, HasSubstr("</svg>\n"));
}

TEST(warp_scheduling_script, draws_warps_in_flight_over_time) {
    const temporary_directory files;
    const command_result result =
        warp_scheduling({"--benchmarks", "ATAX,PF", "--policies", "lrr,gto", "--plot-series",
                         files / "flight.svg"});
    ASSERT_EQ(result.code, 0) << result.errors;
    const std::string picture = contents_of(files / "flight.svg");
    for (const char* text : {">ATAX<", ">PF<", ">lrr<", ">gto<", "core cycle"}) {
        EXPECT_THAT(picture, HasSubstr(text));
    }
    std::size_t curves = 0;
    for (std::size_t at = 0; (at = picture.find("<polyline", at)) != std::string::npos; ++at) {
        ++curves;
    }
    EXPECT_EQ(curves, 4U);
}

TEST(warp_scheduling_script, refuses_wrong_arguments) {
    const std::vector<std::pair<words, std::string>> wrong{
        {{"--benchmarks", "ATAX,NN"}, "no benchmark 'NN' (there are: LPS, STC, ATAX,"},
        {{"--policies", "fifo"}, "no policy 'fifo' (there are: lrr, gto, mto,"},
        {{"--size", "huge"}, "invalid choice: 'huge'"},
        {{"--sweep", "l1d.mshrs"}, "--sweep l1d.mshrs: expected KEY=V1,V2,..."},
        {{"--plot", "a.svg"}, "--plot is a picture of a sweep"},
        {{"--plot-series", "a.svg", "--sweep", "l1d.mshrs=8"}, "--plot-series is of one machine"},
        {{"--heddle", "/nowhere/heddle"}, "/nowhere/heddle: no such program"},
        {{"--set", "l1d.mshr=8"}, "heddle: --set l1d.mshr=8: unknown key"}};
    for (const auto& [arguments, message] : wrong) {
        const command_result result = warp_scheduling(arguments);
        EXPECT_EQ(result.code, 2) << message;
        EXPECT_THAT(result.errors, HasSubstr(message));
        EXPECT_THAT(result.errors, Not(HasSubstr("Traceback")));
        EXPECT_EQ(result.output.find('\n'), result.output.rfind('\n')) << result.output;
    }
}

}  // namespace
}  // namespace heddle
