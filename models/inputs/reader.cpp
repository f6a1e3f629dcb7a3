// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/inputs/reader.h"

#include "models/base/error.h"

namespace heddle::inputs {

void file_arguments::declare(parameter_list& p) {
    p.add("file", file, "Path of the file, which may be gzipped");
    rules.declare(p);
}

void check_plausible(const text_scanner& text, std::uint64_t vertices, std::uint64_t line) {
    const std::uint64_t most = (std::uint64_t{1} << 24) + 16 * text.bytes();
    if (vertices <= most) return;
    throw configuration_error(text.file() + ":" + std::to_string(line) + ": found " +
                              std::to_string(vertices) + " vertices, expected at most " +
                              std::to_string(most) + " in a text of " +
                              std::to_string(text.bytes()) + " bytes");
}

}  // namespace heddle::inputs
