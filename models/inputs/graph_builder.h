// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/base/parameter.h"
#include "models/inputs/graph.h"

namespace heddle::inputs {

struct edge {
    std::uint32_t source, target;
};

/// Edges in any order, on their way from a reader or generator into a graph.
struct edge_list {
    std::uint64_t vertices = 0;  ///< every edge's source and target are below
    std::vector<edge> edges;
    std::vector<double> weights;  ///< for each edge, or empty
    bool mirrored = false;        ///< each entry stands for both directions
};

enum class treatment { keep, remove };

/// What becomes of edges that a simple graph does not have.
struct edge_rules {
    treatment duplicates = treatment::keep;
    treatment self_loops = treatment::keep;

    void declare(parameter_list& p);
};

/// Sorts the edges into a graph. Of duplicates, the one of least weight stays.
/// Throws configuration_error for no or too many vertices or stored edges.
/// O(vertices + edges log(largest degree)); 8 bytes an edge beside list and graph if weighted.
[[nodiscard]] graph build_graph(edge_list list, const edge_rules& rules, std::string origin);

}  // namespace heddle::inputs
