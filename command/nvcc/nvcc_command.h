// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <string>
#include <vector>

namespace heddle::command {

/// `heddle nvcc WORDS`: compiles and links CUDA programs, as nvcc does. Returns the exit code: that
/// of wrong input if a compiler or linker complains, whose text goes to standard error as it is.
/// Throws configuration_error for a wrong command line.
int nvcc(const std::vector<std::string>& words);

}  // namespace heddle::command
