// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <functional>
#include <string>

namespace heddle::command {

/// Does `work` and returns the exit code of the process: 0, or that of the error that `work` threw
/// (docs/errors.md), which is on standard error then, behind the name of the program.
int reported_errors(const std::string& program, const std::function<void()>& work);

}  // namespace heddle::command
