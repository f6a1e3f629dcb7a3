// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "models/base/parameter.h"

namespace heddle {

/// What the user asked for: `--config NAME|FILE` and every `--set key=value`.
struct configuration_request {
    std::string config;  ///< a name or a file; empty: the built-in defaults
    std::vector<std::string> settings = {};
    std::vector<std::filesystem::path> directories = {};  ///< where names are looked up, in order
    std::string text = {};  ///< in the place of `config`: what a file would contain; empty: none
};

/// A configuration that can be named.
struct configuration_entry {
    std::string name;
    std::string description;  ///< the file's `description`
    std::filesystem::path file;
};

/// The file of a configuration. What contains '/' or ends in ".toml" is a file, anything else the
/// NAME of a NAME.toml in one of the directories. Throws configuration_error if there is none; for
/// a name it says which there are.
[[nodiscard]] std::filesystem::path find_configuration(
    const std::string& name_or_file, const std::vector<std::filesystem::path>& directories);

/// Every *.toml of the directories, sorted by name; the first directory wins a name.
[[nodiscard]] std::vector<configuration_entry> list_configurations(
    const std::vector<std::filesystem::path>& directories);

/// Fills the struct behind `parameters`: defaults, then the file's ancestors, the file, and the
/// settings in their order; later ones win. Then checks every rule. Returns the files that were
/// read.
///
/// A file is TOML; `smx.max_blocks` is key max_blocks of table [smx]. Two keys are not parameters:
/// `inherits` (NAME, looked up beside the file and then in the directories, or FILE, relative to
/// the file) and `description`.
/// Throws configuration_error for: no such configuration, TOML syntax, circular inheritance,
/// unknown key (with the nearest known one), wrong type, value out of range or not a choice, rule
/// violated. Messages start with FILE:LINE:COLUMN or `--set KEY=VALUE`; of a
/// text, FILE is "configuration text", and what it inherits is looked up in the directories or,
/// for a file, in the working directory.
std::vector<std::filesystem::path> load_configuration(parameter_list& parameters,
                                                      const configuration_request& request);

}  // namespace heddle
