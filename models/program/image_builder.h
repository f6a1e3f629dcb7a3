// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <vector>

#include "models/program/elf_file.h"
#include "models/program/image.h"

namespace heddle::program {

/// What image holds beside its name and line numbers.
struct built_image {
    std::vector<segment> segments;
    std::vector<kernel> kernels;
    std::vector<symbol> symbols;
};

/// Checks a parsed file against the address map and analyses its kernels.
/// Errors: as image::load says.
built_image build_image(const elf_file& file);

}  // namespace heddle::program
