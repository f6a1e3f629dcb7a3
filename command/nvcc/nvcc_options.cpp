// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/nvcc/nvcc_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "command/nvcc/nvcc_option_table.h"
#include "command/nvcc/words_of_others.h"
#include "models/base/error.h"
#include "models/base/suggestion.h"
#include "models/program/opencl_build.h"

namespace heddle::command {
namespace {

/// An option of the table that a word begins, and what of its value the word has.
struct found_option {
    const nvcc_option* option = nullptr;
    std::string name;
    bool has_value = false;
    std::string value;
};

found_option find_option(const std::string& word) {
    found_option best;
    for (const nvcc_option& each : nvcc_option_table()) {
        for (const std::string_view name : each.names) {
            if (word.rfind(name, 0) != 0 || name.size() < best.name.size()) continue;
            const std::string rest = word.substr(name.size());
            const bool takes = each.value != nvcc_value::none;
            if (rest.empty()) {
                best = {&each, std::string(name), false, ""};
            } else if (takes && rest[0] == '=' && each.value == nvcc_value::separate) {
                best = {&each, std::string(name), true, rest.substr(1)};
            } else if (takes && rest[0] == '=' && name.rfind("--", 0) == 0) {
                best = {&each, std::string(name), true, rest.substr(1)};
            } else if (each.value == nvcc_value::joined && name.rfind("--", 0) != 0) {
                best = {&each, std::string(name), true, rest[0] == '=' ? rest.substr(1) : rest};
            }
        }
    }
    return best;
}

[[noreturn]] void refuse_option(const std::string& word) {
    std::vector<std::string> names;
    for (const nvcc_option& each : nvcc_option_table()) {
        names.insert(names.end(), each.names.begin(), each.names.end());
    }
    throw configuration_error(
        fmt::format("nvcc: there is no option '{}'{}{} `heddle nvcc --help` lists the options; "
                    "-Xcompiler has options for the host's compiler",
                    word, hint(word.substr(0, word.find('=')), names),
                    hint(word.substr(0, word.find('=')), names).empty() ? ";" : ""));
}

bool ends_in(const std::string& file, std::initializer_list<const char*> endings) {
    const std::string extension = std::filesystem::path(file).extension().string();
    return std::find(endings.begin(), endings.end(), extension) != endings.end();
}

/// Words that the table can't have: options that are several options of the host's compiler.
bool take_for_host(nvcc_request& request, const std::string& word, bool forward) {
    const bool known = word.rfind("-W", 0) == 0 && word.rfind("-Wl,", 0) != 0 &&
                       word.find(',') == std::string::npos;
    if (word.rfind("-Wl,", 0) == 0 || word == "-pthread" || word == "-static" ||
        word == "-rdynamic") {
        request.link_words.push_back(word);
    } else if (known || word == "-fPIC" || word == "-fpic" || word == "-fopenmp" ||
               word == "-pedantic" || word == "-ansi" || forward) {
        request.host.push_back(word);
    } else {
        return false;
    }
    return true;
}

void take_file(nvcc_request& request, const std::string& word) {
    const bool linked =
        ends_in(word, {".o", ".a", ".so", ".obj", ".lo"}) || word.find(".so.") != std::string::npos;
    if (linked) {
        request.link_words.push_back(word);
    } else if (request.all_cuda ||
               ends_in(word, {".cu", ".cpp", ".cc", ".cxx", ".c", ".C", ".c++"})) {
        request.sources.push_back(word);
        request.link_words.emplace_back();
    } else {
        throw configuration_error(
            "nvcc: " + word +
            ": unknown kind of file; legal: .cu, .cpp .cc .cxx .C, .c, .o, .a, .so; "
            "-x cu for a CUDA source of another name");
    }
}

/// The words of --options-file files in their places.
std::vector<std::string> with_files(const std::vector<std::string>& words, unsigned depth = 0) {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < words.size(); ++i) {
        std::string file;
        for (const char* const name : {"--options-file", "-optf"}) {
            if (words[i] == name && i + 1 < words.size()) file = words[++i];
            if (words[i].rfind(std::string(name) + "=", 0) == 0) {
                file = words[i].substr(std::string(name).size() + 1);
            }
        }
        if (words[i].size() > 1 && words[i][0] == '@' && file.empty()) file = words[i].substr(1);
        if (file.empty()) {
            all.push_back(words[i]);
            continue;
        }
        std::ifstream in(file);
        if (!in || depth > 8) throw configuration_error("nvcc: can't read the options in " + file);
        const std::string text{std::istreambuf_iterator<char>(in), {}};
        const auto more = program::option_words(text);
        if (!more) throw configuration_error("nvcc: " + file + ": a quotation mark is not closed");
        const auto inner = with_files(*more, depth + 1);
        all.insert(all.end(), inner.begin(), inner.end());
    }
    return all;
}

}  // namespace

nvcc_request read_nvcc_options(const std::vector<std::string>& given) {
    nvcc_request request;
    const std::vector<std::string> words = with_files(given);
    const auto is_forward = [](const std::string& word) {
        return word.find("-forward-unknown") != std::string::npos;
    };
    const bool forward = std::any_of(words.begin(), words.end(), is_forward);
    // -x cu counts for files before it, too.
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
        if ((words[i] == "-x" || words[i] == "--x") && words[i + 1] == "cu")
            request.all_cuda = true;
    }
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        if (word.size() < 2 || word[0] != '-') {
            if (!word.empty()) take_file(request, word);
            continue;
        }
        found_option found = find_option(word);
        if (found.option == nullptr) {
            if (!take_for_host(request, word, forward)) refuse_option(word);
            continue;
        }
        if (found.option->value != nvcc_value::none && !found.has_value) {
            if (i + 1 == words.size()) {
                throw configuration_error("nvcc: nothing follows '" + word + "'");
            }
            found.value = words[++i];
        }
        found.option->take(request, found.value);
    }
    leave_out_other_toolkits(request);
    return request;
}

bool asks_for_commands(const std::vector<std::string>& words) {
    for (std::size_t i = 0; i < words.size(); ++i) {
        const found_option found = find_option(words[i]);
        if (found.option == nullptr) continue;
        for (const char* const name : {"-v", "--verbose", "-dryrun", "--dryrun"}) {
            if (words[i] == name) return true;
        }
        if (found.option->value != nvcc_value::none && !found.has_value) ++i;
    }
    return false;
}

std::string nvcc_help() {
    std::string text =
        "Compiles and links CUDA programs for Heddle: heddle nvcc [OPTIONS] FILE...\n\n"
        "Sources (.cu; .cpp and .c for the host alone), objects and archives.\n\n";
    std::string accepted;
    for (const nvcc_option& each : nvcc_option_table()) {
        std::string names;
        for (const std::string_view name : each.names) {
            names += (names.empty() ? "" : ", ") + std::string(name);
        }
        if (each.help.empty()) {
            accepted += (accepted.empty() ? "" : ", ") + names;
        } else {
            text += fmt::format("  {}\n      {}\n", names, each.help);
        }
    }
    return text + "\nAccepted, and without a meaning here:\n  " + accepted + "\n";
}

}  // namespace heddle::command
