// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>

namespace heddle::command {

/// The command line of `heddle sweep`: all arguments are the script's.
void add_sweep(CLI::App& app);

/// The command line of `heddle validate`; `file` keeps its argument.
void add_validate(CLI::App& app, std::string& file, const std::filesystem::path& configurations);

}  // namespace heddle::command
