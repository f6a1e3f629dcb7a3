// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/program/compile.h"
#include "models/program/image.h"

namespace heddle::program::test {

/// A file in a folder of the test's own.
std::string scratch_file(const std::string& name);

/// Writes a source text to a scratch file and gives its path.
std::string write_source(const std::string& name, const std::string& text);

/// Compiles one source text; the executable's path.
std::string compile_text(const std::string& text, const std::string& source_name = "kernel.cpp",
                         const compile_options& options = {});

/// The same, loaded. C++ texts get `#include <heddle.h>` as their line 1.
image load_text(const std::string& text);

/// Message of the configuration_error that compiling the text throws; "" when it compiles.
std::string compile_error(const std::string& text, const std::string& source_name = "kernel.cpp",
                          const compile_options& options = {});

std::vector<std::uint8_t> read_bytes(const std::string& path);

/// Instructions of the function that the symbol names, as one kernel sees them.
std::vector<isa::instruction> instructions_of(const image& program, const kernel& kernel,
                                              const std::string& symbol_name);

}  // namespace heddle::program::test
