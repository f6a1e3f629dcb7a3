// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <algorithm>

#include "models/inputs/load_graph.h"
#include "models/workloads/cooperative_run.h"
#include "models/workloads/graph_colouring.h"
#include "models/workloads/workloads.h"

namespace heddle::workloads {
namespace {

using words = std::vector<std::uint32_t>;

// mis_kernel.cpp's; 0 is undecided.
constexpr std::uint32_t inside = 1;
constexpr std::uint32_t outside = 2;

/// Vertex after vertex by priority: it joins the set unless a neighbour has.
words choose_serially(const inputs::graph& graph, const words& priority) {
    words status(graph.vertex_count());
    for (const std::uint32_t v : by_priority(priority)) {
        const auto neighbours = graph.neighbours(v);
        const bool free = std::none_of(neighbours.begin(), neighbours.end(),
                                       [&](std::uint32_t u) { return status[u] == inside; });
        status[v] = free ? inside : outside;
    }
    return status;
}

void run_mis(device& gpu, const cooperative_options& options, const run_context& context,
             workload_report& report) {
    const auto graph = inputs::load_graph(context.input, context.seed);
    require_colourable("mis", graph);
    const std::uint32_t vertices = graph.vertex_count();
    const auto priorities = random_priorities(context.random("priority"), vertices);

    cooperative_run kernel(gpu, options);
    const device_buffer<std::uint32_t> offsets(gpu, graph.offsets, "offsets");
    const device_buffer<std::uint32_t> targets(gpu, graph.targets, "targets");
    const device_buffer<std::uint32_t> priority(gpu, priorities, "priority");
    const device_buffer<std::uint32_t> best(gpu, vertices, "best");
    const device_buffer<std::uint32_t> covered(gpu, vertices, "covered");
    const device_buffer<std::uint32_t> device_status(gpu, vertices, "status");
    const device_buffer<std::uint32_t> left(gpu, 1, "left");
    kernel.run("mis", vertices, offsets.get(), targets.get(), priority.get(), best.get(),
               covered.get(), device_status.get(), left.get());

    const auto status = device_status.read();
    const auto expected = choose_serially(graph, priorities);
    report.compare("status", status, expected);
    report.declare_deterministic("status", status);
    report.add_row("vertices", std::uint64_t{vertices});
    report.add_row("edges", std::uint64_t{graph.edge_count()});
    report.add_row(
        "set", static_cast<std::uint64_t>(std::count(expected.begin(), expected.end(), inside)));
    kernel.report(report);
}

}  // namespace

workload mis() {
    return make_workload<cooperative_options>(
        "mis", "Maximal independent set, all rounds in one cooperative kernel",
        "circuit:vertices=1024", run_mis);
}

}  // namespace heddle::workloads
