// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/sweep/sweep_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "models/base/data_folders.h"
#include "models/base/error.h"

namespace heddle::command {

void sweep(const std::vector<std::string>& arguments) {
    const std::string script = (data_folders_in_use().scripts / "sweep").string();
    // Not for its content, but so that the script runs this program and no other.
    const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
    std::vector<std::string> words{script, "--binary", self};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    execv(script.c_str(), pointers.data());
    throw configuration_error(
        fmt::format("sweep is a script of Heddle's source tree, and {} can't be started: {}",
                    script, std::strerror(errno)));
}

}  // namespace heddle::command
