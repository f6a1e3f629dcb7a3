// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/inputs/graph.h"

#include "models/base/attention.h"
#include "models/base/error.h"

namespace heddle::inputs {
namespace {

[[noreturn]] void violated(const graph& checked, const std::string& what) {
    throw configuration_error("graph " + checked.origin + ": " + what);
}

void validate_row(const graph& checked, std::uint32_t v) {
    const std::uint32_t begin = checked.offsets[v];
    const std::uint32_t end = checked.offsets[v + 1];
    for (std::uint32_t e = begin; e < end; ++e) {
        if (checked.targets[e] >= checked.vertex_count()) {
            violated(checked, "edge " + std::to_string(e) + " enters vertex " +
                                  std::to_string(checked.targets[e]) + ", expected less than " +
                                  std::to_string(checked.vertex_count()));
        }
        if (e > begin && checked.targets[e] < checked.targets[e - 1]) {
            violated(checked, "the neighbours of vertex " + std::to_string(v) +
                                  " are not in ascending order at edge " + std::to_string(e));
        }
    }
}

}  // namespace

void validate(const graph& checked) {
    const std::vector<std::uint32_t>& offsets = checked.offsets;
    if (offsets.size() < 2 || offsets.size() - 1 > maximum_vertices) {
        violated(checked, std::to_string(offsets.size()) + " offsets, expected 2 to " +
                              std::to_string(maximum_vertices + 1));
    }
    if (checked.targets.size() > maximum_edges) violated(checked, "more than 2^32 - 1 edges");
    if (offsets.front() != 0) violated(checked, "the first offset is not 0");
    for (std::size_t v = 0; v + 1 < offsets.size(); ++v) {
        if (offsets[v] > offsets[v + 1]) {
            violated(checked, "the offset of vertex " + std::to_string(v + 1) + " is " +
                                  std::to_string(offsets[v + 1]) + ", expected at least " +
                                  std::to_string(offsets[v]));
        }
    }
    if (offsets.back() != checked.targets.size()) {
        violated(checked, "the last offset is " + std::to_string(offsets.back()) +
                              ", expected the number of edges, " +
                              std::to_string(checked.targets.size()));
    }
    if (checked.weighted() && checked.weights.size() != checked.targets.size()) {
        violated(checked, std::to_string(checked.weights.size()) + " weights for " +
                              std::to_string(checked.targets.size()) + " edges");
    }
    for (std::uint32_t v = 0; v < checked.vertex_count(); ++v) validate_row(checked, v);
    if (!checked.undirected) return;
    const auto [u, v] = find_one_way_edge(checked);
    if (u != checked.vertex_count()) {
        violated(checked, "undirected, but the edge " + std::to_string(u) + " -> " +
                              std::to_string(v) + " has no reverse of the same weight");
    }
}

std::pair<std::uint32_t, std::uint32_t> find_one_way_edge(const graph& checked) {
    const std::uint32_t vertices = checked.vertex_count();
    // Rows are visited in ascending order and sorted, so the edges that enter v are met by
    // ascending source: each must be the next one in the row of v, apart from those that no edge
    // answers, which fail when their own row is visited.
    std::vector<std::uint32_t> next(checked.offsets.begin(), checked.offsets.end() - 1);
    for (std::uint32_t u = 0; u < vertices; ++u) {
        attention::throw_if_interrupted("checking a graph");
        for (std::uint32_t e = checked.offsets[u]; e < checked.offsets[u + 1]; ++e) {
            const std::uint32_t v = checked.targets[e];
            const std::uint32_t end = checked.offsets[v + 1];
            std::uint32_t& reverse = next[v];
            while (reverse < end && checked.targets[reverse] < u) ++reverse;
            if (reverse == end || checked.targets[reverse] != u) return {u, v};
            if (checked.weighted() && checked.weights[reverse] != checked.weights[e]) return {u, v};
            ++reverse;
        }
    }
    return {vertices, vertices};
}

}  // namespace heddle::inputs
