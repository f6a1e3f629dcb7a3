// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <string>
#include <vector>

namespace heddle::command {

/// `heddle sweep`: becomes the script of that name, which runs this program again for each point.
/// Returns only by an exception: configuration_error if there is no such script.
[[noreturn]] void sweep(const std::vector<std::string>& arguments);

}  // namespace heddle::command
