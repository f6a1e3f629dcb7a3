// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/script.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "models/base/data_folders.h"
#include "models/base/error.h"
#include "models/program/process.h"

namespace heddle::command {

namespace fs = std::filesystem;

std::vector<std::string> script_words(const std::string& name) {
    const fs::path file = data_folders_in_use().scripts / name;
    if (!fs::exists(file)) {
        throw configuration_error(
            fmt::format("{}: there is no '{}'; legal: heddle of a source tree that has it", name,
                        file.string()));
    }
    if (program::find_program("/usr/bin/python3").empty()) {
        throw configuration_error(name + ": /usr/bin/python3 is missing: apt-get install python3");
    }
    return {file.string(), "--binary", fs::read_symlink("/proc/self/exe").string()};
}

void become_script(const std::string& name, const std::vector<std::string>& arguments) {
    std::vector<std::string> words = script_words(name);
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    ::execv(words.front().c_str(), pointers.data());
    throw configuration_error(
        fmt::format("{}: can't start '{}': {}", name, words.front(), std::strerror(errno)));
}

}  // namespace heddle::command
