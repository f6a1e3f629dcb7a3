// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <gmock/gmock.h>

#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "tests/integration/heddle_process.h"

namespace heddle {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::Not;
using words = std::vector<std::string>;

ordered_json json_of(words arguments) {
    arguments.emplace_back("--json");
    const command_result result = heddle_command(arguments);
    EXPECT_EQ(result.code, 0) << result.errors;
    return ordered_json::parse(result.output);
}

words keys_of(const ordered_json& object) {
    words keys;
    for (const auto& [key, value] : object.items()) keys.push_back(key);
    return keys;
}

/// All values of one member of an array of objects.
words column(const ordered_json& array, const char* key) {
    words values;
    for (const auto& object : array) values.push_back(object.at(key));
    return values;
}

TEST(list, json_keeps_its_keys) {
    const ordered_json workloads = json_of({"list", "workloads"});
    EXPECT_THAT(keys_of(workloads.at(0)), ElementsAre("name", "description", "default_input",
                                                      "has_modes", "aliases", "options"));
    EXPECT_THAT(keys_of(workloads.at(0).at("options").at(0)),
                ElementsAre("key", "type", "default", "unit", "legal", "description"));
    EXPECT_THAT(column(workloads, "name"),
                testing::IsSupersetOf({"bfs", "divergence", "histogram", "lock", "matrix",
                                       "reduction", "saxpy", "transpose"}));
    EXPECT_THAT(column(workloads, "description"), Each(Not("")));

    const ordered_json configurations = json_of({"list", "configs"});
    EXPECT_THAT(keys_of(configurations.at(0)), ElementsAre("name", "description"));
    EXPECT_THAT(column(configurations, "name"), testing::IsSupersetOf({"gk110", "si", "tiny"}));

    const ordered_json parameters = json_of({"list", "parameters"});
    EXPECT_THAT(keys_of(parameters.at(0)),
                ElementsAre("key", "type", "default", "unit", "legal", "description"));

    const ordered_json statistics = json_of({"list", "statistics"});
    EXPECT_THAT(keys_of(statistics.at(0)), ElementsAre("name", "unit", "description"));
    EXPECT_THAT(column(statistics, "name"),
                testing::IsSupersetOf({"run.completed", "gpu.warp_instructions",
                                       "kernel.NAME.launches", "host.seconds"}));
}

TEST(list, text_fits_a_terminal_and_names_everything) {
    const command_result result = heddle_command({"list", "workloads"});
    EXPECT_EQ(result.code, 0);
    for (const auto& workload : json_of({"list", "workloads"})) {
        const std::string name = workload.at("name");
        EXPECT_THAT(result.output, HasSubstr(name + ": "));
        for (const std::string& key : column(workload.at("options"), "key")) {
            EXPECT_THAT(result.output, HasSubstr("  " + key + "="));
        }
    }
    std::istringstream lines(result.output);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100U) << line;
    for (const char* topic : {"configs", "parameters", "statistics"}) {
        EXPECT_EQ(heddle_command({"list", topic}).code, 0) << topic;
    }
}

/// "smx.12.warp_scheduler_1.issues" -> "smx.N.warp_scheduler_N.issues"; of a kernel likewise.
std::string general_name(const std::string& name) {
    static const std::regex kernel("^kernel\\.[^.]+");
    static const std::regex index("([._])[0-9]+(?=\\.)");
    return std::regex_replace(std::regex_replace(name, kernel, "kernel.NAME"), index, "$1N");
}

TEST(list, names_every_statistic_of_a_run) {
    std::map<std::string, std::string> listed;
    for (const auto& entry : json_of({"list", "statistics"})) {
        EXPECT_NE(entry.at("description"), "") << entry;
        EXPECT_TRUE(listed.emplace(entry.at("name"), entry.at("unit")).second) << entry;
    }
    const temporary_directory files;
    const std::string file = files / "x.json";
    std::set<std::string> found;
    const std::string halve = files.write(
        "halve.cpp",
        "#include <heddle.h>\n__global__ void halve(double* x) { x[threadIdx.x] *= 0.5; }\n");
    const words doubles{files / "halve.elf", "--arg", "x:f64[32]=1"};
    ASSERT_EQ(heddle_command({"compile", halve, "-o", doubles.front()}).code, 0);
    const words plain{"reduction", "--option", "n=3000"};
    const words launching{"amr", "--option", "across=4", "--option", "levels=1", "--mode", "dtbl"};
    const words suspending{"children", "--option",  "launches=64", "--option", "hold=false",
                           "--option", "wait=true", "--mode",      "cdp"};
    for (const auto& [what, device] :
         {std::pair{plain, words{"--config", "tiny"}}, std::pair{plain, words{"--config", "gk110"}},
          std::pair{launching, words{"--config", "tiny"}},
          std::pair{suspending, words{"--config", "tiny"}},
          std::pair{doubles, words{"--config", "tiny"}},
          std::pair{plain, words{"--config", "g80", "--set", "smx.formation=dwf"}},
          std::pair{plain, words{"--config", "tiny", "--set", "coop.preempt=true"}},
          std::pair{words{"it", "--option", "blocks=1"}, words{"--config", "si"}},
          std::pair{words{"mis", "--input", "circuit:vertices=64"}, words{"--config", "tiny"}},
          std::pair{plain, words{"--config", "tiny", "--functional"}}}) {
        words run{"run", "--stats", file};
        run.insert(run.end(), what.begin(), what.end());
        run.insert(run.end(), device.begin(), device.end());
        ASSERT_EQ(heddle_command(run).code, 0);
        const json all = json::parse(contents_of(file));
        for (const auto& [name, entry] : all.at("statistics").items()) {
            const auto place = listed.find(general_name(name));
            ASSERT_NE(place, listed.end()) << name;
            EXPECT_EQ(entry.at("unit"), place->second) << name;
            found.insert(place->first);
        }
    }
    for (const auto& entry : listed) EXPECT_EQ(found.count(entry.first), 1U) << entry.first;
}

TEST(list, refuses_what_it_does_not_know) {
    expect_refused({"list", "workload"}, "did you mean 'workloads'?");
    expect_refused({"list"}, "list: TOPIC is missing");
    expect_refused({"list", "configs", "--jason"}, "--jason");
}

TEST(describe, shows_the_effective_configuration_and_the_address_map) {
    const command_result result =
        heddle_command({"describe", "config", "tiny", "--set", "smx.max_blocks=7"});
    EXPECT_EQ(result.code, 0) << result.errors;
    EXPECT_THAT(result.output, testing::ContainsRegex("smx.max_blocks +7 +block +--set"));
    EXPECT_THAT(result.output, testing::ContainsRegex("gpu.smx_count +2 +SMX +.*tiny.toml:"));
    EXPECT_THAT(result.output, HasSubstr("0x40000000"));
}

TEST(describe, output_can_be_the_input_of_the_next_run) {
    const ordered_json first = json_of(
        {"describe", "config", "tiny", "--set", "smx.max_blocks=7", "--set", "iss.quantum=3"});
    EXPECT_EQ(first.at("smx.max_blocks").at("value"), 7);
    EXPECT_EQ(first.at("iss.quantum").at("source"), "--set");
    EXPECT_THAT(keys_of(first.at("iss.quantum")),
                ElementsAre("value", "unit", "default", "source", "description"));
    words again{"describe", "config", "gk110"};
    for (const auto& [key, parameter] : first.items()) {
        const auto& value = parameter.at("value");
        const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
        again.insert(again.end(), {"--set", key + "=" + text});
    }
    const ordered_json second = json_of(again);
    for (const auto& [key, parameter] : first.items()) {
        EXPECT_EQ(second.at(key).at("value"), parameter.at("value")) << key;
    }
}

TEST(describe, shows_what_a_load_takes_that_meets_no_other) {
    const command_result result =
        heddle_command({"describe", "latency", "tiny", "--set", "l1d.hit_latency=6"});
    EXPECT_EQ(result.code, 0) << result.errors;
    EXPECT_THAT(result.output, testing::ContainsRegex("l1 +6.0 +6.0 +0.0 +0.0 +0.0 +0.0\n"));
    EXPECT_THAT(column(json_of({"describe", "latency", "tiny"}), "level"),
                ElementsAre("l1", "l2", "closed_bank"))
        << "its memory has no rows";
    EXPECT_THAT(column(json_of({"describe", "latency", "gk110"}), "level"),
                ElementsAre("l2", "open_row", "closed_bank", "other_row"))
        << "L1D does not keep global memory";
}

TEST(describe, shows_what_mechanisms_of_papers_take) {
    const auto of = [](const char* configuration, const std::string& quantity) {
        for (const ordered_json& row : json_of({"describe", "area", configuration})) {
            if (row.at("quantity") == quantity) {
                return row.at("computed").get<std::string>() + " " +
                       row.at("printed").get<std::string>();
            }
        }
        return std::string("missing");
    };
    // Each paper prints the numbers of its own machine.
    EXPECT_EQ(of("g80", "warp pool"), "45312 44928");
    EXPECT_EQ(of("g80", "dynamic warp formation"), "58672 59312");
    EXPECT_EQ(of("g80", "core"), "2.357 2.357");
    EXPECT_EQ(of("gk110", "new fields"), "1096 1096");
    EXPECT_EQ(of("gk110", "AGT"), "20480 20480");
    EXPECT_EQ(of("gk110", "dynamic warp formation"), "62960 -");
    EXPECT_EQ(of("g80", "new fields"), "328 -");
    const ordered_json larger =
        json_of({"describe", "area", "g80", "--set", "dwf.pool_entries=256"});
    EXPECT_EQ(larger.at(2).at("computed"), std::to_string(256 * 354));
    EXPECT_EQ(larger.at(2).at("printed"), "-");
    const command_result table = heddle_command({"describe", "area", "g80"});
    EXPECT_THAT(table.output,
                testing::ContainsRegex("warp pool +354: TID 10 x 32, PC 24, scheduler data 10 "
                                       "+128 +45312 +44928 +0.6194\n"));
}

TEST(describe, shows_the_credits_that_the_latencies_need) {
    const command_result result =
        heddle_command({"describe", "credits", "gk110", "--set", "l2.mshrs=4"});
    EXPECT_EQ(result.code, 0) << result.errors;
    EXPECT_THAT(result.output, testing::ContainsRegex("l2.mshrs +4 +[0-9]+ +line +no "));
    EXPECT_THAT(result.output, testing::ContainsRegex("l2.write_buffer +64 +[0-9]+ +line +yes "));
    const command_result run = heddle_command(
        {"run", "saxpy", "--config", "gk110", "--option", "n=256", "--set", "l2.mshrs=4"});
    EXPECT_EQ(run.code, 0) << run.errors;
    EXPECT_THAT(run.output, testing::ContainsRegex("l2.mshrs: 4 is too few for the latencies; .* "
                                                   "needs [0-9]+\n"));
}

TEST(describe, draws_the_netlist) {
    const command_result drawing = heddle_command({"describe", "netlist", "tiny"});
    EXPECT_EQ(drawing.code, 0) << drawing.errors;
    EXPECT_THAT(drawing.output, testing::StartsWith("digraph \"tiny\" {\n"));
    EXPECT_THAT(drawing.output,
                HasSubstr("\"gpu.host\" -> \"gpu.kmu\" [label=\"launch_link\"];\n"));
    const temporary_directory files;
    const std::string file = files / "tiny.dot";
    const command_result written = heddle_command({"describe", "netlist", "tiny", "-o", file});
    EXPECT_EQ(written.output, "");
    EXPECT_EQ(contents_of(file), drawing.output);
    const command_result pinned =
        heddle_command({"describe", "netlist", "tiny", "--set", "slot.kernel_distributor=pins"});
    EXPECT_THAT(pinned.output, HasSubstr("label=\"kernel_distributor_pins\""));
    expect_refused({"describe", "netlist", "tinny"}, "did you mean 'tiny'?");
    expect_refused({"describe", "netlist", "tiny", "--set", "slot.kernel_distributor=pins", "--set",
                    "slot.kernel_distributor.where=gpu.kmu"},
                   "names no instance");
    expect_refused({"describe", "netlist", "tiny", "-o", "/nowhere/tiny.dot"}, "/nowhere");
}

TEST(describe, refuses_unknown_configurations_and_parameters) {
    expect_refused({"describe", "config", "tinny"}, "did you mean 'tiny'?");
    expect_refused({"describe", "config", "tiny", "--set", "smx.max_block=1"},
                   "did you mean 'smx.max_blocks'?");
    expect_refused({"describe", "config", "./none.toml"}, "none.toml");
    expect_refused({"describe", "config"}, "describe config: NAME|FILE.toml is missing");
    expect_refused({"describe", "confg"}, "no subcommand 'confg'; did you mean 'config'?");
}

TEST(command, helps_and_tells_its_version) {
    for (const words& help : {words{"--help"}, words{"run", "--help"}, words{"list", "--help"},
                              words{"describe", "config", "--help"}, words{"compile", "--help"}}) {
        const command_result result = heddle_command(help);
        EXPECT_EQ(result.code, 0);
        EXPECT_THAT(result.output, HasSubstr("Usage: "));
        EXPECT_EQ(result.errors, "");
    }
    EXPECT_THAT(heddle_command({"--version"}).output, testing::StartsWith("heddle "));
}

TEST(command, refuses_wrong_usage) {
    const std::vector<std::pair<words, const char*>> cases{
        {{}, "a subcommand is missing (there are: run, gdb, list, "},
        {{"fly"}, "there is no subcommand 'fly' (there are: run, gdb, list, "},
        {{"runn", "bfs"}, "did you mean 'run'?"},
        {{"--fly"}, "there is no option '--fly'"},
        {{"run"}, "run: WORKLOAD|FILE.elf|FILE.toml is missing; `heddle run --help`"},
        {{"run", "saxpy", "extra"}, "run: unexpected argument 'extra'"},
        {{"run", "saxpy", "--confg", "tiny"}, "no option '--confg'; did you mean '--config'?"},
        {{"run", "--confg", "tiny"}, "no option '--confg'; did you mean '--config'?"},
        {{"run", "saxpy", "--sed=5"}, "no option '--sed=5'; did you mean '--set'?"},
        {{"run", "saxpy", "-c", "tiny"}, "there is no option '-c'"},
        {{"run", "saxpy", "--config"}, "--config: 1 required NAME|FILE.toml missing"},
        {{"run", "saxpy", "--golden=maybe"}, "--golden = maybe"},
        {{"list"}, "list: TOPIC is missing"},
        {{"compare", "a.json"}, "compare: B.json is missing"},
        {{"compile", "a.cpp"}, "compile: --output FILE.elf is missing"},
        {{"compile", "a.cpp", "-o", "x", "-O", "9"}, "9 not in range"},
    };
    for (const auto& [arguments, text] : cases) {
        expect_refused(arguments, text);
        expect_refused(arguments, "heddle: ");
        expect_refused(arguments, " --help` shows the usage");
    }
}

TEST(tm_feasibility, says_what_fits_and_what_to_prefer) {
    const command_result text = heddle_command({"tm_feasibility", "it", "--shared", "16384"});
    EXPECT_EQ(text.code, 0) << text.errors;
    EXPECT_THAT(text.output, HasSubstr("kernel it_tx\n"));
    EXPECT_THAT(text.output, HasSubstr(": 2 loads, 2 stores\n"));
    EXPECT_THAT(text.output, HasSubstr("prefer prw_sig with ascending_multiple: "));
    const ordered_json tables = json_of({"tm_feasibility", "ht"});
    ASSERT_EQ(tables.size(), 1u);
    EXPECT_EQ(tables[0].at("preferred"), "swo_sig with ascending_multiple");
    EXPECT_THAT(column(tables[0].at("detections"), "detection"),
                IsSupersetOf({"prw_sig", "swo_sig", "dcd", "smdcd"}));
    EXPECT_THAT(heddle_command({"tm_feasibility", "it", "--shared", "29128"}).output,
                HasSubstr("prefer a lock of the block: the kernel fits, its transactions don't"));
    expect_refused({"tm_feasibility", "saxpy"}, "'saxpy' has no kernel with transactions");
}

TEST(command, refuses_empty_values) {
    for (const char* option : {"--config", "--seed", "--stats", "--max-cycles", "--vcd",
                               "--timeline", "--input", "--kernel", "--grid", "--block"}) {
        expect_refused({"run", "saxpy", option, ""}, std::string(option) + ": found ");
    }
    expect_refused({"run", ""}, "what: found an empty text, expected WORKLOAD|FILE.elf");
}

}  // namespace
}  // namespace heddle
