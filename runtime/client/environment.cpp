// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "runtime/client/environment.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "runtime/protocol/wire.h"

namespace heddle::runtime {
namespace {

namespace fs = std::filesystem;

std::string variable(const char* name) {
    const char* const value = std::getenv(name);
    return value == nullptr ? "" : value;
}

bool is_program(const fs::path& file) {
    std::error_code error;
    return fs::is_regular_file(file, error) && ::access(file.c_str(), X_OK) == 0;
}

/// The command of the build or installation that this library is of.
std::string find_command() {
    const std::string named = variable("HEDDLE_COMMAND");
    if (!named.empty()) {
        if (is_program(named)) return named;
        throw connection_error("HEDDLE_COMMAND: '" + named + "' is no program");
    }
    // A library that is a part of the program has been told.
    const std::string told = HEDDLE_COMMAND_PLACE;
    if (is_program(told)) return told;
    Dl_info self{};
    fs::path folder;
    std::error_code error;
    if (::dladdr(reinterpret_cast<const void*>(&split_words), &self) != 0) {
        folder = fs::canonical(self.dli_fname, error).parent_path();
    }
    for (const char* const place : {"heddle", "../bin/heddle", "../../bin/heddle"}) {
        const fs::path command = (folder / place).lexically_normal();
        if (is_program(command)) return command.string();
    }
    throw connection_error("there is no heddle command near '" + folder.string() +
                           "'; say where with HEDDLE_COMMAND");
}

/// The server can't say it: that file is where it would.
void check_summary(const std::string& file) {
    if (file.empty() || file == "-") return;
    const int opened = ::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (opened < 0) {
        throw connection_error("HEDDLE_SUMMARY: cannot write '" + file +
                               "': " + std::strerror(errno));
    }
    ::close(opened);
}

/// As `heddle run` shows it: the name of this program.
std::string program_name() {
    std::error_code error;
    const fs::path self = fs::read_symlink("/proc/self/exe", error);
    return error ? "program" : self.filename().string();
}

}  // namespace

std::vector<std::string> split_words(const std::string& text) {
    std::vector<std::string> words;
    bool within = false;
    char quote = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quote == 0 && (c == ' ' || c == '\t' || c == '\n')) {
            within = false;
            continue;
        }
        if (!within) words.emplace_back();
        within = true;
        if (quote == 0 && (c == '\'' || c == '"')) {
            quote = c;
        } else if (c == quote) {
            quote = 0;
        } else if (c == '\\' && quote != '\'' && i + 1 < text.size()) {
            words.back() += text[++i];
        } else {
            words.back() += c;
        }
    }
    if (quote != 0) throw connection_error("a quote is not closed in: " + text);
    return words;
}

std::string quoted_word(const std::string& word) {
    std::string text = "'";
    for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + "'";
}

server_start server_start_from_environment(unsigned number) {
    server_start start;
    start.program = find_command();
    start.words = {"device-server", "--program", program_name(), "--number",
                   std::to_string(number)};
    const std::string claims = variable("HEDDLE_CLAIMS");
    if (!claims.empty()) start.words.insert(start.words.end(), {"--claims", claims});
    const std::string configuration = variable("HEDDLE_CONFIG");
    if (!configuration.empty()) start.words.insert(start.words.end(), {"--config", configuration});
    for (const std::string& word : split_words(variable("HEDDLE_OPTIONS"))) {
        start.words.push_back(word);
    }
    start.directory = variable("HEDDLE_DIRECTORY");
    std::error_code error;
    if (!start.directory.empty() && !fs::is_directory(start.directory, error)) {
        throw connection_error("HEDDLE_DIRECTORY: '" + start.directory + "' is no folder");
    }
    start.summary = variable("HEDDLE_SUMMARY");
    check_summary(start.summary);
    return start;
}

}  // namespace heddle::runtime
