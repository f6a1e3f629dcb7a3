// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <string>

namespace heddle {

// What a test reads or starts is found by these functions: a folder that stood in the command line
// of a test's compilation would keep trees and presets from sharing a compiler cache.

/// Path of `relative`, as "docs/isa.md", in the source tree.
std::string source_path(const std::string& relative);
/// Path of `relative`, as "kernels/saxpy.elf", in the build folder.
std::string build_path(const std::string& relative);

}  // namespace heddle
