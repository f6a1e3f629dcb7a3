// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/inputs/load_graph.h"
#include "models/workloads/graph_search.h"
#include "models/workloads/helpers.h"
#include "models/workloads/pockets.h"
#include "models/workloads/workloads.h"

namespace heddle::workloads {
namespace {

struct bfs_pockets_options : pocket_options {
    std::int64_t source = -1;

    void declare(parameter_list& p) {
        p.add("source", source, range(-1, 0x7fffffff), "vertex",
              "Vertex at which the search starts; -1: a random vertex with edges");
        pocket_options::declare(p);
    }
};

using words = std::vector<std::uint32_t>;

/// Distances from `source` as the device finds them.
words search_on_device(device& gpu, const inputs::graph& graph, std::uint32_t source,
                       const bfs_pockets_options& options, const run_context& context) {
    words distances(graph.vertex_count(), unreached);
    distances[source] = 0;
    const device_buffer<std::uint32_t> offsets(gpu, graph.offsets, "offsets");
    const device_buffer<std::uint32_t> targets(gpu, graph.targets, "targets");
    const device_buffer<std::uint32_t> distance(gpu, distances, "distance");
    device_buffer<std::uint32_t> frontier(gpu, graph.vertex_count(), "frontier");
    const device_buffer<std::uint32_t> next_frontier(gpu, graph.vertex_count(), "next frontier");
    device_buffer<std::uint32_t> next_size(gpu, 1, "next size");
    frontier.write({source});

    std::uint32_t size = 1;
    for (std::uint32_t level = 0; size != 0; ++level) {
        const bool even = level % 2 == 0;  // the two queues take turns
        next_size.write({0});
        launch(gpu, context.entry("bfs_pockets"), options.grid_of_parents(size), size, level,
               (even ? frontier : next_frontier).get(), offsets.get(), targets.get(),
               distance.get(), (even ? next_frontier : frontier).get(), next_size.get(),
               options.limits());
        size = level < distance.size() ? next_size.read()[0] : 0;  // a wrong device ends, too
    }
    return distance.read();
}

void run(device& gpu, const bfs_pockets_options& options, const run_context& context,
         workload_report& report) {
    const auto graph = inputs::load_graph(context.input, context.seed);
    const std::uint32_t source =
        choose_sources("bfs_pockets", graph, options.source, 1, context.random("source"))[0];
    const auto start = gpu.clock();
    const auto distance = search_on_device(gpu, graph, source, options, context);
    const auto end = gpu.clock();

    const auto expected = search_serially(graph, source);
    report.compare("distances from " + std::to_string(source), distance, expected);
    report.declare_deterministic("distance", distance);
    search_totals totals;
    totals.add(graph, expected);
    add_rows(report, graph, totals, start && end ? std::optional(*end - *start) : std::nullopt);
}

}  // namespace

workload bfs_pockets() {
    return with_modes(make_workload<bfs_pockets_options>(
        "bfs_pockets",
        "Breadth-first search; blocks, warps or children visit the edges of vertices with many",
        "kronecker:scale=9,degree=8", run));
}

}  // namespace heddle::workloads
