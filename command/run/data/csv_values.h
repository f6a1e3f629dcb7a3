// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "models/program/value_layout.h"

namespace heddle::command {

/// Values read from text.
struct csv_values {
    std::vector<std::byte> contents;
    std::vector<std::uint64_t> shape;  ///< (lines) or (lines, numbers of a line)
};

/// Reads numbers that commas separate. Lines have equally many; empty lines and those that begin
/// with '#' are passed over, and so is a first line of names. A line is one record; names, if there
/// are any, must be its fields. Throws configuration_error with FILE:LINE.
csv_values read_csv(std::string_view text, const program::value_layout& layout,
                    const std::string& file);

/// Writes values so that read_csv() gives the same bytes; a line for each value of the last
/// dimension, or for each record, below the names of its fields.
void write_csv(std::ostream& out, const program::value_layout& layout,
               const std::vector<std::uint64_t>& shape, const std::vector<std::byte>& contents);

}  // namespace heddle::command
