// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <string>

#include "models/program/image.h"

namespace heddle::command {

/// Warnings for a device program, a line each: kernels that may compute in double precision, which
/// is software, and the lines that call it, each with the first function that it calls. Empty:
/// there is none.
[[nodiscard]] std::string double_report(const program::image& image);

}  // namespace heddle::command
