// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "command/run/run_command.h"

namespace heddle::command {

/// An option that may be given several times, with one value each.
void add_repeated(CLI::App& app, const std::string& name, std::vector<std::string>& values,
                  const std::string& type, const std::string& description);

/// Adds the subcommand `run`, which fills `request` and runs it. Both references must outlive
/// `app`.
void add_run(CLI::App& app, run_request& request, const std::filesystem::path& configurations);
/// The same with gdb at it: `gdb`.
void add_gdb(CLI::App& app, run_request& request, const std::filesystem::path& configurations);

/// Adds what any program can be run with: the machine, and what is seen and written of the run.
/// `request` must outlive `options`.
void add_device_options(CLI::App& options, run_request& request);
/// Adds what a workload can be run with: all options but those of kernels of ELF files; likewise.
void add_workload_options(CLI::App& options, run_request& request);

/// The words of the command line, with "--golden NAME=FILE" as one word: --golden is a flag, too,
/// and a flag takes its value only behind "=".
std::vector<std::string> join_golden_values(int argc, char** argv);

}  // namespace heddle::command
