// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/integration/heddle_process.h"

namespace heddle {
namespace {

using nlohmann::ordered_json;
using testing::HasSubstr;
using testing::Not;

/// A statistics file with what the test says.
std::string statistics_file(const temporary_directory& files, const char* name,
                            const std::string& run, const std::string& statistics) {
    return files.write(name, R"({"run": {)" + run + R"(}, "statistics": {)" + statistics + "}}");
}

struct two_files {
    temporary_directory files;
    std::string a = statistics_file(
        files, "a.json", R"("seed": 1, "configuration": {"l2.banks": 2, "smx.scheduler": "lrr"})",
        R"("gpu.cycles": {"value": 100, "unit": "cycle"}, "gpu.ipc": {"value": 2.5, "unit": ""},
           "only.a": {"value": 7, "unit": "block"}, "kmu.zero": {"value": 0, "unit": ""},
           "host.seconds": {"value": 1.0, "unit": "s"})");
    std::string b = statistics_file(
        files, "b.json", R"("seed": 1, "configuration": {"l2.banks": 2, "smx.scheduler": "gto"})",
        R"("gpu.cycles": {"value": 150, "unit": "cycle"}, "gpu.ipc": {"value": 2.5, "unit": ""},
           "kmu.zero": {"value": 3, "unit": ""}, "host.seconds": {"value": 2.0, "unit": "s"})");
};

TEST(compare, shows_configuration_first_then_statistics) {
    const two_files f;
    const command_result result = heddle_command({"compare", f.a, f.b});
    EXPECT_EQ(result.code, 0) << result.errors;
    EXPECT_EQ(result.errors, "");
    EXPECT_THAT(result.output, testing::ContainsRegex("smx\\.scheduler +lrr +gto"));
    EXPECT_THAT(result.output, testing::ContainsRegex("gpu\\.cycles +100 +150 +1\\.5 +cycle"));
    EXPECT_THAT(result.output, testing::ContainsRegex("only\\.a +7 +- +- +block"));
    EXPECT_THAT(result.output, testing::ContainsRegex("kmu\\.zero +0 +3 +-"));
    EXPECT_LT(result.output.find("smx.scheduler"), result.output.find("gpu.cycles"));
    EXPECT_LT(result.output.find("kmu.zero"), result.output.find("host.seconds"));
    EXPECT_THAT(result.output, Not(HasSubstr("gpu.ipc")));
    EXPECT_THAT(result.output, Not(HasSubstr("l2.banks")));
    EXPECT_THAT(result.output, Not(HasSubstr("seed")));
    EXPECT_THAT(result.output, HasSubstr("3 of 4 statistics differ"));
}

TEST(compare, writes_json) {
    const two_files f;
    const command_result result = heddle_command({"compare", f.a, f.b, "--json"});
    EXPECT_EQ(result.code, 0) << result.errors;
    const ordered_json all = ordered_json::parse(result.output);
    EXPECT_TRUE(all.at("run").empty());
    EXPECT_EQ(all.at("configuration").size(), 1U);
    EXPECT_EQ(all.at("configuration").at("smx.scheduler").at("b"), "gto");
    const ordered_json& cycles = all.at("statistics").at("gpu.cycles");
    EXPECT_EQ(cycles.at("a"), 100);
    EXPECT_EQ(cycles.at("b"), 150);
    EXPECT_EQ(cycles.at("ratio"), 1.5);
    EXPECT_EQ(cycles.at("unit"), "cycle");
    EXPECT_TRUE(all.at("statistics").at("only.a").at("b").is_null());
    EXPECT_TRUE(all.at("statistics").at("kmu.zero").at("ratio").is_null());
}

TEST(compare, equal_runs_differ_in_nothing_but_the_host) {
    const temporary_directory files;
    for (const char* name : {"a.json", "b.json"}) {
        ASSERT_EQ(
            heddle_command({"run", "saxpy", "--config", "tiny", "--stats", files / name}).code, 0);
    }
    const command_result result =
        heddle_command({"compare", files / "a.json", files / "b.json", "--json"});
    const ordered_json all = ordered_json::parse(result.output);
    EXPECT_TRUE(all.at("run").empty());
    EXPECT_TRUE(all.at("configuration").empty());
    for (const auto& [name, difference] : all.at("statistics").items()) {
        EXPECT_THAT(name, testing::StartsWith("host."));
    }
    const command_result text = heddle_command({"compare", files / "a.json", files / "a.json"});
    EXPECT_THAT(text.output, testing::ContainsRegex("\n0 of [0-9]+ statistics differ\n$"));
}

TEST(compare, distributions_with_one_mean_differ) {
    const temporary_directory files;
    const auto write = [&](const char* name, const char* samples) {
        return statistics_file(
            files, name, "",
            std::string(R"("w": {"value": 2, "unit": "", "histogram": )") + samples + "}");
    };
    const std::string a = write("a.json", R"({"bins": [[2, 2]]})");
    const std::string b = write("b.json", R"({"bins": [[1, 1], [3, 1]]})");
    EXPECT_THAT(heddle_command({"compare", a, b}).output, HasSubstr("1 of 1 statistics differ"));
}

TEST(compare, refuses_what_is_no_statistics_file) {
    const two_files f;
    const auto refused = [&](const std::string& text, const std::string& message) {
        const std::string file = f.files.write("wrong", text);
        expect_refused({"compare", f.a, file}, message);
        expect_refused({"compare", file, f.a}, message);
    };
    expect_refused({"compare", f.a, f.files / "none"}, "No such file");
    expect_refused({"compare", f.a, f.files / "."}, "compare: '");
    expect_refused({"compare", f.a}, "B.json is missing");
    refused("", "empty");
    refused("name,value\n", "no JSON at byte");
    refused("[1]", "not a statistics file");
    refused(R"({"run": {}})", "not a statistics file");
    refused(R"({"run": {"configuration": 3}, "statistics": {}})", "not a statistics file");
    refused(R"({"run": {}, "statistics": {"x": 3}})", "statistic 'x'");
    refused(R"({"run": {}, "statistics": {"x": {"value": "3"}}})", "statistic 'x'");
    refused(R"({"run": {}, "statistics": {"x": {"value": 3, "unit": 4}}})", "statistic 'x'");
}

}  // namespace
}  // namespace heddle
