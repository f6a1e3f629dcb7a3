// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/base/parameter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "models/base/configuration_report.h"
#include "models/base/error.h"
#include "tests/base/sample_configuration.h"
#include "tests/base/temporary_directory.h"

namespace heddle {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

/// A configuration whose declaration is given by the test.
template <class Declare>
struct declared_by {
    Declare declare_it;
    void declare(parameter_list& p) { declare_it(p); }
};

template <class Declare>
std::string mistake(Declare declare) {
    declared_by<Declare> config{declare};
    return message_of<std::logic_error>([&] { parameter_list list(config); });
}

class sample : public testing::Test {
protected:
    std::string failure(const std::string& key, const parameter_value& value) {
        return message_of<configuration_error>(
            [&] { parameters.assign(key, value, "x.toml:3:7", "x.toml:3:7"); });
    }
    std::string text_failure(const std::string& key, const std::string& text) {
        return message_of<configuration_error>([&] { set(key, text); });
    }
    void set(const std::string& key, const std::string& text) {
        parameters.assign_text(key, text, "--set", "--set " + key + "=" + text);
    }

    sample_configuration config;
    parameter_list parameters{config};
};

TEST_F(sample, lists_keys_in_the_order_of_declaration) {
    EXPECT_THAT(parameters.keys(),
                ElementsAre("name", "core.slots", "core.lanes", "core.policy", "load", "traced"));
    EXPECT_EQ(parameters.find("core.slots")->unit, "slot");
    EXPECT_EQ(parameters.find("slots"), nullptr);
}

TEST_F(sample, a_value_reaches_the_struct_and_remembers_its_source) {
    parameters.assign("core.slots", std::int64_t{7}, "x.toml:3:7", "x.toml:3:7");
    EXPECT_EQ(config.core.slots, 7U);
    EXPECT_EQ(parameters.find("core.slots")->source, "x.toml:3:7");
    EXPECT_EQ(parameters.find("core.slots")->get(), parameter_value(std::int64_t{7}));
    EXPECT_EQ(parameters.find("core.slots")->default_value, parameter_value(std::int64_t{4}));
    EXPECT_EQ(parameters.find("load")->source, "default");
}

TEST_F(sample, text_is_converted_to_the_type_of_the_parameter) {
    set("core.slots", "8");
    set("core.lanes", "64");
    set("core.policy", "gto");
    set("load", "0.75");
    set("traced", "true");
    set("name", "a = b # c");
    EXPECT_EQ(config.core.slots, 8U);
    EXPECT_EQ(config.core.lanes, 64);
    EXPECT_EQ(config.core.policy, sample_policy::gto);
    EXPECT_EQ(config.load, 0.75);
    EXPECT_TRUE(config.traced);
    EXPECT_EQ(config.name, "a = b # c");
    set("load", "1");
    EXPECT_EQ(config.load, 1.0);
    set("name", "");
    EXPECT_EQ(config.name, "");
}

TEST_F(sample, an_integer_is_a_real_number_but_not_the_other_way_round) {
    parameters.assign("load", std::int64_t{1}, "f", "f");
    EXPECT_EQ(config.load, 1.0);
    EXPECT_EQ(
        failure("core.slots", 3.0),
        "x.toml:3:7: core.slots = 3.0 has the wrong type: core.slots must be an integer from 1 "
        "to 16 (unit: slot)");
}

TEST_F(sample, both_ends_of_a_range_are_legal) {
    set("core.slots", "1");
    set("core.slots", "16");
    EXPECT_EQ(text_failure("core.slots", "0"),
              "--set core.slots=0: core.slots = 0 is out of range: core.slots must be an integer "
              "from 1 to 16 (unit: slot)");
    EXPECT_EQ(text_failure("core.slots", "17"),
              "--set core.slots=17: core.slots = 17 is out of range: core.slots must be an integer "
              "from 1 to 16 (unit: slot)");
    EXPECT_EQ(config.core.slots, 16U) << "a rejected value must not arrive";
    EXPECT_EQ(text_failure("core.slots", "99999999999999999999"),
              "--set core.slots=99999999999999999999: core.slots = 99999999999999999999 is out of "
              "range: core.slots must be an integer from 1 to 16 (unit: slot)");
}

TEST_F(sample, real_numbers_out_of_range_include_nan) {
    for (const std::string text : {"-0.1", "1.5", "nan", "inf"}) {
        EXPECT_EQ(text_failure("load", text), "--set load=" + text + ": load = " + text +
                                                  " is out of range: load must be a number from 0 "
                                                  "to 1");
    }
}

TEST_F(sample, an_integer_that_is_none_of_the_set) {
    EXPECT_EQ(failure("core.lanes", std::int64_t{48}),
              "x.toml:3:7: core.lanes = 48 is out of range: core.lanes must be one of 32, 64 "
              "(unit: lane)");
}

TEST_F(sample, a_name_that_is_no_choice_gets_a_suggestion) {
    EXPECT_EQ(failure("core.policy", std::string("gtoo")),
              "x.toml:3:7: core.policy = \"gtoo\" is not a choice: core.policy must be one of lrr, "
              "gto; did you mean 'gto'?");
    EXPECT_EQ(failure("core.policy", std::string("best")),
              "x.toml:3:7: core.policy = \"best\" is not a choice: core.policy must be one of lrr, "
              "gto");
}

TEST_F(sample, wrong_types_from_a_file) {
    EXPECT_EQ(failure("core.slots", std::string("many")),
              "x.toml:3:7: core.slots = \"many\" has the wrong type: core.slots must be an integer "
              "from 1 to 16 (unit: slot)");
    EXPECT_EQ(failure("core.policy", true),
              "x.toml:3:7: core.policy = true has the wrong type: core.policy must be one of lrr, "
              "gto");
    EXPECT_EQ(failure("name", std::int64_t{3}),
              "x.toml:3:7: name = 3 has the wrong type: name must be text");
    EXPECT_EQ(failure("traced", std::int64_t{1}),
              "x.toml:3:7: traced = 1 has the wrong type: traced must be true or false");
    EXPECT_EQ(failure("load", true),
              "x.toml:3:7: load = true has the wrong type: load must be a number from 0 to 1");
}

TEST_F(sample, integers_are_written_as_in_a_file) {
    const std::pair<const char*, unsigned> texts[] = {{"0xc", 12},    {"0xC", 12}, {"0o14", 12},
                                                      {"0b1100", 12}, {"1_2", 12}, {"0x0_c", 12}};
    for (const auto& [text, value] : texts) {
        set("core.slots", "1");
        set("core.slots", text);
        EXPECT_EQ(config.core.slots, value) << text;
    }
    for (const std::string text :
         {"0x", "0xg", "0x-1", "-0x1", "0X1", "0b2", "0o8", "_1", "1_", "1__2", "0x_1", "c"}) {
        EXPECT_EQ(text_failure("core.slots", text),
                  "--set core.slots=" + text + ": core.slots = \"" + text +
                      "\" has the wrong type: core.slots must be an integer from 1 to 16 (unit: "
                      "slot)");
    }
    EXPECT_EQ(text_failure("core.slots", "0x11"),
              "--set core.slots=0x11: core.slots = 17 is out of range: core.slots must be an "
              "integer from 1 to 16 (unit: slot)");
}

TEST_F(sample, long_texts_are_shortened) {
    const std::string text(1'000'000, 'x');
    for (const std::string& message :
         {failure(text, true), failure("core.policy", text), failure("core.slots", text)}) {
        EXPECT_LT(message.size(), 300U);
    }
    EXPECT_THAT(failure(text, true), testing::HasSubstr("xxx (1000000 bytes)'"));
}

TEST_F(sample, wrong_types_from_the_command_line) {
    for (const std::string text : {"", "x", "3x", "3.0", " 3", "3 ", "+3", "true"}) {
        EXPECT_EQ(text_failure("core.slots", text),
                  "--set core.slots=" + text + ": core.slots = \"" + text +
                      "\" has the wrong type: core.slots must be an integer from 1 to 16 (unit: "
                      "slot)");
    }
    EXPECT_EQ(
        text_failure("traced", "yes"),
        "--set traced=yes: traced = \"yes\" has the wrong type: traced must be true or false");
    EXPECT_EQ(text_failure("load", "1,5"),
              "--set load=1,5: load = \"1,5\" has the wrong type: load must be a number from 0 to "
              "1");
}

TEST_F(sample, an_unknown_key_gets_the_nearest_one) {
    EXPECT_EQ(text_failure("core.slot", "3"),
              "--set core.slot=3: unknown key 'core.slot'; did you mean 'core.slots'? `heddle list "
              "parameters` shows all keys");
    EXPECT_EQ(failure("temperature", true),
              "x.toml:3:7: unknown key 'temperature'; `heddle list parameters` shows all keys");
}

TEST_F(sample, a_violated_rule_names_values_and_sources) {
    parameters.check_rules();
    parameters.assign("load", 0.9, "a.toml:4:8", "a.toml:4:8");
    set("core.slots", "1");
    EXPECT_EQ(
        message_of<configuration_error>([&] { parameters.check_rules(); }),
        "inconsistent configuration: core.slots = 1 (--set), load = 0.9 (a.toml:4:8): it must "
        "hold that a load above 0.5 needs two core.slots");
}

TEST_F(sample, an_error_is_a_configuration_error_with_exit_code_2) {
    try {
        set("core.slots", "0");
        FAIL();
    } catch (const run_error& error) {
        EXPECT_EQ(exit_code(error.kind()), 2);
    }
}

TEST_F(sample, lists_are_generated_from_the_declarations) {
    EXPECT_EQ(parameters_text(parameters),
              "key          default  unit  legal                    description\n"
              "-----------  -------  ----  -----------------------  ------------------------\n"
              "name            none        text                     What to call it\n"
              "core.slots         4  slot  an integer from 1 to 16  Warps at a time\n"
              "core.lanes        32  lane  one of 32, 64            Threads of a warp\n"
              "core.policy      lrr        one of lrr, gto          Who issues | next\n"
              "load             0.5        a number from 0 to 1     Part of the slots in use\n"
              "traced         false        true or false            Whether to write a trace\n");
    EXPECT_THAT(parameters_json(parameters),
                StartsWith("[\n  {\n    \"key\": \"name\",\n    \"type\": \"text\",\n"
                           "    \"default\": \"none\",\n    \"unit\": \"\",\n"
                           "    \"legal\": \"text\",\n"
                           "    \"description\": \"What to call it\"\n  },\n"));
    const std::string page = parameters_markdown(parameters);
    EXPECT_NE(
        page.find(
            "| `core.policy` | choice | lrr |  | one of lrr, gto |  | Who issues \\| next |\n"),
        std::string::npos);
    EXPECT_NE(page.find("- a load above 0.5 needs two core.slots\n"), std::string::npos);
}

TEST_F(sample, describe_shows_effective_values_and_their_sources) {
    set("core.slots", "9");
    const std::string text = describe_text(parameters);
    EXPECT_NE(text.find("core.slots       9  slot  --set    Warps at a time\n"), std::string::npos)
        << text;
    EXPECT_NE(text.find("core.lanes      32  lane  default  Threads of a warp\n"),
              std::string::npos);
    const std::string json = describe_json(parameters);
    EXPECT_NE(json.find("  \"core.slots\": {\n    \"value\": 9,\n    \"unit\": \"slot\",\n"
                        "    \"default\": 4,\n    \"source\": \"--set\",\n"),
              std::string::npos)
        << json;
    EXPECT_EQ(json, describe_json(parameters));
}

TEST_F(sample, text_that_is_not_utf8_does_not_break_the_json) {
    set("name", "\xff");
    EXPECT_NE(describe_json(parameters).find("\xef\xbf\xbd"), std::string::npos);
}

/// Parameters that say what helps.
struct improvable_cache {
    unsigned latency = 4, size = 8, banks = 2, refresh = 9;
    bool slow = true;
    sample_policy policy = sample_policy::lrr;

    void declare(parameter_list& p) {
        p.add("latency", latency, range(1, 10), "cycle", "Time").smaller_is_better();
        p.add("size", size, range(1, 1024), "byte", "Room").larger_is_better(512).of("room");
        p.add("banks", banks, one_of({1, 2, 4}), "bank", "Banks").more_is_better();
        p.add("refresh", refresh, range(0, 10), "cycle", "0: none").best(std::int64_t{0});
        p.add("slow", slow, "Slowly").best(false);
        p.add("policy", policy, sample_policies, "Who").best("gto");
    }
};
struct improvable_configuration {
    improvable_cache cache;
    void declare(parameter_list& p) { p.nest("cache", cache); }
};

TEST(parameter_list, a_declaration_says_what_helps) {
    improvable_configuration configuration;
    const parameter_list parameters(configuration);
    const std::string page = parameters_markdown(parameters);
    for (const char* line :
         {"| an integer from 1 to 10 | smaller, to 1 | Time |",
          "| an integer from 1 to 1024 | larger, to 512 | Room |",
          "| one of 1, 2, 4 | larger | Banks |", "| an integer from 0 to 10 | 0 | 0: none |",
          "| true or false | false | Slowly |", "| one of lrr, gto | gto | Who |"}) {
        EXPECT_THAT(page, HasSubstr(line));
    }
    const std::string json = parameters_json(parameters);
    EXPECT_THAT(json, HasSubstr("\"description\": \"Time\",\n    \"better\": \"smaller\",\n"
                                "    \"ideal\": 1,\n    \"block\": \"cache\"\n"));
    EXPECT_THAT(json, HasSubstr("\"ideal\": 512,\n    \"block\": \"room\"\n"));
    EXPECT_THAT(json, HasSubstr("\"better\": \"larger\",\n    \"block\": \"cache\"\n"));
    EXPECT_THAT(json, HasSubstr("\"better\": \"one\",\n    \"ideal\": \"gto\",\n"));
}

TEST(parameter_list, an_ideal_value_must_be_legal) {
    struct wrong {
        unsigned number = 4;
        void declare(parameter_list& p) {
            p.add("n", number, range(1, 8), "", "Text").larger_is_better(9);
        }
    } configuration;
    EXPECT_EQ(message_of<std::logic_error>([&] { parameter_list parameters(configuration); }),
              "parameter n: illegal ideal value 9");
}

TEST(parameter_list, rejects_wrong_declarations) {
    unsigned number = 4;
    std::uint8_t byte = 4;
    auto policy = static_cast<sample_policy>(77);
    EXPECT_EQ(mistake([&](auto& p) {
                  p.add("a", number, range(1, 8), "", "A");
                  p.add("a", number, range(1, 8), "", "A");
              }),
              "parameter a: declared twice");
    EXPECT_EQ(mistake([&](auto& p) { p.add("a", number, range(5, 8), "", "A"); }),
              "parameter a: illegal default");
    EXPECT_EQ(mistake([&](auto& p) { p.add("a", policy, sample_policies, "A"); }),
              "parameter a: illegal default");
    EXPECT_EQ(mistake([&](auto& p) { p.add("a", number, range(1, 8), "", ""); }),
              "parameter a: has no description");
    EXPECT_EQ(mistake([&](auto& p) { p.add("a", byte, range(0, 256), "", "A"); }),
              "parameter a: the member can't hold 256");
    EXPECT_EQ(mistake([&](auto& p) {
                  p.add("a", byte, one_of({-1, 4}), "", "A");
              }),
              "parameter a: the member can't hold -1");
    EXPECT_EQ(mistake([&](auto& p) {
                  p.add("a", number, range(1, 8), "", "A");
                  p.require({"b"}, "b is good", [] { return true; });
              }),
              "rule 'b is good' names the unknown key b");
    EXPECT_EQ(mistake([&](auto& p) {
                  p.add("a", number, range(1, 8), "", "A");
                  p.require({"a"}, "a is odd", [&] { return number % 2 == 1; });
              }),
              "the defaults violate the rule: a is odd");
}

TEST(parameter_list, covers_the_widest_members) {
    struct {
        std::uint64_t large = 1;
        std::int64_t negative = -1;
        std::uint8_t small = 0;
        void declare(parameter_list& p) {
            const auto most = std::numeric_limits<std::int64_t>::max();
            p.add("large", large, range(0, most), "", "L");
            p.add("negative", negative, range(-most - 1, 0), "", "N");
            p.add("small", small, range(0, 255), "", "S");
        }
    } config;
    parameter_list parameters(config);
    parameters.assign_text("large", "9223372036854775807", "", "");
    parameters.assign_text("negative", "-9223372036854775808", "", "");
    parameters.assign_text("small", "255", "", "");
    EXPECT_EQ(config.large, 9223372036854775807U);
    EXPECT_EQ(config.negative, std::numeric_limits<std::int64_t>::min());
    EXPECT_EQ(config.small, 255);
}

}  // namespace
}  // namespace heddle
