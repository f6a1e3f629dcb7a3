// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <memory>
#include <string>

#include "models/program/image.h"

namespace heddle::library {

struct loaded_program {
    std::shared_ptr<const program::image> image;
    std::string diagnostics;  ///< of the compiler
};

/// Reads an ELF file; a source file, by its ending, is compiled first. Throws configuration_error
/// as image::load() and compile() do.
[[nodiscard]] loaded_program load_program(const std::string& file);

}  // namespace heddle::library
