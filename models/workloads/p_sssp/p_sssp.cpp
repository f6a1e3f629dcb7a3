// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/inputs/load_graph.h"
#include "models/workloads/cooperative_run.h"
#include "models/workloads/shortest_paths.h"
#include "models/workloads/workloads.h"

namespace heddle::workloads {
namespace {

struct p_sssp_options : path_options, cooperative_options {
    void declare(parameter_list& p) {
        path_options::declare(p);
        cooperative_options::declare(p);
    }
};

using words = std::vector<std::uint32_t>;

/// The edges by the vertex that they lead to.
struct incoming_edges {
    words offsets, sources, weights;

    incoming_edges(const inputs::graph& graph, const words& outgoing)
        : offsets(graph.vertex_count() + 1),
          sources(graph.edge_count()),
          weights(graph.edge_count()) {
        for (const std::uint32_t target : graph.targets) ++offsets[target + 1];
        for (std::size_t v = 0; v < graph.vertex_count(); ++v) offsets[v + 1] += offsets[v];
        words next(offsets.begin(), offsets.end() - 1);
        for (std::uint32_t v = 0; v < graph.vertex_count(); ++v) {
            for (auto edge = graph.offsets[v]; edge < graph.offsets[v + 1]; ++edge) {
                const std::uint32_t to = next[graph.targets[edge]]++;
                sources[to] = v;
                weights[to] = outgoing[edge];
            }
        }
    }
};

void run(device& gpu, const p_sssp_options& options, const run_context& context,
         workload_report& report) {
    const auto graph = inputs::load_graph(context.input, context.seed);
    const auto weights = path_weights("p_sssp", graph, options, context.random("weights"));
    const std::uint32_t source = path_source("p_sssp", graph, options);
    const std::uint32_t vertices = graph.vertex_count();
    const incoming_edges edges(graph, weights);
    words costs(vertices, no_path);
    costs[source] = 0;

    cooperative_run kernel(gpu, options);
    const device_buffer<std::uint32_t> offsets(gpu, edges.offsets, "offsets");
    const device_buffer<std::uint32_t> sources(gpu, edges.sources, "sources");
    const device_buffer<std::uint32_t> device_weights(gpu, edges.weights, "weights");
    const device_buffer<std::uint32_t> cost(gpu, costs, "cost");
    const device_buffer<std::uint32_t> lower(gpu, vertices, "lower");
    const device_buffer<std::uint32_t> changed(gpu, 1, "changed");
    kernel.run("p_sssp", vertices, offsets.get(), sources.get(), device_weights.get(), cost.get(),
               lower.get(), changed.get());

    report_paths(report, graph, weights, source, cost.read());
    kernel.report(report);
}

}  // namespace

workload p_sssp() {
    return make_workload<p_sssp_options>(
        "p_sssp", "Shortest paths, all rounds over all vertices in one cooperative kernel",
        "road:width=24,height=24", run);
}

}  // namespace heddle::workloads
