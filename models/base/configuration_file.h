// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "models/base/parameter.h"

namespace heddle {

/// A configuration file taken apart, before anybody knows which keys are parameters.
struct configuration_file {
    struct entry {
        std::string key;  ///< tables joined by dots, "smx.max_blocks"
        /// Empty for what no parameter can be; `found` then says what it is, "an array".
        std::optional<parameter_value> value;
        std::string found;
        bool empty_table = false;
        std::string key_position;    ///< FILE:LINE:COLUMN
        std::string value_position;  ///< FILE:LINE:COLUMN
    };

    std::optional<std::string> inherits;
    std::string inherits_position;
    std::string description;
    std::vector<entry> entries;  ///< in the order of the file
};

/// Reads a TOML file. Throws configuration_error, with FILE:LINE:COLUMN where there is one, if it
/// cannot be read, is not TOML, or gives `inherits` or `description` another type than text.
[[nodiscard]] configuration_file read_configuration_file(const std::filesystem::path& path);
/// The same of a text, which messages call `name`.
[[nodiscard]] configuration_file read_configuration_text(const std::string& text,
                                                         const std::string& name);

}  // namespace heddle
