// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/base/configuration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/base/configuration_report.h"
#include "models/base/error.h"
#include "tests/base/sample_configuration.h"
#include "tests/base/temporary_directory.h"

namespace heddle {
namespace {

using testing::HasSubstr;
using testing::StartsWith;
namespace fs = std::filesystem;

class configuration : public testing::Test {
protected:
    void load(const std::string& config, std::vector<std::string> settings = {}) {
        load_configuration(parameters, {config, std::move(settings), {directory.path()}});
    }
    std::string failure(const std::string& config, std::vector<std::string> settings = {}) {
        return message_of<configuration_error>([&] { load(config, std::move(settings)); });
    }
    /// Message for a file x.toml of these contents, without the file's directory.
    std::string failure_of_text(const std::string& contents) {
        const std::string name = directory.write("x.toml", contents);
        std::string message = failure(name);
        const std::string prefix = directory / "";
        for (auto at = message.find(prefix); at != std::string::npos; at = message.find(prefix)) {
            message.erase(at, prefix.size());
        }
        return message;
    }

    temporary_directory directory;
    sample_configuration config;
    parameter_list parameters{config};
};

TEST_F(configuration, without_a_request_gives_the_defaults) {
    load("");
    EXPECT_EQ(config.core.slots, 4U);
    for (const parameter& p : parameters.parameters()) EXPECT_EQ(p.source, "default");
}

TEST_F(configuration, reads_every_kind_of_parameter) {
    const std::string file = directory.write("x.toml",
                                             "description = \"A machine\"\n"
                                             "name = \"one\"\n"
                                             "load = 0.25\n"
                                             "traced = true\n"
                                             "[core]\n"
                                             "slots = 0x0a\n"
                                             "lanes = 64\n"
                                             "policy = \"gto\"\n");
    load(file);
    EXPECT_EQ(config.name, "one");
    EXPECT_EQ(config.load, 0.25);
    EXPECT_TRUE(config.traced);
    EXPECT_EQ(config.core.slots, 10U);
    EXPECT_EQ(config.core.lanes, 64);
    EXPECT_EQ(config.core.policy, sample_policy::gto);
    EXPECT_EQ(parameters.find("core.slots")->source, file + ":6:9");
}

TEST_F(configuration, dotted_keys_and_inline_tables_are_the_same) {
    load(directory.write("x.toml", "core.slots = 5\n"));
    EXPECT_EQ(config.core.slots, 5U);
    load(directory.write("y.toml", "core = { slots = 6, lanes = 64 }\n"));
    EXPECT_EQ(config.core.slots, 6U);
    EXPECT_EQ(config.core.lanes, 64);
}

TEST_F(configuration, is_found_by_name_or_as_a_file) {
    const std::string file = directory.write("small.toml", "core.slots = 2\n");
    EXPECT_EQ(find_configuration("small", {directory.path()}), file);
    EXPECT_EQ(find_configuration(file, {}), file);
    load("small");
    EXPECT_EQ(config.core.slots, 2U);
}

TEST_F(configuration, the_first_directory_wins_a_name) {
    directory.write("a/m.toml", "description = \"first\"\n");
    directory.write("b/m.toml", "description = \"second\"\n");
    directory.write("b/n.toml", "");
    directory.write("b/notes.txt", "no configuration");
    const auto entries =
        list_configurations({directory / "a", directory / "b", directory / "missing"});
    ASSERT_EQ(entries.size(), 2U);
    EXPECT_EQ(entries[0].name, "m");
    EXPECT_EQ(entries[0].description, "first");
    EXPECT_EQ(entries[0].file, directory / "a/m.toml");
    EXPECT_EQ(entries[1].name, "n");
    EXPECT_EQ(entries[1].description, "");
}

TEST_F(configuration, an_unknown_name_lists_the_known_ones) {
    directory.write("gk110.toml", "");
    directory.write("si.toml", "");
    EXPECT_EQ(failure("gk11"),
              "there is no configuration named 'gk11'; did you mean 'gk110'? known: gk110, si");
    EXPECT_EQ(failure("GK110"),
              "there is no configuration named 'GK110'; did you mean 'gk110'? known: gk110, si");
    EXPECT_EQ(failure("banana"), "there is no configuration named 'banana'; known: gk110, si");
    EXPECT_EQ(message_of<configuration_error>([] { (void)find_configuration("x", {}); }),
              "there is no configuration named 'x'; known: none");
}

TEST_F(configuration, a_file_must_exist_and_be_no_directory) {
    EXPECT_EQ(failure(directory / "none.toml"),
              "there is no configuration file '" + (directory / "none.toml") + "'");
    fs::create_directory(directory / "d.toml");
    EXPECT_EQ(failure(directory / "d.toml"),
              "the configuration file '" + (directory / "d.toml") + "' is a directory");
    EXPECT_EQ(failure("d"), "there is no configuration named 'd'; known: none");
    directory.write("mine", "");
    const fs::path before = fs::current_path();
    fs::current_path(directory.path());
    EXPECT_EQ(failure("mine"),
              "there is no configuration named 'mine'; write ./mine for the file of that name; "
              "known: none");
    load("./mine");
    fs::current_path(before);
}

TEST_F(configuration, long_texts_are_shortened) {
    const std::string text(1'000'000, 'x');
    for (const std::string& setting : {text, text + "=1", "core.slots=" + text, "load=" + text,
                                       "core.slots=" + std::string(1000, '9')}) {
        const std::string message = message_of<configuration_error>([&] {
            load_configuration(parameters, {"", {setting}});
        });
        EXPECT_LT(message.size(), 500U);
    }
    EXPECT_LT(failure(text).size(), 300U);
}

TEST_F(configuration, later_sources_win) {
    directory.write("base.toml", "name = \"base\"\ncore = { slots = 2, lanes = 64 }\n");
    directory.write("child.toml", "inherits = \"base\"\ncore.slots = 3\n");
    load("child", {"load=0.1", "load=0.2"});
    EXPECT_EQ(config.name, "base");
    EXPECT_EQ(config.core.lanes, 64);
    EXPECT_EQ(config.core.slots, 3U);
    EXPECT_EQ(config.load, 0.2);
    EXPECT_EQ(parameters.find("name")->source, directory / "base.toml:1:8");
    EXPECT_EQ(parameters.find("core.slots")->source, directory / "child.toml:2:14");
    EXPECT_EQ(parameters.find("load")->source, "--set");
}

TEST_F(configuration, inherits_relative_to_the_file_and_from_the_directories) {
    directory.write("shared.toml", "name = \"shared\"\n");
    directory.write("deep/parent.toml", "inherits = \"shared\"\nload = 0.1\n");
    directory.write("deep/er/child.toml", "inherits = \"../parent.toml\"\n");
    load(directory / "deep/er/child.toml");
    EXPECT_EQ(config.name, "shared");
    EXPECT_EQ(config.load, 0.1);
}

TEST_F(configuration, finds_the_parent_of_a_file_in_the_working_directory) {
    directory.write("parent.toml", "name = \"parent\"\n");
    directory.write("child.toml", "inherits = \"parent\"\n");
    const fs::path before = fs::current_path();
    fs::current_path(directory.path());
    load_configuration(parameters, {"child.toml"});
    fs::current_path(before);
    EXPECT_EQ(config.name, "parent");
}

TEST_F(configuration, circular_inheritance_is_an_error) {
    EXPECT_EQ(failure_of_text("inherits = \"x\"\n"),
              "x.toml:1:12: circular inheritance: x.toml -> x.toml");
    directory.write("y.toml", "inherits = \"./sub/../x.toml\"\n");
    fs::create_directory(directory / "sub");
    EXPECT_EQ(failure_of_text("inherits = \"y\"\n"),
              "y.toml:1:12: circular inheritance: x.toml -> y.toml -> x.toml");
}

TEST_F(configuration, a_missing_parent_names_the_line) {
    EXPECT_EQ(failure_of_text("\ninherits = \"z.toml\"\n"),
              "x.toml:2:12: there is no configuration file 'z.toml'");
    EXPECT_EQ(failure_of_text("inherits = \"xx\"\n"),
              "x.toml:1:12: there is no configuration named 'xx'; known: x");
    EXPECT_EQ(failure_of_text("inherits = 3\n"),
              "x.toml:1:12: inherits = 3 has the wrong type: it must be text in quotes");
    EXPECT_EQ(failure_of_text("description = [1]\n"),
              "x.toml:1:15: description = an array has the wrong type: it must be text in quotes");
}

TEST_F(configuration, an_error_in_a_parent_names_the_parent) {
    const std::string parent = directory.write("base.toml", "\n\ncore.slots = 0\n");
    directory.write("child.toml", "inherits = \"base\"\ncore.slots = 3\n");
    EXPECT_THAT(failure("child"), StartsWith(parent + ":3:14: core.slots = 0 is out of range"));
}

TEST_F(configuration, errors_name_file_line_column_key_and_legal_values) {
    EXPECT_EQ(
        failure_of_text("[core]\nslots = 17\n"),
        "x.toml:2:9: core.slots = 17 is out of range: core.slots must be an integer from 1 to "
        "16 (unit: slot)");
    EXPECT_EQ(
        failure_of_text("core.slots = \"many\"\n"),
        "x.toml:1:14: core.slots = \"many\" has the wrong type: core.slots must be an integer "
        "from 1 to 16 (unit: slot)");
    EXPECT_EQ(failure_of_text("[core]\n\n  policy = \"gtp\"\n"),
              "x.toml:3:12: core.policy = \"gtp\" is not a choice: core.policy must be one of lrr, "
              "gto; did you mean 'gto'?");
    EXPECT_EQ(failure_of_text("load = nan\n"),
              "x.toml:1:8: load = nan is out of range: load must be a number from 0 to 1");
}

TEST_F(configuration, what_no_parameter_can_be_is_a_wrong_type) {
    const std::string expected = " has the wrong type: load must be a number from 0 to 1";
    EXPECT_EQ(failure_of_text("load = [0.5]\n"), "x.toml:1:8: load = an array" + expected);
    EXPECT_EQ(failure_of_text("load = {}\n"), "x.toml:1:8: load = an empty table" + expected);
    EXPECT_EQ(failure_of_text("load = 2026-01-31\n"), "x.toml:1:8: load = a date" + expected);
    EXPECT_EQ(failure_of_text("load = 12:00:00\n"), "x.toml:1:8: load = a time" + expected);
    EXPECT_EQ(failure_of_text("load = 2026-01-31T12:00:00\n"),
              "x.toml:1:8: load = a date and time" + expected);
}

TEST_F(configuration, unknown_keys_get_a_suggestion) {
    EXPECT_EQ(failure_of_text("[core]\nslot = 3\n"),
              "x.toml:2:1: unknown key 'core.slot'; did you mean 'core.slots'? `heddle list "
              "parameters` shows all keys");
    EXPECT_EQ(failure_of_text("[kore]\nslots = 3\n"),
              "x.toml:2:1: unknown key 'kore.slots'; did you mean 'core.slots'? `heddle list "
              "parameters` shows all keys");
    EXPECT_EQ(
        failure_of_text("slots = 3\n"),
        "x.toml:1:1: unknown key 'slots'; did you mean 'core.slots'? `heddle list parameters` "
        "shows all keys");
    EXPECT_EQ(
        failure_of_text("inherit = \"tiny\"\n"),
        "x.toml:1:1: unknown key 'inherit'; did you mean 'inherits'? `heddle list parameters` "
        "shows all keys");
    EXPECT_EQ(failure_of_text("[weather]\n"),
              "x.toml:1:2: unknown key 'weather'; `heddle list parameters` shows all keys");
    EXPECT_EQ(failure_of_text("load.x = 1\n"),
              "x.toml:1:6: unknown key 'load.x'; did you mean 'load'? `heddle list parameters` "
              "shows all keys");
}

TEST_F(configuration, the_first_error_of_the_file_is_reported) {
    EXPECT_THAT(failure_of_text("zzz = 1\naaa = 1\n"), StartsWith("x.toml:1:1: unknown key 'zzz'"));
}

TEST_F(configuration, a_section_is_no_value) {
    const std::string wrong =
        " has the wrong type: core is a section; write [core] and its keys below";
    EXPECT_EQ(failure_of_text("core = 3\n"), "x.toml:1:1: core = 3" + wrong);
    EXPECT_EQ(failure_of_text("[[core]]\nslots = 3\n"), "x.toml:1:3: core = an array" + wrong);
    EXPECT_EQ(failure_of_text("core = []\n"), "x.toml:1:1: core = an array" + wrong);
}

TEST_F(configuration, a_real_number_is_no_integer) {
    EXPECT_EQ(
        failure_of_text("core.slots = 3.0\n"),
        "x.toml:1:14: core.slots = 3.0 has the wrong type: core.slots must be an integer from "
        "1 to 16 (unit: slot)");
}

TEST_F(configuration, what_is_no_configuration_file_costs_nothing) {
    EXPECT_EQ(failure("/dev/zero"),
              "cannot read the configuration file '/dev/zero': it has more than 1048576 bytes");
    EXPECT_EQ(failure(directory.write("a.out", std::string("\x7f"
                                                           "ELF\0\1",
                                                           6))),
              "cannot read the configuration file '" + (directory / "a.out") +
                  "': it is not text, so it is not valid TOML");
    EXPECT_EQ(failure("/dev/null/x.toml"), "there is no configuration file '/dev/null/x.toml'");
    // The parser calls itself for every part of a key.
    std::string key = "a";
    for (int part = 0; part < 200'000; ++part) key += ".a";
    EXPECT_EQ(
        failure_of_text("\n" + key + " = 1\n"),
        "x.toml:2: not valid TOML: more than 32 dots in a line; a key has at most a few parts");
    load(directory.write("y.toml", "# " + key + "\ndescription = \"" + key + "\"\n"));
}

TEST_F(configuration, an_empty_section_is_legal) {
    load(directory.write("x.toml", "[core]\n"));
}

TEST_F(configuration, a_quoted_key_cannot_hide_a_second_assignment) {
    EXPECT_EQ(failure_of_text("core.slots = 3\n\"core.slots\" = 4\n"),
              "x.toml:2:1: the quoted key \"core.slots\" contains a dot: write the part before it "
              "as a table");
}

TEST_F(configuration, a_quoted_key_may_stand_beside_the_value_that_it_is_about) {
    // "core.slots" is a value, so that core.slots can't be a table with core.slots.where in it.
    EXPECT_EQ(
        failure_of_text("[core]\nslots = 3\n\"slots.where\" = \"*\"\n"),
        "x.toml:3:1: unknown key 'core.slots.where'; `heddle list parameters` shows all keys");
}

TEST_F(configuration, toml_syntax_errors_name_line_and_column) {
    EXPECT_THAT(failure_of_text("load = 0.5\nload = = 3\n"),
                StartsWith("x.toml:2:8: not valid TOML: "));
    EXPECT_THAT(failure_of_text("load = 0.1\nload = 0.2\n"), HasSubstr("x.toml:2:"));
    EXPECT_THAT(failure_of_text("name = \"open\n"), StartsWith("x.toml:1:"));
    EXPECT_THAT(failure_of_text("[# no name\n"), StartsWith("x.toml:1:2: not valid TOML: "));
    EXPECT_THAT(failure_of_text(std::string("\x7f"
                                            "ELF\0\0",
                                            6)),
                HasSubstr("not valid TOML"));
    EXPECT_THAT(failure_of_text("load = " + std::string(100'000, '[')),
                HasSubstr("not valid TOML"));
}

TEST_F(configuration, settings_are_checked_like_files) {
    EXPECT_EQ(failure("", {"core.slots"}),
              "--set core.slots: expected KEY=VALUE, as smx.max_blocks=8");
    EXPECT_EQ(failure("", {"=3"}), "--set =3: expected KEY=VALUE, as smx.max_blocks=8");
    EXPECT_THAT(failure("", {"core.slots=0"}), StartsWith("--set core.slots=0: core.slots = 0 is"));
    EXPECT_THAT(failure("", {"cor.slots=2"}), HasSubstr("did you mean 'core.slots'?"));
    load("", {"name=a=b"});
    EXPECT_EQ(config.name, "a=b");
}

TEST_F(configuration, an_inconsistent_pair_names_both_places) {
    const std::string file = directory.write("x.toml", "load = 0.75\n");
    EXPECT_EQ(failure(file, {"core.slots=1"}),
              "inconsistent configuration: core.slots = 1 (--set), load = 0.75 (" + file +
                  ":1:8): it must hold that a load above 0.5 needs two core.slots");
}

TEST_F(configuration, rules_are_checked_only_after_the_last_source) {
    load(directory.write("x.toml", "load = 0.75\ncore.slots = 1\n"), {"core.slots=2"});
    EXPECT_EQ(config.core.slots, 2U);
}

TEST_F(configuration, two_loads_describe_themselves_in_the_same_bytes) {
    const std::string file = directory.write("x.toml", "load = 0.1\n[core]\nslots = 3\n");
    load(file);
    sample_configuration again;
    parameter_list other(again);
    load_configuration(other, {file});
    EXPECT_EQ(describe_text(parameters), describe_text(other));
    EXPECT_EQ(describe_json(parameters), describe_json(other));
}

}  // namespace
}  // namespace heddle
