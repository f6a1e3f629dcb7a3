// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// A series adds up to the statistics of its run, changes nothing, and does not depend on sleep.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "hw/top/gpu_statistics.h"
#include "hw/top/interval_recorder.h"
#include "hw/top/simulation.h"
#include "models/base/series_file.h"
#include "models/workloads/registry.h"
#include "tests/base/temporary_directory.h"
#include "tests/hw/base/child_process.h"
#include "tests/hw/top/machine_fixture.h"

namespace heddle {
namespace {

using nlohmann::json;

struct job {
    std::string configuration;
    settings changes{};
    std::uint64_t interval = 0;  ///< 0: no series
    bool no_sleep = false;
    std::uint64_t max_cycles = 0;
};

/// A series and the statistics of its run.
struct outcome {
    json series;
    json statistics;
    std::string bytes;  ///< of the series' file
};

outcome run(const job& what) {
    const temporary_directory files;
    const std::string file = files / "series.json";
    const process_result result = run_in_child([&](std::string& output) {
        const gpu_configuration configuration = configuration_of(what.configuration, what.changes);
        std::optional<series_file> series;
        gpu_options options;
        if (what.interval != 0) options.series = &series.emplace(file);
        options.interval = what.interval;
        options.no_sleep = what.no_sleep;
        simulation machine(configuration, options);
        workloads::workload_options graph;
        graph.input = "kronecker:scale=8,degree=8";
        (void)machine.run(
            [&](device& gpu) {
                workloads::run_workload(workloads::find_workload("bfs"), gpu, graph);
            },
            {what.max_cycles});
        if (series) series->commit();
        statistics values;
        collect_gpu(machine, configuration, values);
        output = to_json(values, {});
        return 0;
    });
    EXPECT_EQ(result.exit_code, 0) << result.output;
    outcome all;
    all.statistics = json::parse(result.output).at("statistics");
    if (what.interval == 0) return all;
    all.bytes = contents_of(file);
    all.series = json::parse(all.bytes);
    return all;
}

std::size_t column(const json& series, const std::string& name) {
    const json& columns = series.at("columns");
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (columns[i].at("name") == name) return i;
    }
    ADD_FAILURE() << "no column " << name;
    return 0;
}

/// Statistics that are counts, so that intervals add up to the run.
bool is_count(const json& entry) {
    return entry.at("value").is_number_unsigned();
}

void expect_sums(const outcome& all, std::uint64_t interval) {
    const json& rows = all.series.at("rows");
    ASSERT_FALSE(rows.empty());
    std::uint64_t start = 0;
    for (const json& row : rows) {
        EXPECT_EQ(row[0], start);
        start = row[1];
        if (&row == &rows.back()) break;
        EXPECT_EQ(start, row[0].get<std::uint64_t>() + interval);
    }
    EXPECT_LE(start - rows.back()[0].get<std::uint64_t>(), interval);
    unsigned counts = 0;
    for (const auto& [name, entry] : all.statistics.items()) {
        if (name.rfind("gpu.", 0) != 0 || !is_count(entry)) continue;
        const std::size_t at = column(all.series, name);
        std::uint64_t sum = 0;
        for (const json& row : rows) sum += row[at].get<std::uint64_t>();
        EXPECT_EQ(sum, entry.at("value")) << name;
        EXPECT_EQ(all.series.at("columns")[at].at("unit"), entry.at("unit"));
        EXPECT_EQ(all.series.at("columns")[at].at("description"), entry.at("description"));
        ++counts;
    }
    EXPECT_GE(counts, 30U);
}

class intervals : public testing::TestWithParam<const char*> {};

TEST_P(intervals, add_up_to_the_run_and_do_not_depend_on_sleep) {
    const outcome plain = run({GetParam(), {}});
    for (const std::uint64_t interval : {7, 100, 1000, 100'000'000}) {
        const outcome asleep = run({GetParam(), {}, interval});
        EXPECT_EQ(asleep.statistics, plain.statistics);
        expect_sums(asleep, interval);
        EXPECT_TRUE(asleep.bytes == run({GetParam(), {}, interval, true}).bytes) << interval;
    }
}

INSTANTIATE_TEST_SUITE_P(configurations, intervals, testing::Values("tiny", "gk110", "si"),
                         [](const auto& info) { return std::string(info.param); });

TEST(interval, shows_idle_intervals_too) {
    // Memory is so slow that all parts sleep for intervals on end.
    const settings slow{"dram.fixed.latency=4000"};
    const outcome all = run({"tiny", slow, 50});
    expect_sums(all, 50);
    const std::size_t issued = column(all.series, "gpu.issue_slots.issued");
    const std::size_t memory = column(all.series, "gpu.issue_slots.memory");
    const std::size_t ipc = column(all.series, "gpu.ipc");
    const std::size_t l1d = column(all.series, "gpu.l1d_miss_rate");
    unsigned idle = 0;
    for (const json& row : all.series.at("rows")) {
        if (row[issued] != 0 || row[memory] == 0) continue;
        ++idle;
        EXPECT_EQ(row[ipc], 0);
        EXPECT_TRUE(row[l1d].is_null() || row[l1d].is_number());
    }
    EXPECT_GE(idle, 100U);
    EXPECT_TRUE(all.bytes == run({"tiny", slow, 50, true}).bytes);
}

TEST(interval, covers_a_run_that_breaks_off) {
    for (const std::uint64_t cycles : {99, 100, 101, 5000}) {
        const outcome all = run({"tiny", {}, 100, false, cycles});
        expect_sums(all, 100);
        EXPECT_TRUE(all.bytes == run({"tiny", {}, 100, true, cycles}).bytes);
    }
}

}  // namespace
}  // namespace heddle
