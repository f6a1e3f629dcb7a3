// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

#include "models/program/value_layout.h"

namespace heddle::command {

/// Values of a buffer, with what their file says about them.
struct array_values {
    program::value_layout layout;
    std::string descr;                 ///< NumPy's dtype, if the values came from .npy; else empty
    std::vector<std::uint64_t> shape;  ///< one extent per dimension, the last one fastest
    std::vector<std::byte> contents;

    [[nodiscard]] std::uint64_t count() const { return contents.size() / layout.size; }
};

/// Reads a file whose ending tells its format: .npy, .csv, or raw bytes (little-endian). Values
/// must be `expected`; size 0: as the file says, which only .npy does. Throws configuration_error
/// whose message begins with `where` and the file's name.
array_values read_array(const std::filesystem::path& file, const program::value_layout& expected,
                        const std::string& where);

/// Writes values in the format of the file's ending.
void write_array(std::ostream& out, const std::filesystem::path& file, const array_values& values);

/// Throws configuration_error if the format of the file's ending has no text for such values.
void check_writable(const std::filesystem::path& file, const program::value_layout& layout,
                    const std::string& where);

}  // namespace heddle::command
