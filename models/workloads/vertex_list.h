// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <vector>

#include "models/inputs/graph.h"

namespace heddle::workloads {

/// A list of vertices as kernels keep it in memory: its length, then the vertices, with room for
/// all of the graph.
[[nodiscard]] inline std::vector<std::uint32_t> vertex_list(
    const inputs::graph& graph, const std::vector<std::uint32_t>& vertices) {
    std::vector<std::uint32_t> list(graph.vertex_count() + std::size_t{1});
    list[0] = static_cast<std::uint32_t>(vertices.size());
    for (std::size_t i = 0; i < vertices.size(); ++i) list[1 + i] = vertices[i];
    return list;
}

}  // namespace heddle::workloads
