// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <cmath>
#include <functional>
#include <queue>
#include <utility>

#include "models/base/error.h"
#include "models/inputs/load_graph.h"
#include "models/workloads/helpers.h"
#include "models/workloads/pockets.h"
#include "models/workloads/workloads.h"

namespace heddle::workloads {
namespace {

struct sssp_options : pocket_options {
    std::int64_t source = -1;
    bool random_weights = false;
    std::uint32_t block = 128;

    void declare(parameter_list& p) {
        p.add("source", source, range(-1, 0x7fffffff), "vertex",
              "Vertex at which the paths start; -1: the vertex with the most edges");
        p.add("random_weights", random_weights,
              "Draw the weights from 1 to 100, as for an input without weights");
        p.add("block", block, range(1, 1024), "thread", "Threads in a block");
        pocket_options::declare(p);
    }
};

using words = std::vector<std::uint32_t>;
constexpr std::uint32_t unreached = 0xffffffff;

/// Weights as the device adds them. No path may cost 2^32 - 1 or more.
words weights_of(const inputs::graph& graph, const sssp_options& options, random_stream stream) {
    words weights(graph.edge_count());
    if (!graph.weighted() || options.random_weights) {
        for (auto& weight : weights) weight = 1 + static_cast<std::uint32_t>(stream.below(100));
        return weights;
    }
    const double most = std::floor(double{unreached - 1} / graph.vertex_count());
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const double weight = graph.weights[i];
        if (weight < 0 || weight > most || weight != std::floor(weight)) {
            throw configuration_error("sssp: " + graph.origin + " has the weight " +
                                      std::to_string(weight) + ", expected integers from 0 to " +
                                      std::to_string(static_cast<std::uint64_t>(most)) +
                                      "; random_weights=true draws others");
        }
        weights[i] = static_cast<std::uint32_t>(weight);
    }
    return weights;
}

/// What paths from `source` cost, by Dijkstra's algorithm.
words search_serially(const inputs::graph& graph, const words& weights, std::uint32_t source) {
    using entry = std::pair<std::uint32_t, std::uint32_t>;  // cost, vertex
    words cost(graph.vertex_count(), unreached);
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

/// Costs as the device finds them, and the rounds that it took.
std::pair<words, std::uint64_t> search_on_device(device& gpu, const inputs::graph& graph,
                                                 const words& weights, std::uint32_t source,
                                                 const sssp_options& options,
                                                 const run_context& context) {
    const std::uint32_t vertices = graph.vertex_count();
    words costs(vertices, unreached);
    costs[source] = 0;
    words first_active(vertices);
    first_active[source] = 1;
    const device_buffer<std::uint32_t> offsets(gpu, graph.offsets, "offsets");
    const device_buffer<std::uint32_t> targets(gpu, graph.targets, "targets");
    const device_buffer<std::uint32_t> device_weights(gpu, weights, "weights");
    const device_buffer<std::uint32_t> cost(gpu, costs, "cost");
    const device_buffer<std::uint32_t> lower(gpu, costs, "lower");
    const device_buffer<std::uint32_t> active(gpu, first_active, "active");
    device_buffer<std::uint32_t> changed(gpu, 1, "changed");

    const launch_shape shape = grid_over(vertices, options.block);
    std::uint64_t rounds = 0;
    do {
        launch(gpu, context.entry("sssp_relax"), shape, vertices, offsets.get(), targets.get(),
               device_weights.get(), active.get(), cost.get(), lower.get(), options.threshold,
               options.child_block);
        changed.write({0});
        launch(gpu, "sssp_update", shape, vertices, lower.get(), cost.get(), active.get(),
               changed.get());
        ++rounds;
    } while (changed.read()[0] != 0 && rounds < vertices);
    return {cost.read(), rounds};
}

std::uint32_t busiest_vertex(const inputs::graph& graph) {
    std::uint32_t busiest = 0;
    for (std::uint32_t v = 1; v < graph.vertex_count(); ++v) {
        if (graph.degree(v) > graph.degree(busiest)) busiest = v;
    }
    return busiest;
}

void run(device& gpu, const sssp_options& options, const run_context& context,
         workload_report& report) {
    const auto graph = inputs::load_graph(context.input, context.seed);
    if (options.source >= static_cast<std::int64_t>(graph.vertex_count())) {
        throw configuration_error("sssp: source=" + std::to_string(options.source) +
                                  " is no vertex: the graph has vertices 0 to " +
                                  std::to_string(graph.vertex_count() - 1));
    }
    const auto weights = weights_of(graph, options, context.random("weights"));
    const std::uint32_t source =
        options.source >= 0 ? static_cast<std::uint32_t>(options.source) : busiest_vertex(graph);
    const auto [cost, rounds] = search_on_device(gpu, graph, weights, source, options, context);

    const auto expected = search_serially(graph, weights, source);
    std::uint64_t reached = 0;
    for (const std::uint32_t one : expected) reached += one != unreached ? 1 : 0;
    report.compare("costs from " + std::to_string(source), cost, expected);
    report.declare_deterministic("cost", cost);
    report.add_row("vertices", std::uint64_t{graph.vertex_count()});
    report.add_row("edges", std::uint64_t{graph.edge_count()});
    report.add_row("reached vertices", reached);
    report.add_row("rounds", rounds);
}

}  // namespace

workload sssp() {
    return with_modes(make_workload("sssp", "Shortest paths from a vertex by rounds of relaxation",
                                    "hubs:vertices=1024,hubs=24", run));
}

}  // namespace heddle::workloads
