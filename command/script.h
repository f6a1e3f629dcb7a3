// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <string>
#include <vector>

namespace heddle::command {

/// The words that start a script of Heddle's (data_folders::scripts): its file, then --binary with
/// this program, which the script asks or runs, and no other. Throws configuration_error if the
/// script or Python is not there.
[[nodiscard]] std::vector<std::string> script_words(const std::string& name);

/// This process becomes the script, with `arguments` behind those words. Throws configuration_error
/// if it can't be started.
[[noreturn]] void become_script(const std::string& name, const std::vector<std::string>& arguments);

}  // namespace heddle::command
