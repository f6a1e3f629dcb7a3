// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// heddle validate: what it says about runs is what `heddle run` would say, and what it would use.
#include <gmock/gmock.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/integration/heddle_process.h"

namespace heddle {
namespace {

using nlohmann::json;
using testing::HasSubstr;

/// The answers about these lines.
std::vector<json> validated(const std::vector<std::string>& lines) {
    const temporary_directory files;
    const std::string file = files / "runs.jsonl";
    std::ofstream out(file);
    for (const std::string& line : lines) out << line << '\n';
    out.close();
    const command_result result = heddle_command({"validate", file});
    EXPECT_EQ(result.code, 0) << result.errors;
    std::istringstream answers(result.output);
    std::vector<json> found;
    for (std::string line; std::getline(answers, line);) found.push_back(json::parse(line));
    return found;
}

TEST(validate, gives_the_effective_configuration_of_each_run) {
    const auto found = validated({R"({"config": "tiny", "set": ["l1d.mshrs=7"], "what": "saxpy"})",
                                  R"({"config": "tiny"})", R"({})",
                                  R"({"config": "gk110", "what": "bht", "mode": "cdp_ideal"})"});
    ASSERT_EQ(found.size(), 4U);
    EXPECT_EQ(found[0].at("configuration").at("l1d.mshrs"), 7);
    EXPECT_EQ(found[1].at("configuration").at("l1d.mshrs"), 4);
    EXPECT_EQ(found[1].at("configuration").at("launch.ideal"), false);
    EXPECT_EQ(found[2].at("configuration").at("gpu.smx_count"), 13);
    EXPECT_EQ(found[3].at("configuration").at("launch.ideal"), true);
    const json described =
        json::parse(heddle_command({"describe", "config", "tiny", "--json"}).output);
    for (const auto& [key, entry] : described.items()) {
        EXPECT_EQ(found[1].at("configuration").at(key), entry.at("value")) << key;
    }
}

TEST(validate, says_what_a_run_would_say) {
    const std::vector<std::pair<std::string, std::string>> wrong{
        {R"({"config": "tinny"})", "tinny"},
        {R"({"set": ["l1d.mshr=7"]})", "did you mean 'l1d.mshrs'?"},
        {R"({"set": ["l1d.mshrs=0"]})", "l1d.mshrs = 0 is out of range"},
        {R"({"what": "saxpi"})", "did you mean 'saxpy'?"},
        {R"({"what": "saxpy", "option": ["m=1"]})", "workload saxpy has no option 'm'"},
        {R"({"what": "saxpy", "option": ["n"]})", "expected key=value"},
        {R"({"config": "tiny", "what": "saxpy", "mode": "cdp"})", "launches nothing"},
        {R"({"what": "saxpy", "input": "road"})", "takes no input"},
        {R"({"what": "bfs", "input": "kronecker:scale=99"})", "scale = 99 is out of range"},
        {R"({"what": "bfs", "input": "no_such_file.mtx"})", "no_such_file.mtx"},
        {R"({"what": "regx", "input": "packets:count=-1"})", "packets"},
        {R"({"what": "bht", "mode": "cdp", "set": ["launch.enabled=false"]})", "launch.enabled"}};
    std::vector<std::string> lines;
    for (const auto& [line, text] : wrong) lines.push_back(line);
    const auto found = validated(lines);
    ASSERT_EQ(found.size(), wrong.size());
    for (std::size_t i = 0; i < wrong.size(); ++i) {
        EXPECT_THAT(found[i].value("error", ""), HasSubstr(wrong[i].second)) << wrong[i].first;
    }
}

TEST(validate, refuses_what_is_no_list_of_runs) {
    expect_refused({"validate", "no_such_file"}, "cannot read 'no_such_file'");
    const temporary_directory files;
    const std::string file = files / "runs.jsonl";
    std::ofstream(file) << "{}\n{\"size\": 3}\n";
    expect_refused({"validate", file}, "line 2: unknown key 'size'");
    std::ofstream(file) << "{\"set\": 3}\n";
    expect_refused({"validate", file}, "line 1: ");
}

}  // namespace
}  // namespace heddle
