// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "models/device/device.h"

namespace heddle::command {

/// `heddle run`, as typed.
struct run_request {
    std::string what;  ///< a workload's name, or an ELF file (contains '/' or ends in .elf)
    std::string configuration;          ///< NAME or FILE
    std::vector<std::string> settings;  ///< key=value
    std::string input;
    std::vector<std::string> options;  ///< workload options, key=value
    std::uint64_t seed = 1;
    std::string statistics_file;
    // For an ELF file:
    std::string kernel;  ///< may be empty when there is only one
    dim3 grid;
    dim3 block;
    std::uint32_t dynamic_shared_bytes = 0;
    std::vector<std::string> arguments;
};

/// Runs and prints the summary. Returns the exit code; throws run_error.
int run(const run_request& request, const std::filesystem::path& configurations);

/// What `heddle list` and `heddle describe` show; text, or JSON with `as_json`.
/// Throws configuration_error for an unknown topic or configuration.
std::string list(const std::string& topic, bool as_json,
                 const std::filesystem::path& configurations);
std::string describe_configuration(const std::string& name_or_file,
                                   const std::vector<std::string>& settings, bool as_json,
                                   const std::filesystem::path& configurations);

}  // namespace heddle::command
