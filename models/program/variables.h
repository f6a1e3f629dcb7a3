// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <string_view>

#include "models/program/image.h"

namespace heddle::program {

/// The named global variable. Of C++ in a namespace: the mangled name. Throws configuration_error
/// if there is none.
[[nodiscard]] const symbol& find_variable(const image& of, std::string_view name);

}  // namespace heddle::program
