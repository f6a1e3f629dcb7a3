// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/inputs/degree_statistics.h"

#include <fmt/format.h>

#include <vector>

namespace heddle::inputs {

degree_statistics degrees_of(const graph& counted) {
    degree_statistics result;
    result.vertices = counted.vertex_count();
    result.edges = counted.edge_count();
    std::vector<bool> linked(result.vertices);
    std::vector<std::uint32_t> degrees;
    degrees.reserve(result.vertices);
    for (std::uint32_t v = 0; v < result.vertices; ++v) {
        degrees.push_back(counted.degree(v));
        for (const std::uint32_t target : counted.neighbours(v)) {
            if (target == v) {
                ++result.self_loops;
            } else {
                linked[v] = linked[target] = true;
            }
        }
    }
    for (const bool is_linked : linked) result.isolated += is_linked ? 0 : 1;
    result.degrees = spread_of(degrees);
    return result;
}

std::string describe(const graph& described) {
    const degree_statistics s = degrees_of(described);
    return fmt::format("{}\n{} vertices, {} stored edges, {}, {}\n", described.origin, s.vertices,
                       s.edges, described.undirected ? "undirected" : "directed",
                       described.weighted() ? "weighted" : "unweighted") +
           spread_line("degree", s.degrees) +
           fmt::format("isolated vertices {}, self-loops {}\n", s.isolated, s.self_loops) +
           spread_table("degree", "vertices", s.degrees);
}

}  // namespace heddle::inputs
