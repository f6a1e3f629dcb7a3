// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <filesystem>
#include <string>
// Some of the parser's assertions stand in front of the error that it would report; what is wrong
// with a file must not depend on the build.
#define TOML_ASSERT(expression) static_assert(true)
#include <toml++/toml.h>

namespace heddle {

/// Reads a TOML file. Throws configuration_error, with FILE:LINE:COLUMN where there is one, if it
/// can't be read or is not TOML. `kind` names it in messages: "configuration file".
[[nodiscard]] toml::table read_toml(const std::filesystem::path& path, const std::string& kind);

/// The same of a text, which messages call `name`.
[[nodiscard]] toml::table parse_toml(const std::string& text, const std::string& name);

/// FILE:LINE:COLUMN of a key or value.
[[nodiscard]] std::string toml_position(const std::string& file, const toml::source_region& source);

}  // namespace heddle
