// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/workloads/shortest_paths.h"

#include <cmath>
#include <functional>
#include <queue>
#include <utility>

#include "models/base/error.h"

namespace heddle::workloads {
namespace {

using words = std::vector<std::uint32_t>;

std::uint32_t busiest_vertex(const inputs::graph& graph) {
    std::uint32_t busiest = 0;
    for (std::uint32_t v = 1; v < graph.vertex_count(); ++v) {
        if (graph.degree(v) > graph.degree(busiest)) busiest = v;
    }
    return busiest;
}

}  // namespace

words path_weights(const std::string& workload, const inputs::graph& graph,
                   const path_options& options, random_stream stream) {
    words weights(graph.edge_count());
    if (!graph.weighted() || options.random_weights) {
        for (auto& weight : weights) weight = 1 + static_cast<std::uint32_t>(stream.below(100));
        return weights;
    }
    const double most = std::floor(double{no_path - 1} / graph.vertex_count());
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const double weight = graph.weights[i];
        if (weight < 0 || weight > most || weight != std::floor(weight)) {
            throw configuration_error(workload + ": " + graph.origin + " has the weight " +
                                      std::to_string(weight) + ", expected integers from 0 to " +
                                      std::to_string(static_cast<std::uint64_t>(most)) +
                                      "; random_weights=true draws others");
        }
        weights[i] = static_cast<std::uint32_t>(weight);
    }
    return weights;
}

std::uint32_t path_source(const std::string& workload, const inputs::graph& graph,
                          const path_options& options) {
    if (options.source >= static_cast<std::int64_t>(graph.vertex_count())) {
        throw configuration_error(workload + ": source=" + std::to_string(options.source) +
                                  " is no vertex: the graph has vertices 0 to " +
                                  std::to_string(graph.vertex_count() - 1));
    }
    return options.source >= 0 ? static_cast<std::uint32_t>(options.source) : busiest_vertex(graph);
}

words cheapest_paths(const inputs::graph& graph, const words& weights, std::uint32_t source) {
    using entry = std::pair<std::uint32_t, std::uint32_t>;  // cost, vertex
    words cost(graph.vertex_count(), no_path);
    std::priority_queue<entry, std::vector<entry>, std::greater<>> queue;
    cost[source] = 0;
    queue.push({0, source});
    while (!queue.empty()) {
        const auto [reached, v] = queue.top();
        queue.pop();
        if (reached != cost[v]) continue;
        for (auto edge = graph.offsets[v]; edge < graph.offsets[v + 1]; ++edge) {
            const std::uint32_t found = reached + weights[edge];
            if (found >= cost[graph.targets[edge]]) continue;
            cost[graph.targets[edge]] = found;
            queue.push({found, graph.targets[edge]});
        }
    }
    return cost;
}

void report_paths(workload_report& report, const inputs::graph& graph, const words& weights,
                  std::uint32_t source, const words& cost) {
    const auto expected = cheapest_paths(graph, weights, source);
    std::uint64_t reached = 0;
    for (const std::uint32_t one : expected) reached += one != no_path ? 1 : 0;
    report.compare("costs from " + std::to_string(source), cost, expected);
    report.declare_deterministic("cost", cost);
    report.add_row("vertices", std::uint64_t{graph.vertex_count()});
    report.add_row("edges", std::uint64_t{graph.edge_count()});
    report.add_row("reached vertices", reached);
}

}  // namespace heddle::workloads
