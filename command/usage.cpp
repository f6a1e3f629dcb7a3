// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/usage.h"

#include <fmt/format.h>

#include <charconv>
#include <vector>

#include "models/base/suggestion.h"

namespace heddle::command {
namespace {

/// The subcommand that the command line got to.
const CLI::App& innermost(const CLI::App& app) {
    const CLI::App* at = &app;
    while (!at->get_subcommands().empty()) at = at->get_subcommands().front();
    return *at;
}

/// "run: "; nothing for the command itself.
std::string path_of(const CLI::App& at) {
    std::string path;
    for (const CLI::App* sub = &at; sub->get_parent() != nullptr; sub = sub->get_parent()) {
        path = sub->get_name() + (path.empty() ? "" : " ") + path;
    }
    return path;
}

std::vector<std::string> subcommand_names(const CLI::App& of) {
    std::vector<std::string> names;
    for (const CLI::App* sub : of.get_subcommands({})) names.push_back(sub->get_name());
    return names;
}

/// As they are typed: --name, -n.
std::vector<std::string> option_names(const CLI::App& of) {
    std::vector<std::string> names;
    for (const CLI::Option* option : of.get_options()) {
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
        for (const std::string& name : option->get_snames()) names.push_back("-" + name);
    }
    return names;
}

/// What `at` could not make sense of.
std::string unexpected(const CLI::App& at) {
    const std::vector<std::string> rest = at.remaining();
    for (const std::string& word : rest) {
        if (word.size() < 2 || word.front() != '-') continue;
        return fmt::format("there is no option '{}'{}", word,
                           hint(word.substr(0, word.find('=')), option_names(at)));
    }
    if (rest.empty()) return {};
    const std::vector<std::string> names = subcommand_names(at);
    if (names.empty()) return fmt::format("unexpected argument '{}'", rest.front());
    return fmt::format("there is no subcommand '{}'{} (there are: {})", rest.front(),
                       hint(rest.front(), names), joined(names));
}

std::string missing(const CLI::App& at) {
    for (const CLI::Option* option : at.get_options()) {
        if (!option->get_required() || option->count() != 0) continue;
        const std::string name = option->get_positional() ? "" : option->get_name() + " ";
        return name + option->get_type_name() + " is missing";
    }
    return "a subcommand is missing (there are: " + joined(subcommand_names(at)) + ")";
}

}  // namespace

option_check whole_number(std::uint64_t high) {
    return [high](const std::string& text) {
        std::uint64_t value = 0;
        const char* const end = text.data() + text.size();
        const auto [stop, error] = std::from_chars(text.data(), end, value);
        const bool good = error == std::errc() && stop == end && value <= high;
        return good ? std::string()
                    : fmt::format("found '{}', expected a whole number from 0 to {}", text, high);
    };
}

void refuse_empty_values(CLI::App& command) {
    for (CLI::Option* option : command.get_options()) {
        if (option->get_expected_max() == 0 || option->get_name() == "--arg") continue;
        const std::string expected = option->get_type_name();
        option->check([expected](const std::string& text) {
            return text.empty() ? "found an empty text, expected " + expected : std::string();
        });
    }
}

std::string usage_text(const CLI::App& app, const CLI::ParseError& error) {
    const CLI::App& at = innermost(app);
    const std::string path = path_of(at);
    std::string text = unexpected(at);
    if (text.empty()) {
        const bool lacks = dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
        text = lacks ? missing(at) : error.what();
    }
    return fmt::format("{}{}{} `{}{} --help` shows the usage", path.empty() ? "" : path + ": ",
                       text, text.back() == '?' ? "" : ";", app.get_name(),
                       path.empty() ? "" : " " + path);
}

}  // namespace heddle::command
