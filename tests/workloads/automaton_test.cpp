// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// The automata of regx against std::regex.
#include "models/workloads/regx/automaton.h"

#include <gmock/gmock.h>

#include <regex>

#include "models/base/error.h"
#include "models/base/random.h"

namespace heddle::workloads {
namespace {

using testing::HasSubstr;

bool runs_to_a_match(const automaton& machine, const std::string& text) {
    std::uint32_t state = 1;
    for (const char letter : text) {
        state = machine.transitions()[state * 256 + static_cast<unsigned char>(letter)];
        if (state >= machine.accepting()) return true;
    }
    return false;
}

bool matches(const choice_automaton& choices, const std::string& text) {
    return choices.matches_at(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
}

TEST(automaton, agrees_with_the_standard_library) {
    random_stream random(1, "automaton");
    for (const char* pattern :
         {"a",        "abc",   "a|b",    "ab*c",   "ab+c",    "ab?c",          "(ab)+c",
          "(a|bc)*d", "[ab]c", "[^a]b",  "a.c",    "[a-c]+d", "a(b|c(d|e))*f", "(a|b|c)(d|e)",
          "a\\.b",    "[.a]b", "a+b+c+", "(a*b)+", "[^a-c]",  "((a))",         "a[b-]c"}) {
        SCOPED_TRACE(pattern);
        const choice_automaton choices({pattern});
        const automaton machine(choices);
        const std::regex expected(pattern);
        for (int round = 0; round < 300; ++round) {
            std::string text(random.below(9), ' ');
            for (char& letter : text) letter = "abcdef.-"[random.below(8)];
            const bool found =
                std::regex_search(text, expected, std::regex_constants::match_continuous);
            EXPECT_EQ(matches(choices, text), found) << text;
            EXPECT_EQ(runs_to_a_match(machine, text), found) << text;
        }
    }
}

TEST(automaton, matches_any_of_its_patterns_and_every_byte) {
    const choice_automaton choices({"ab", "[x-z]1", std::string("\x90.") + '\xff'});
    const automaton machine(choices);
    for (const char* text : {"abc", "y1", "\x90q\xff"}) {
        EXPECT_TRUE(matches(choices, text)) << text;
        EXPECT_TRUE(runs_to_a_match(machine, text)) << text;
    }
    for (const char* text : {"", "a", "ba", "w1", "\x90\xff"}) {
        EXPECT_FALSE(matches(choices, text)) << text;
        EXPECT_FALSE(runs_to_a_match(machine, text)) << text;
    }
}

TEST(automaton, many_states_are_told_apart) {
    const std::string letters = "abcdefgh";
    std::string pattern;
    for (int round = 0; round < 20; ++round) pattern += letters;
    const choice_automaton choices({"x", pattern});
    const automaton machine(choices);
    EXPECT_TRUE(matches(choices, pattern));
    EXPECT_TRUE(runs_to_a_match(machine, pattern));
    for (std::size_t at = 0; at < pattern.size(); ++at) {
        std::string wrong = pattern;
        wrong[at] = 'z';
        EXPECT_FALSE(matches(choices, wrong)) << at;
        EXPECT_FALSE(runs_to_a_match(machine, wrong)) << at;
    }
}

TEST(automaton, damaged_patterns_are_errors) {
    const auto error_of = [](const std::string& pattern) {
        try {
            const choice_automaton choices({"a", pattern});
        } catch (const configuration_error& error) {
            return std::string(error.what());
        }
        return std::string("no error");
    };
    EXPECT_EQ(error_of("a(b"), "pattern a(b: column 4: found the end of the pattern, expected ')'");
    EXPECT_EQ(error_of("ab)"), "pattern ab): column 3: found ')', expected the end of the pattern");
    EXPECT_THAT(error_of("*a"), HasSubstr("column 1: found '*', expected a byte"));
    EXPECT_THAT(error_of("[ab"), HasSubstr("expected ']'"));
    EXPECT_THAT(error_of("[b-a]"), HasSubstr("a range that ends behind its start"));
    EXPECT_THAT(error_of("a\\"), HasSubstr("expected a byte"));
    EXPECT_THAT(error_of(""), HasSubstr("column 1: found the end of the pattern"));
    EXPECT_EQ(error_of("a*"), "pattern a*: it matches the empty string");
}

}  // namespace
}  // namespace heddle::workloads
