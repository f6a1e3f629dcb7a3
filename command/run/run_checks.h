// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "command/run/data/launch_plan.h"
#include "command/run/run_command.h"

namespace heddle::command {

/// Whether it runs kernels of an ELF file rather than a workload: what starts with '.' or '/' or
/// ends in .elf or .toml, or any other file that is there and has no workload's name.
[[nodiscard]] bool runs_file(const run_request& request);
/// Whether that file is a launch script: what ends in .toml.
[[nodiscard]] bool runs_script(const run_request& request);

/// Throws configuration_error for options that have no meaning for what is run or contradict each
/// other, and for two outputs in one file.
void check_request(const run_request& request);

/// Throws configuration_error for an output in a file that the run reads. `plan`: of kernels of an
/// ELF file.
void check_inputs_stay(const run_request& request,
                       const std::vector<std::filesystem::path>& configuration_files,
                       const std::optional<launch_plan>& plan);

/// Throws configuration_error if the name of an output has an ending that is not one of these; a
/// name without one (a pipe, a device) is taken.
void check_file_ending(const char* option, const std::string& file,
                       const std::vector<std::string>& endings);

}  // namespace heddle::command
