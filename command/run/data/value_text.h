// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "command/run/data/element_type.h"
#include "models/program/value_layout.h"

namespace heddle::command {

/// The layout of plain numbers.
program::value_layout layout_of(const element_type& type);
/// "f32"; "record" for a struct; "16 bytes" for what has no name.
std::string type_name(const program::value_layout& layout);

/// A value as a text: "2.5", "(1, 2.5, [1 2 3])".
std::string value_text(const program::value_layout& layout, const std::byte* value);
/// One number of a field. Bytes are hexadecimal digits, the lowest address first.
std::string number_text(const program::layout_field& field, const std::byte* number);

/// What two layouts differ in, field by field: "'mass' is f32 at byte 12 in the kernel's struct
/// (24 bytes), f64 at byte 16 in the file (24 bytes)". Empty if they are the same.
std::vector<std::string> layout_differences(const program::value_layout& kernel,
                                            const program::value_layout& file);

}  // namespace heddle::command
