// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/inputs/graph_builder.h"

#include <algorithm>
#include <utility>

#include "models/base/attention.h"
#include "models/base/error.h"

namespace heddle::inputs {
namespace {

using weighted_target = std::pair<std::uint32_t, double>;

void check_size(const edge_list& list, const std::string& origin) {
    if (list.vertices == 0 || list.vertices > maximum_vertices) {
        throw configuration_error(origin + ": " + std::to_string(list.vertices) +
                                  " vertices, expected 1 to " + std::to_string(maximum_vertices));
    }
    std::uint64_t stored = list.edges.size();
    if (list.mirrored) {
        for (const edge& e : list.edges) stored += e.source != e.target ? 1 : 0;
    }
    if (stored > maximum_edges) {
        throw configuration_error(origin + ": " + std::to_string(stored) +
                                  " stored edges, expected at most " +
                                  std::to_string(maximum_edges));
    }
}

/// Counting sort by source into offsets, targets and weights. `offsets` ends up one row ahead:
/// offsets[v + 1] is where row v starts while it is filled and where it ends afterwards.
void fill_rows(const edge_list& list, bool drop_loops, graph& result) {
    std::vector<std::uint32_t>& offsets = result.offsets;
    offsets.assign(list.vertices + 2, 0);
    for (const edge& e : list.edges) {
        if (drop_loops && e.source == e.target) continue;
        ++offsets[e.source + 2];
        if (list.mirrored && e.source != e.target) ++offsets[e.target + 2];
    }
    for (std::size_t v = 2; v < offsets.size(); ++v) offsets[v] += offsets[v - 1];

    const bool weighted = !list.weights.empty();
    result.targets.resize(offsets.back());
    if (weighted) result.weights.resize(offsets.back());
    const auto put = [&](std::uint32_t source, std::uint32_t target, std::size_t i) {
        const std::uint32_t at = offsets[source + 1]++;
        result.targets[at] = target;
        if (weighted) result.weights[at] = list.weights[i];
    };
    for (std::size_t i = 0; i < list.edges.size(); ++i) {
        attention::throw_if_interrupted("building a graph");
        const edge e = list.edges[i];
        if (drop_loops && e.source == e.target) continue;
        put(e.source, e.target, i);
        if (list.mirrored && e.source != e.target) put(e.target, e.source, i);
    }
    offsets.pop_back();
}

void sort_weighted(graph& result, std::uint32_t begin, std::uint32_t end,
                   std::vector<weighted_target>& row) {
    row.clear();
    for (std::uint32_t e = begin; e < end; ++e) {
        row.emplace_back(result.targets[e], result.weights[e]);
    }
    if (std::is_sorted(row.begin(), row.end())) return;
    std::sort(row.begin(), row.end());
    for (std::uint32_t e = begin; e < end; ++e) {
        result.targets[e] = row[e - begin].first;
        result.weights[e] = row[e - begin].second;
    }
}

void sort_rows(graph& result) {
    std::vector<weighted_target> row;
    for (std::uint32_t v = 0; v < result.vertex_count(); ++v) {
        attention::throw_if_interrupted("building a graph");
        const std::uint32_t begin = result.offsets[v];
        const std::uint32_t end = result.offsets[v + 1];
        if (result.weighted()) {
            sort_weighted(result, begin, end, row);
            continue;
        }
        const auto first = result.targets.begin() + begin;
        const auto last = result.targets.begin() + end;
        if (!std::is_sorted(first, last)) std::sort(first, last);
    }
}

/// Rows are sorted by (target, weight): the first of equal targets has the least weight.
void remove_duplicates(graph& result) {
    std::uint32_t kept = 0;
    std::uint32_t begin = 0;
    for (std::uint32_t v = 0; v < result.vertex_count(); ++v) {
        const std::uint32_t end = result.offsets[v + 1];
        const std::uint32_t row = kept;
        for (std::uint32_t e = begin; e < end; ++e) {
            if (kept > row && result.targets[kept - 1] == result.targets[e]) continue;
            result.targets[kept] = result.targets[e];
            if (result.weighted()) result.weights[kept] = result.weights[e];
            ++kept;
        }
        result.offsets[v + 1] = kept;
        begin = end;
    }
    result.targets.resize(kept);
    if (result.weighted()) result.weights.resize(kept);
}

}  // namespace

void edge_rules::declare(parameter_list& p) {
    const choices<treatment> treatments{{"keep", treatment::keep}, {"remove", treatment::remove}};
    p.add("duplicates", duplicates, treatments,
          "What happens to edges with the same ends: remove keeps the edge of least weight");
    p.add("self_loops", self_loops, treatments, "What happens to edges from a vertex to itself");
}

graph build_graph(edge_list list, const edge_rules& rules, std::string origin) {
    check_size(list, origin);
    graph result;
    result.origin = std::move(origin);
    result.undirected = list.mirrored;
    fill_rows(list, rules.self_loops == treatment::remove, result);
    list = {};  // frees the edges
    sort_rows(result);
    if (rules.duplicates == treatment::remove) remove_duplicates(result);
    return result;
}

}  // namespace heddle::inputs
