// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>

#include "models/inputs/graph_builder.h"
#include "models/inputs/text_scanner.h"

namespace heddle::inputs {

/// Largest integer weight: the largest range of integers that `double` holds exactly.
inline constexpr std::int64_t largest_integer_weight = std::int64_t{1} << 53;

/// Arguments that every file format has.
struct file_arguments {
    std::string file;
    edge_rules rules;

    void declare(parameter_list& p);
};

/// Throws configuration_error if a graph of `vertices` vertices, which `line` of the file claims or
/// implies, would need far more memory than the text that was read justifies: more than 2^24
/// vertices plus 16 for each byte.
void check_plausible(const text_scanner& text, std::uint64_t vertices, std::uint64_t line);

}  // namespace heddle::inputs
