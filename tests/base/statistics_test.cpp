// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/base/statistics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <utility>

#include "models/base/error.h"
#include "models/base/output_file.h"
#include "models/base/random.h"
#include "tests/base/sample_configuration.h"
#include "tests/base/temporary_directory.h"

namespace heddle {
namespace {

constexpr statistic_declaration sample_statistics[] = {
    {"cycles", "cycle", "Core cycles"},
    {"ipc", "instruction/cycle", "Thread instructions per cycle, \"mean\""},
    {"wait", "cycle", "Time in the queue"},
    {"unused", "", "Never set"},
};

statistics sample_values() {
    statistics values;
    values.declare("gpu", sample_statistics);
    values.set("gpu.cycles", 1234U);
    values.set("gpu.ipc", 0.1);
    histogram wait = histogram::linear(10, 4);
    wait.add(3);
    wait.add(25, 2);
    values.set("gpu.wait", wait);
    return values;
}

TEST(statistics, keep_the_order_of_declaration_and_start_unset) {
    statistics values;
    values.declare("smx.0", sample_statistics);
    values.declare("smx.1", sample_statistics);
    ASSERT_EQ(values.entries().size(), 8U);
    EXPECT_EQ(values.entries()[0].name, "smx.0.cycles");
    EXPECT_EQ(values.entries()[5].name, "smx.1.ipc");
    EXPECT_TRUE(std::holds_alternative<std::monostate>(values.entries()[5].value));
    EXPECT_EQ(values.find("smx.1.ipc")->unit, "instruction/cycle");
    EXPECT_EQ(values.find("smx.2.ipc"), nullptr);
}

TEST(statistics, take_counts_and_real_numbers) {
    statistics values = sample_values();
    values.set("gpu.cycles", 7);
    EXPECT_EQ(std::get<std::uint64_t>(values.find("gpu.cycles")->value), 7U);
    values.set("gpu.cycles", std::numeric_limits<std::uint64_t>::max());
    EXPECT_NE(to_csv(values).find("gpu.cycles,18446744073709551615,"), std::string::npos);
    EXPECT_NE(to_json(values, {}).find("{\"value\": 18446744073709551615,"), std::string::npos);
    values.set("gpu.cycles", 1.5F);
    EXPECT_EQ(std::get<double>(values.find("gpu.cycles")->value), 1.5);
}

TEST(statistics, reject_what_is_not_declared) {
    statistics values = sample_values();
    EXPECT_EQ(message_of<std::logic_error>([&] { values.set("gpu.cycle", 1); }),
              "statistic gpu.cycle: not declared");
    EXPECT_EQ(message_of<std::logic_error>([&] { values.set("gpu.cycles", -1); }),
              "statistic gpu.cycles: a count can't be negative");
    EXPECT_EQ(message_of<std::logic_error>([&] { values.declare("gpu", sample_statistics); }),
              "statistic gpu.cycles: declared twice");
}

TEST(statistics, json_holds_run_and_statistics) {
    sample_configuration config;
    const parameter_list parameters(config);
    const run_description run{{{"version", std::string("0.1.0")}, {"seed", ~std::uint64_t{0}}},
                              &parameters};
    EXPECT_EQ(
        to_json(sample_values(), run),
        R"({
  "run": {
    "version": "0.1.0",
    "seed": 18446744073709551615,
    "configuration": {
      "name": "none",
      "core.slots": 4,
      "core.lanes": 32,
      "core.policy": "lrr",
      "load": 0.5,
      "traced": false
    }
  },
  "statistics": {
    "gpu.cycles": {"value": 1234, "unit": "cycle", "description": "Core cycles"},
    "gpu.ipc": {"value": 0.1, "unit": "instruction/cycle", "description": )"
        R"("Thread instructions per cycle, \"mean\""},
    "gpu.wait": {"value": 17.666666666666668, "unit": "cycle", "description": "Time in the queue", )"
        R"("histogram": {"samples": 3, "minimum": 3, "maximum": 25, "bins": [[0, 1], [10, 0], [20, 2]]}},
    "gpu.unused": {"value": null, "unit": "", "description": "Never set"}
  }
}
)");
}

TEST(statistics, json_is_legal_whatever_a_name_holds) {
    const std::pair<const char*, const char*> names[] = {{"kernel.a\\b", "kernel.a\\b"},
                                                         {"kernel.a\"b", "kernel.a\"b"},
                                                         {"kernel.a\nb\x01", "kernel.a\nb\x01"},
                                                         {"kernel.\u03b4", "kernel.\u03b4"},
                                                         {"kernel.a\xff", "kernel.a\ufffd"}};
    statistics values;
    for (const auto& [name, read] : names) values.declare(name, sample_statistics);
    values.set("kernel.\u03b4.ipc", 2.0);
    const auto json = nlohmann::json::parse(to_json(values, {})).at("statistics");
    EXPECT_EQ(json.size(), 20U);
    for (const auto& [name, read] : names) {
        EXPECT_TRUE(json.contains(std::string(read) + ".ipc")) << name;
    }
    EXPECT_TRUE(json.at("kernel.\u03b4.ipc").at("value").is_number_float());
    EXPECT_TRUE(nlohmann::json::parse(to_json({}, {})).at("statistics").empty());
}

TEST(statistics, csv_quotes_and_spreads_a_distribution) {
    EXPECT_EQ(to_csv(sample_values()),
              "name,value,unit,description\n"
              "gpu.cycles,1234,cycle,Core cycles\n"
              "gpu.ipc,0.1,instruction/cycle,\"Thread instructions per cycle, \"\"mean\"\"\"\n"
              "gpu.wait,17.666666666666668,cycle,Time in the queue\n"
              "gpu.wait.samples,3,,Samples\n"
              "gpu.wait.minimum,3,cycle,Smallest sample\n"
              "gpu.wait.maximum,25,cycle,Largest sample\n"
              "gpu.wait.bin.0,1,,Samples in the bin that starts here\n"
              "gpu.wait.bin.10,0,,Samples in the bin that starts here\n"
              "gpu.wait.bin.20,2,,Samples in the bin that starts here\n"
              "gpu.unused,,,Never set\n");
}

TEST(statistics, the_table_leaves_out_what_was_not_measured) {
    EXPECT_EQ(to_table(sample_values()),
              "statistic     value  unit               description\n"
              "----------  -------  -----------------  -------------------------------------\n"
              "gpu.cycles     1234  cycle              Core cycles\n"
              "gpu.ipc         0.1  instruction/cycle  Thread instructions per cycle, \"mean\"\n"
              "gpu.wait    17.6667  cycle              Time in the queue\n");
}

TEST(statistics, what_is_not_finite_is_not_a_number_in_any_output) {
    for (const double value :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
        statistics values;
        values.declare("gpu", sample_statistics);
        values.set("gpu.ipc", value);
        EXPECT_NE(to_json(values, {}).find("\"gpu.ipc\": {\"value\": null,"), std::string::npos);
        EXPECT_NE(to_csv(values).find("gpu.ipc,,"), std::string::npos);
        EXPECT_EQ(to_table(values).find("gpu.ipc"), std::string::npos);
    }
}

TEST(statistics, an_empty_distribution_has_no_mean) {
    statistics values;
    values.declare("gpu", sample_statistics);
    values.set("gpu.wait", histogram::powers_of_two());
    EXPECT_NE(to_json(values, {}).find("\"gpu.wait\": {\"value\": null,"), std::string::npos);
    EXPECT_NE(to_csv(values).find("gpu.wait,,cycle"), std::string::npos);
}

TEST(statistics, files_are_byte_identical_and_the_name_chooses_the_format) {
    const temporary_directory directory;
    for (const char* name : {"a.json", "b.json", "a.csv"}) {
        output_file file(directory / name);
        write_statistics(file, sample_values(), {});
    }
    EXPECT_EQ(contents_of(directory / "a.json"), contents_of(directory / "b.json"));
    EXPECT_EQ(contents_of(directory / "a.json"), to_json(sample_values(), {}));
    EXPECT_EQ(contents_of(directory / "a.csv"), to_csv(sample_values()));
}

TEST(histogram, linear_bins_end_in_one_for_everything_above) {
    histogram h = histogram::linear(10, 3);
    for (const std::uint64_t value : {0U, 9U, 10U, 19U, 20U, 29U, 30U, 1000U}) h.add(value);
    const auto bins = h.bins();
    ASSERT_EQ(bins.size(), 3U);
    EXPECT_EQ(bins[0].count, 2U);
    EXPECT_EQ(bins[1].low, 10U);
    EXPECT_EQ(bins[1].count, 2U);
    EXPECT_EQ(bins[2].count, 4U);
    EXPECT_EQ(h.maximum(), 1000U);
}

TEST(histogram, powers_of_two_have_exact_edges_up_to_the_widest_value) {
    histogram h = histogram::powers_of_two();
    for (const std::uint64_t value : {0ULL, 1ULL, 2ULL, 3ULL, 4ULL, ~0ULL}) h.add(value);
    const auto bins = h.bins();
    ASSERT_EQ(bins.size(), 65U);
    const std::uint64_t expected[] = {1, 1, 2, 1};
    const std::uint64_t lows[] = {0, 1, 2, 4};
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(bins[i].count, expected[i]);
        EXPECT_EQ(bins[i].low, lows[i]);
    }
    EXPECT_EQ(bins[64].low, std::uint64_t{1} << 63);
    EXPECT_EQ(bins[64].count, 1U);
}

TEST(histogram, agrees_with_a_sorted_list) {
    random_stream random(1, "histogram");
    histogram whole = histogram::powers_of_two();
    histogram first = histogram::powers_of_two();
    histogram second = histogram::powers_of_two();
    std::vector<std::uint64_t> values;
    std::uint64_t sum = 0;
    for (int i = 0; i < 1000; ++i) {
        values.push_back(random.next() >> (20 + random.below(44)));
        sum += values.back();
        whole.add(values.back());
        (i % 3 == 0 ? first : second).add(values.back());
    }
    first.merge(second);
    for (const histogram* h : {&whole, &first}) {
        EXPECT_EQ(h->samples(), 1000U);
        EXPECT_EQ(h->sum(), sum);
        EXPECT_EQ(h->minimum(), *std::min_element(values.begin(), values.end()));
        EXPECT_EQ(h->maximum(), *std::max_element(values.begin(), values.end()));
        const auto bins = h->bins();
        for (std::size_t i = 0; i < bins.size(); ++i) {
            const auto inside = [&](std::uint64_t v) {
                return v >= bins[i].low && (i + 1 == bins.size() || v < bins[i + 1].low);
            };
            EXPECT_EQ(bins[i].count, static_cast<std::uint64_t>(
                                         std::count_if(values.begin(), values.end(), inside)));
        }
    }
}

TEST(histogram, negative_cases) {
    EXPECT_THROW(histogram::linear(0, 3), std::invalid_argument);
    EXPECT_THROW(histogram::linear(3, 0), std::invalid_argument);
    histogram h = histogram::linear(1, 3);
    EXPECT_THROW(h.merge(histogram::linear(2, 3)), std::invalid_argument);
    EXPECT_THROW(h.merge(histogram::linear(1, 4)), std::invalid_argument);
    EXPECT_THROW(h.merge(histogram::powers_of_two()), std::invalid_argument);
    h.add(5, 0);
    EXPECT_EQ(h.samples(), 0U);
    EXPECT_EQ(h.minimum(), 0U);
    EXPECT_EQ(h.mean(), 0.0);
    EXPECT_TRUE(h.bins().empty());
}

}  // namespace
}  // namespace heddle
