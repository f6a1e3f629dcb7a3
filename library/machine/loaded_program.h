// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <memory>
#include <string>

#include "models/program/image.h"
#include "models/program/program_place.h"

namespace heddle::library {

struct loaded_program {
    std::shared_ptr<const program::image> image;
    std::string diagnostics;  ///< of the compiler
};

/// Whether load_program() compiles the file first.
[[nodiscard]] bool is_source(const std::string& file);

/// Reads an ELF file; a source file, by its ending, is compiled for `place` first. Throws
/// configuration_error as image::load() and compile() do.
[[nodiscard]] loaded_program load_program(const std::string& file,
                                          const program::program_place& place);

}  // namespace heddle::library
