// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <utility>

#include "models/inputs/load_graph.h"
#include "models/workloads/helpers.h"
#include "models/workloads/pockets.h"
#include "models/workloads/shortest_paths.h"
#include "models/workloads/workloads.h"

namespace heddle::workloads {
namespace {

struct sssp_options : path_options, pocket_options {
    void declare(parameter_list& p) {
        path_options::declare(p);
        pocket_options::declare(p);
    }
};

using words = std::vector<std::uint32_t>;

/// Costs as the device finds them, and the rounds that it took.
std::pair<words, std::uint64_t> search_on_device(device& gpu, const inputs::graph& graph,
                                                 const words& weights, std::uint32_t source,
                                                 const sssp_options& options,
                                                 const run_context& context) {
    const std::uint32_t vertices = graph.vertex_count();
    words costs(vertices, no_path);
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
        launch(gpu, context.entry("sssp_relax"), options.grid_of_parents(vertices), vertices,
               offsets.get(), targets.get(), device_weights.get(), active.get(), cost.get(),
               lower.get(), options.limits());
        changed.write({0});
        launch(gpu, "sssp_update", shape, vertices, lower.get(), cost.get(), active.get(),
               changed.get());
        ++rounds;
    } while (changed.read()[0] != 0 && rounds < vertices);
    return {cost.read(), rounds};
}

void run(device& gpu, const sssp_options& options, const run_context& context,
         workload_report& report) {
    const auto graph = inputs::load_graph(context.input, context.seed);
    const auto weights = path_weights("sssp", graph, options, context.random("weights"));
    const std::uint32_t source = path_source("sssp", graph, options);
    const auto [cost, rounds] = search_on_device(gpu, graph, weights, source, options, context);
    report_paths(report, graph, weights, source, cost);
    report.add_row("rounds", rounds);
}

}  // namespace

workload sssp() {
    return with_modes(
        make_workload<sssp_options>("sssp", "Shortest paths from a vertex by rounds of relaxation",
                                    "hubs:vertices=1024,hubs=24", run));
}

}  // namespace heddle::workloads
