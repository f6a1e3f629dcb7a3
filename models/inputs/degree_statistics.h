// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>

#include "models/inputs/graph.h"
#include "models/inputs/spread.h"

namespace heddle::inputs {

/// How the stored edges are spread over the vertices that they leave.
struct degree_statistics {
    std::uint32_t vertices = 0;
    std::uint32_t edges = 0;     ///< stored: an edge of an undirected graph counts twice
    std::uint32_t isolated = 0;  ///< vertices that no edge leaves or enters, self-loops aside
    std::uint32_t self_loops = 0;
    spread degrees;
};

/// O(vertices + edges).
[[nodiscard]] degree_statistics degrees_of(const graph& counted);

/// Lines for the terminal: the graph's origin and size, its degrees, and a histogram of them.
[[nodiscard]] std::string describe(const graph& described);

}  // namespace heddle::inputs
