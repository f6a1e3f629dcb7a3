// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <string>
#include <vector>

#include "models/program/compile.h"

namespace heddle::command {

/// `heddle compile`, as typed.
struct compile_request {
    std::vector<std::string> sources;
    std::string output;
    program::compile_options options;
};

/// Compiles, prints the compiler's warnings and the kernels. Throws configuration_error.
void compile(const compile_request& request);

}  // namespace heddle::command
