// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/workloads/graph_colouring.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "models/base/error.h"

namespace heddle::workloads {

using words = std::vector<std::uint32_t>;

words random_priorities(random_stream stream, std::uint32_t count) {
    words priority(count);
    std::iota(priority.begin(), priority.end(), 1);
    for (std::uint32_t left = count; left > 1; --left) {
        std::swap(priority[left - 1], priority[stream.below(left)]);
    }
    return priority;
}

words by_priority(const words& priority) {
    words vertices(priority.size());
    std::iota(vertices.begin(), vertices.end(), 0);
    std::sort(vertices.begin(), vertices.end(),
              [&](std::uint32_t a, std::uint32_t b) { return priority[a] > priority[b]; });
    return vertices;
}

words colour_serially(const inputs::graph& graph, const words& priority) {
    words colour(graph.vertex_count(), 0);
    for (const std::uint32_t v : by_priority(priority)) {
        for (const std::uint32_t u : graph.neighbours(v)) {
            if (priority[u] > priority[v]) colour[v] = std::max(colour[v], colour[u] + 1);
        }
    }
    return colour;
}

void require_colourable(const std::string& workload, const inputs::graph& graph) {
    const auto [source, target] = inputs::find_one_way_edge(graph);
    if (source != graph.vertex_count()) {
        throw configuration_error(workload + ": " + graph.origin + " has the edge " +
                                  std::to_string(source) + " -> " + std::to_string(target) +
                                  " in one direction only; expected an undirected graph");
    }
    for (std::uint32_t v = 0; v < graph.vertex_count(); ++v) {
        for (const std::uint32_t u : graph.neighbours(v)) {
            if (u != v) continue;
            throw configuration_error(workload + ": " + graph.origin + " has an edge from vertex " +
                                      std::to_string(v) + " to itself; expected self_loops=remove");
        }
    }
}

}  // namespace heddle::workloads
