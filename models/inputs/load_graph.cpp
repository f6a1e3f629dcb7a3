// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/inputs/load_graph.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <new>
#include <string_view>
#include <vector>

#include "models/base/configuration_report.h"
#include "models/base/error.h"
#include "models/base/suggestion.h"
#include "models/inputs/input_kind.h"

namespace heddle::inputs {
namespace {

/// "; did you mean 'X'?" or ";", in front of what is legal.
std::string hint_or_semicolon(std::string_view word, const std::vector<std::string>& candidates) {
    const std::string suggestion = hint(word, candidates);
    return suggestion.empty() ? ";" : suggestion;
}

std::vector<std::string> kind_names() {
    std::vector<std::string> names;
    for (const input_kind& kind : all_input_kinds()) names.push_back(kind.name);
    return names;
}

const input_kind* find_kind(std::string_view name) {
    for (const input_kind& kind : all_input_kinds()) {
        if (kind.name == name) return &kind;
    }
    return nullptr;
}

[[noreturn]] void reject(const std::string& input, const std::string& what) {
    throw configuration_error("input " + input + ": " + what);
}

/// Assigns "key=value,key=value".
void assign_arguments(const std::string& input, const input_kind& kind, std::string_view text,
                      parameter_list& arguments) {
    std::vector<std::string> given;
    while (!text.empty()) {
        const std::string argument(text.substr(0, text.find(',')));
        text.remove_prefix(std::min(text.size(), argument.size() + 1));
        const std::size_t equals = argument.find('=');
        const std::string key = argument.substr(0, equals);
        if (equals == std::string::npos) {
            reject(input, "found '" + argument + "', expected KEY=VALUE with one of " +
                              joined(arguments.keys()) + " for KEY");
        }
        if (arguments.find(key) == nullptr) {
            reject(input, kind.name + " has no argument '" + key + "'" +
                              hint_or_semicolon(key, arguments.keys()) + " expected one of " +
                              joined(arguments.keys()));
        }
        if (std::find(given.begin(), given.end(), key) != given.end()) {
            reject(input, "argument '" + key + "' is given twice");
        }
        given.push_back(key);
        arguments.assign_text(key, argument.substr(equals + 1), "given", "input " + input);
    }
    try {
        arguments.check_rules();
    } catch (const configuration_error& error) {
        reject(input, error.what());
    }
}

/// The generator with all its arguments, so that the text makes the same graph again.
std::string full_text(const input_kind& kind, const parameter_list& arguments,
                      std::uint64_t run_seed) {
    std::string text = kind.name;
    for (const parameter& argument : arguments.parameters()) {
        std::string value = to_text(argument.get());
        if (argument.key == "seed" && value == "-1") value = std::to_string(run_seed);
        text +=
            (&argument == &arguments.parameters().front() ? ":" : ",") + argument.key + "=" + value;
    }
    return text;
}

graph load_kind(const std::string& input, const input_kind& kind, std::string_view text,
                std::uint64_t run_seed) {
    const auto prepared = kind.prepare();
    parameter_list& arguments = prepared->arguments();
    assign_arguments(input, kind, text, arguments);
    if (!kind.is_format()) return prepared->load(full_text(kind, arguments, run_seed), run_seed);
    const std::string file = to_text(arguments.find("file")->get());
    if (file.empty()) reject(input, "which file? expected " + kind.name + ":file=FILE");
    return prepared->load(file, run_seed);
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

const input_kind& kind_of_file(const std::string& file) {
    const std::string extension = extension_of(file);
    std::vector<std::string> known;
    for (const input_kind& kind : all_input_kinds()) {
        for (const std::string& candidate : kind.extensions) {
            if (candidate == extension) return kind;
            known.push_back(candidate);
        }
    }
    const std::string found =
        extension.empty() ? "a name without extension" : "the extension '" + extension + "'";
    reject(file, found + " names no format; expected one of " + joined(known) +
                     ", or FORMAT:file=FILE, as metis:file=" + file);
}

graph load(const std::string& input, std::uint64_t run_seed) {
    if (input.empty()) throw configuration_error("input: empty; expected a file or GENERATOR:args");
    const std::size_t colon = input.find(':');
    const std::string name = input.substr(0, colon);
    if (const input_kind* kind = find_kind(name); kind != nullptr) {
        const std::string_view text(input);
        return load_kind(input, *kind, colon == std::string::npos ? "" : text.substr(colon + 1),
                         run_seed);
    }
    std::error_code ignored;
    if (!std::filesystem::exists(input, ignored)) {
        reject(input, "there is no such file, nor a format or generator '" + name + "'" +
                          hint_or_semicolon(name, kind_names()) +
                          " known: " + joined(kind_names()));
    }
    const input_kind& kind = kind_of_file(input);
    const auto prepared = kind.prepare();
    prepared->arguments().assign("file", input, "given", "input " + input);
    return prepared->load(input, run_seed);
}

}  // namespace

const std::vector<input_kind>& all_input_kinds() {
    static const std::vector<input_kind> kinds{
        dimacs(),    edge_list_file(), matrix_market(), metis(),
        kronecker(), powerlaw(),       rmat(),          road()};
    return kinds;
}

graph load_graph(const std::string& input, std::uint64_t seed) try {
    return load(input, seed);
} catch (const std::bad_alloc&) {
    reject(input, "the graph does not fit into this host's memory");
}

std::string input_file(const std::string& input) try {
    const std::size_t colon = input.find(':');
    const input_kind* const kind = find_kind(input.substr(0, colon));
    if (kind == nullptr) return input;
    if (!kind->is_format() || colon == std::string::npos) return {};
    const auto prepared = kind->prepare();
    assign_arguments(input, *kind, std::string_view(input).substr(colon + 1),
                     prepared->arguments());
    return to_text(prepared->arguments().find("file")->get());
} catch (const configuration_error&) {
    return {};
}

std::string describe_inputs() {
    std::string text;
    for (const input_kind& kind : all_input_kinds()) {
        text += (text.empty() ? "" : "\n") + kind.name + ": " + kind.description + "\n";
        if (kind.is_format()) text += "files: " + joined(kind.extensions) + "\n";
        text += parameters_text(kind.prepare()->arguments());
    }
    return text;
}

}  // namespace heddle::inputs
