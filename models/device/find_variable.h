// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <string_view>

#include "models/device/program_table.h"
#include "models/program/image.h"

namespace heddle {

/// The global variable of that name, whichever program has it; "FILE:VARIABLE" as
/// program_table::find_kernel() takes it. Of C++ in a namespace: the mangled name. Throws
/// configuration_error if no program has one, or several have.
[[nodiscard]] const program::symbol& find_variable(const program_table& programs,
                                                   std::string_view name);

}  // namespace heddle
