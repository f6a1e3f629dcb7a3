// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <string>
#include <string_view>

#include "include/heddle/retire.h"

/// The record as a line of NAME=HEXADECIMAL, separated by spaces, as the generated module
/// heddle_retire_text writes it in any simulator. Fields by lanes are one number, lane 0 lowest.
/// Fields may be left out, which are 0, and come in any order.
namespace heddle::library {

/// Throws configuration_error, which names the field, for one that no record has, that comes twice,
/// that has a digit x or z, or that is too large.
[[nodiscard]] heddle_retired parsed(std::string_view line);
/// All fields that are not 0, without an end of line.
[[nodiscard]] std::string line_of(const heddle_retired& record);

}  // namespace heddle::library
