// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// What the microbenchmarks measure, beside what the configuration says.
#include <map>

#include "models/workloads/registry.h"
#include "tests/hw/base/child_process.h"
#include "tests/hw/top/machine_fixture.h"

namespace heddle {
namespace {

using option_values = std::map<std::string, std::string>;
using figures = std::map<std::string, double>;

/// The numbers of a run's summary, and statistics by name.
figures measure(const char* workload, const std::string& name, const settings& changes,
                const option_values& options, const std::vector<std::string>& counted = {}) {
    const process_result result = run_in_child([&](std::string& output) {
        timed_machine machine(configuration_of(name, changes));
        workloads::workload_options wanted;
        wanted.values = options;
        workloads::workload_report report;
        machine.run_well([&](device& gpu) {
            report = workloads::run_workload(workloads::find_workload(workload), gpu, wanted);
        });
        if (!report.correct()) return 1;
        for (const workloads::report_row& row : report.rows()) {
            output += row.name + '=' + row.text() + '\n';
        }
        for (const std::string& statistic : counted) {
            output += statistic + '=' + std::to_string(machine.count(statistic)) + '\n';
        }
        return 0;
    });
    EXPECT_EQ(result.exit_code, 0) << result.output;
    figures all;
    std::istringstream lines(result.output);
    for (std::string line; std::getline(lines, line);) {
        const auto sign = line.find('=');
        all[line.substr(0, sign)] = std::stod(line.substr(sign + 1));
    }
    return all;
}

/// Each unit becomes the only one of its class, with a latency and an interval of its own.
const std::map<std::string, std::pair<unsigned, unsigned>> odd_units{
    {"add", {5, 1}},        {"multiply", {17, 2}},
    {"divide", {41, 9}},    {"divide unsigned", {41, 9}},
    {"float add", {11, 1}}, {"fma", {11, 1}},
    {"special", {23, 4}},   {"float divide", {37, 8}}};

TEST(microbenchmark, throughput_finds_the_units) {
    settings changes{"l1i.size=8192"};
    for (const auto& [unit, label] :
         {std::pair{"integer", "add"}, std::pair{"multiply", "multiply"},
          std::pair{"divide", "divide"}, std::pair{"floating", "float add"},
          std::pair{"special", "special"}, std::pair{"floating_divide", "float divide"}}) {
        const std::string key = std::string("smx.units.") + unit;
        const auto& [latency, interval] = odd_units.at(label);
        changes.push_back(key + ".count=1");
        changes.push_back(key + ".latency=" + std::to_string(latency));
        changes.push_back(key + ".initiation_interval=" + std::to_string(interval));
    }
    const figures found = measure("throughput", "tiny", changes, {{"rounds", "8"}});
    const double before_units = found.at("add latency") - odd_units.at("add").first;
    for (const auto& [label, unit] : odd_units) {
        const auto& [latency, interval] = unit;
        EXPECT_NEAR(found.at(label + " latency"), before_units + latency, 0.1) << label;
        EXPECT_NEAR(found.at(label + " lanes"), 32.0 / interval, 32.0 / interval * 0.06) << label;
    }
    EXPECT_NEAR(found.at("multiply add latency"),
                found.at("multiply latency") + found.at("add latency"), 0.1);
}

TEST(microbenchmark, throughput_of_shared_memory_falls_with_each_way) {
    const figures found =
        measure("throughput", "gk110", {}, {{"variant", "shared"}, {"rounds", "8"}});
    for (const char* kind : {"read", "write", "atomics"}) {
        double before = 32;
        for (const char* ways : {" 1 way", " 2 ways", " 4 ways", " 8 ways"}) {
            const double now = found.at(kind + std::string(ways));
            EXPECT_LT(now, before) << kind << ways;
            before = now * 0.75;  // twice the ways take almost twice the time
        }
    }
}

TEST(microbenchmark, bandwidth_counts_the_bytes_that_reach_memory) {
    constexpr std::uint64_t size = 262'144;  // many times tiny's L2
    for (const auto& [variant, arrays] : {std::pair{"read", 1U}, std::pair{"write", 1U},
                                          std::pair{"copy", 2U}, std::pair{"triad", 3U}}) {
        const figures found =
            measure("bandwidth", "tiny", {},
                    {{"variant", variant}, {"size", std::to_string(size)}, {"warm", "false"}},
                    {"dram.bytes_read", "dram.bytes_written"});
        const double bytes = found.at("bytes");
        EXPECT_EQ(bytes, arrays * size) << variant;
        EXPECT_NEAR(found.at("bandwidth"), bytes / found.at("clocks"), 0.01) << variant;
        // Beside the arrays: code, parameters, sums, clocks and a stack of triad; and what L2 still
        // holds.
        const double moved = found.at("dram.bytes_read") + found.at("dram.bytes_written");
        EXPECT_NEAR(moved, bytes, 0.2 * bytes) << variant;
    }
}

TEST(microbenchmark, a_window_in_l2_is_read_from_there) {
    const figures found = measure(
        "bandwidth", "gk110", {},
        {{"variant", "read_past_l1"}, {"size", "65536"}, {"batches", "1"}, {"rounds", "16"}},
        {"dram.bytes_read"});
    EXPECT_EQ(found.at("bytes"), 16 * 65536);
    EXPECT_LT(found.at("dram.bytes_read"), 2 * 65536);
}

TEST(microbenchmark, launches_in_a_row_overlap_and_blocks_leave_one_by_one) {
    const figures few = measure("launch", "gk110", {}, {{"blocks", "2000"}});
    EXPECT_LT(few.at("host to first instruction"), few.at("launch alone"));
    EXPECT_LT(few.at("launch in a row"), few.at("launch alone"));
    EXPECT_GT(few.at("dispatch"), 0.5);
    EXPECT_LT(few.at("dispatch"), 13);
}

}  // namespace
}  // namespace heddle
