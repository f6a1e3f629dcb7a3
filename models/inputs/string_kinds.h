// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "models/inputs/input_kind.h"
#include "models/inputs/string_list.h"

/// The entries that the table of string inputs (load_strings.cpp) is made of.
namespace heddle::inputs {

using string_kind = input_kind<string_list>;

// File formats.
string_kind line_file();
string_kind packet_capture();

// Generators.
string_kind packets();
string_kind random_strings();

}  // namespace heddle::inputs
