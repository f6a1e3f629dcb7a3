// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <string>

#include "models/device/device.h"

namespace heddle::command {

/// "X", "X,Y" or "X,Y,Z" with numbers from `least` on, which is what is left out. Throws
/// configuration_error that names the option.
dim3 parse_dimensions(const std::string& option, const std::string& text, std::uint32_t least = 1);
/// "X,Y,Z" without trailing ones.
std::string dimensions_text(const dim3& extent);

}  // namespace heddle::command
