// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/inputs/input_table.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

namespace heddle::inputs {
namespace {

/// "; did you mean 'X'?" or ";", in front of what is legal.
std::string hint_or_semicolon(std::string_view word, const std::vector<std::string>& candidates) {
    const std::string suggestion = hint(word, candidates);
    return suggestion.empty() ? ";" : suggestion;
}

}  // namespace

void reject_input(const std::string& input, const std::string& what) {
    throw configuration_error("input " + input + ": " + what);
}

void assign_arguments(const std::string& input, const std::string& name, std::string_view text,
                      parameter_list& arguments) {
    std::vector<std::string> given;
    while (!text.empty()) {
        const std::string argument(text.substr(0, text.find(',')));
        text.remove_prefix(std::min(text.size(), argument.size() + 1));
        const std::size_t equals = argument.find('=');
        const std::string key = argument.substr(0, equals);
        if (equals == std::string::npos) {
            reject_input(input, "found '" + argument + "', expected KEY=VALUE with one of " +
                                    joined(arguments.keys()) + " for KEY");
        }
        if (arguments.find(key) == nullptr) {
            reject_input(input, name + " has no argument '" + key + "'" +
                                    hint_or_semicolon(key, arguments.keys()) + " expected one of " +
                                    joined(arguments.keys()));
        }
        if (std::find(given.begin(), given.end(), key) != given.end()) {
            reject_input(input, "argument '" + key + "' is given twice");
        }
        given.push_back(key);
        arguments.assign_text(key, argument.substr(equals + 1), "given", "input " + input);
    }
    try {
        arguments.check_rules();
    } catch (const configuration_error& error) {
        reject_input(input, error.what());
    }
}

std::string full_text(const std::string& name, const parameter_list& arguments,
                      std::uint64_t run_seed) {
    std::string text = name;
    for (const parameter& argument : arguments.parameters()) {
        std::string value = to_text(argument.get());
        if (argument.key == "seed" && value == "-1") value = std::to_string(run_seed);
        text +=
            (&argument == &arguments.parameters().front() ? ":" : ",") + argument.key + "=" + value;
    }
    return text;
}

std::string extension_of(const std::string& file) {
    std::filesystem::path path(file);
    const auto lower_case = [](std::string text) {
        std::transform(text.begin(), text.end(), text.begin(), [](char c) {
            return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        });
        return text;
    };
    std::string extension = lower_case(path.extension().string());
    return extension == ".gz" ? lower_case(path.stem().extension().string()) : extension;
}

void reject_extension(const std::string& file, const std::vector<std::string>& known,
                      const std::string& example) {
    const std::string extension = extension_of(file);
    const std::string found =
        extension.empty() ? "a name without extension" : "the extension '" + extension + "'";
    reject_input(file, found + " names no format; expected one of " + joined(known) +
                           ", or FORMAT:file=FILE, as " + example + ":file=" + file);
}

void reject_name(const std::string& input, const std::string& name,
                 const std::vector<std::string>& known) {
    reject_input(input, "there is no such file, nor a format or generator '" + name + "'" +
                            hint_or_semicolon(name, known) + " known: " + joined(known));
}

bool file_exists(const std::string& file) {
    std::error_code ignored;
    return std::filesystem::exists(file, ignored);
}

}  // namespace heddle::inputs
