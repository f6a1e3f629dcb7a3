// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/workloads/graph_search.h"

#include <algorithm>

#include "models/base/error.h"

namespace heddle::workloads {
namespace {

using words = std::vector<std::uint32_t>;

}  // namespace

words search_serially(const inputs::graph& graph, std::uint32_t source) {
    words distance(graph.vertex_count(), unreached);
    words queue{source};
    distance[source] = 0;
    for (std::size_t head = 0; head < queue.size(); ++head) {
        const auto vertex = queue[head];
        for (auto edge = graph.offsets[vertex]; edge < graph.offsets[vertex + 1]; ++edge) {
            const auto target = graph.targets[edge];
            if (distance[target] != unreached) continue;
            distance[target] = distance[vertex] + 1;
            queue.push_back(target);
        }
    }
    return distance;
}

words choose_sources(const char* workload, const inputs::graph& graph, std::int64_t wanted,
                     std::uint32_t searches, random_stream stream) {
    if (wanted >= static_cast<std::int64_t>(graph.vertex_count())) {
        throw configuration_error(std::string(workload) + ": source=" + std::to_string(wanted) +
                                  " is no vertex: the graph has vertices 0 to " +
                                  std::to_string(graph.vertex_count() - 1));
    }
    words candidates;
    for (std::uint32_t vertex = 0; vertex < graph.vertex_count(); ++vertex) {
        if (graph.targets.empty() || graph.offsets[vertex] != graph.offsets[vertex + 1]) {
            candidates.push_back(vertex);
        }
    }
    words sources(searches);
    for (auto& source : sources) source = candidates[stream.below(candidates.size())];
    if (wanted >= 0) sources.front() = static_cast<std::uint32_t>(wanted);
    return sources;
}

void search_totals::add(const inputs::graph& graph, const words& distance) {
    ++searches;
    for (std::uint32_t vertex = 0; vertex < graph.vertex_count(); ++vertex) {
        if (distance[vertex] == unreached) continue;
        ++reached;
        traversed += graph.offsets[vertex + 1] - graph.offsets[vertex];
        levels = std::max(levels, distance[vertex]);
    }
}

void add_rows(workload_report& report, const inputs::graph& graph, const search_totals& totals,
              std::optional<std::uint64_t> clocks) {
    report.add_row("vertices", std::uint64_t{graph.vertex_count()});
    report.add_row("edges", std::uint64_t{graph.edge_count()});
    report.add_row("searches", totals.searches);
    report.add_row("levels", std::uint64_t{totals.levels});
    report.add_row("reached vertices", totals.reached);
    report.add_row("traversed edges", totals.traversed);
    if (!clocks) return;
    report.add_row("traversal rate",
                   static_cast<double>(totals.traversed) / static_cast<double>(*clocks),
                   "edge/clock");
}

}  // namespace heddle::workloads
