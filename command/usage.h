// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <string>

namespace heddle::command {

/// Checks the text of an option before it is converted; an error message, or nothing.
using option_check = std::function<std::string(const std::string&)>;

/// A whole number up to `high`, in decimal: CLI11 lets negative numbers wrap round, takes nothing
/// for 0 and cuts off what is too large.
option_check whole_number(std::uint64_t high);

/// No value of the command may be an empty text, as an unset variable of a script gives it.
void refuse_empty_values(CLI::App& command);

/// What is wrong with the command line: the command, what was found, what would be legal.
std::string usage_text(const CLI::App& app, const CLI::ParseError& error);

}  // namespace heddle::command
