// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/inputs/load_graph.h"
#include "models/workloads/cooperative_run.h"
#include "models/workloads/graph_search.h"
#include "models/workloads/vertex_list.h"
#include "models/workloads/workloads.h"

namespace heddle::workloads {
namespace {

struct l_bfs_options : cooperative_options {
    std::int64_t source = -1;

    void declare(parameter_list& p) {
        p.add("source", source, range(-1, 0x7fffffff), "vertex",
              "Vertex at which the search starts; -1: a random one that has edges");
        cooperative_options::declare(p);
    }
};

void run(device& gpu, const l_bfs_options& options, const run_context& context,
         workload_report& report) {
    const auto graph = inputs::load_graph(context.input, context.seed);
    const std::uint32_t source =
        choose_sources("l_bfs", graph, options.source, 1, context.random("source")).front();
    std::vector<std::uint32_t> distances(graph.vertex_count(), unreached);
    distances[source] = 0;

    cooperative_run kernel(gpu, options);
    const device_buffer<std::uint32_t> offsets(gpu, graph.offsets, "offsets");
    const device_buffer<std::uint32_t> targets(gpu, graph.targets, "targets");
    const device_buffer<std::uint32_t> device_distance(gpu, distances, "distance");
    const device_buffer<std::uint32_t> in(gpu, vertex_list(graph, {source}), "in");
    const device_buffer<std::uint32_t> out(gpu, vertex_list(graph, {}), "out");
    kernel.run("l_bfs", offsets.get(), targets.get(), device_distance.get(), in.get(), out.get());

    const auto distance = device_distance.read();
    report.compare("distances from " + std::to_string(source), distance,
                   search_serially(graph, source));
    report.declare_deterministic("distance", distance);
    search_totals totals;
    totals.add(graph, distance);
    add_rows(report, graph, totals, kernel.cycles());
    kernel.report(report);
}

}  // namespace

workload l_bfs() {
    return make_workload<l_bfs_options>(
        "l_bfs", "Breadth-first search with lists, all levels in one cooperative kernel",
        "road:width=32,height=32", run);
}

}  // namespace heddle::workloads
