// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <filesystem>

#include "command/run/data/launch_plan.h"

namespace heddle::command {

/// Reads a launch script (docs/own_data.md): a program, its buffers, its launches in order, what is
/// saved and compared. Relative file names begin at the script's folder. Throws configuration_error
/// with FILE:LINE:COLUMN. Kernels, arguments and buffers are checked later, when the program is
/// known.
launch_plan read_launch_script(const std::filesystem::path& file);

}  // namespace heddle::command
