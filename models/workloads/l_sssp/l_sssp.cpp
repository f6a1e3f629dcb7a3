// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/inputs/load_graph.h"
#include "models/workloads/cooperative_run.h"
#include "models/workloads/shortest_paths.h"
#include "models/workloads/vertex_list.h"
#include "models/workloads/workloads.h"

namespace heddle::workloads {
namespace {

struct l_sssp_options : path_options, cooperative_options {
    void declare(parameter_list& p) {
        path_options::declare(p);
        cooperative_options::declare(p);
    }
};

void run(device& gpu, const l_sssp_options& options, const run_context& context,
         workload_report& report) {
    const auto graph = inputs::load_graph(context.input, context.seed);
    const auto weights = path_weights("l_sssp", graph, options, context.random("weights"));
    const std::uint32_t source = path_source("l_sssp", graph, options);
    std::vector<std::uint32_t> costs(graph.vertex_count(), no_path);
    costs[source] = 0;

    cooperative_run kernel(gpu, options);
    const device_buffer<std::uint32_t> offsets(gpu, graph.offsets, "offsets");
    const device_buffer<std::uint32_t> targets(gpu, graph.targets, "targets");
    const device_buffer<std::uint32_t> device_weights(gpu, weights, "weights");
    const device_buffer<std::uint32_t> cost(gpu, costs, "cost");
    const device_buffer<std::uint32_t> listed(gpu, graph.vertex_count(), "listed");
    const device_buffer<std::uint32_t> in(gpu, vertex_list(graph, {source}), "in");
    const device_buffer<std::uint32_t> out(gpu, vertex_list(graph, {}), "out");
    kernel.run("l_sssp", offsets.get(), targets.get(), device_weights.get(), cost.get(),
               listed.get(), in.get(), out.get());

    report_paths(report, graph, weights, source, cost.read());
    kernel.report(report);
}

}  // namespace

workload l_sssp() {
    return make_workload<l_sssp_options>(
        "l_sssp", "Shortest paths with lists, all rounds in one cooperative kernel",
        "road:width=24,height=24", run);
}

}  // namespace heddle::workloads
