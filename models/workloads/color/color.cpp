// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <algorithm>

#include "models/inputs/load_graph.h"
#include "models/workloads/cooperative_run.h"
#include "models/workloads/graph_colouring.h"
#include "models/workloads/workloads.h"

namespace heddle::workloads {
namespace {

void run_color(device& gpu, const cooperative_options& options, const run_context& context,
               workload_report& report) {
    const auto graph = inputs::load_graph(context.input, context.seed);
    require_colourable("color", graph);
    const std::uint32_t vertices = graph.vertex_count();
    const auto priorities = random_priorities(context.random("priority"), vertices);

    cooperative_run kernel(gpu, options);
    const device_buffer<std::uint32_t> offsets(gpu, graph.offsets, "offsets");
    const device_buffer<std::uint32_t> targets(gpu, graph.targets, "targets");
    const device_buffer<std::uint32_t> priority(gpu, priorities, "priority");
    const device_buffer<std::uint32_t> best(gpu, vertices, "best");
    const device_buffer<std::uint32_t> device_colour(
        gpu, std::vector<std::uint32_t>(vertices, uncoloured), "colour");
    const device_buffer<std::uint32_t> left(gpu, {0, 1}, "left");
    kernel.run("color", vertices, offsets.get(), targets.get(), priority.get(), best.get(),
               device_colour.get(), left.get());

    const auto colour = device_colour.read();
    const auto expected = colour_serially(graph, priorities);
    report.compare("colours", colour, expected);
    report.declare_deterministic("colour", colour);
    report.add_row("vertices", std::uint64_t{vertices});
    report.add_row("edges", std::uint64_t{graph.edge_count()});
    report.add_row("colours",
                   std::uint64_t{*std::max_element(expected.begin(), expected.end())} + 1);
    kernel.report(report);
}

}  // namespace

workload color() {
    return make_workload<cooperative_options>(
        "color", "Graph colouring, all rounds in one cooperative kernel", "circuit:vertices=1024",
        run_color);
}

}  // namespace heddle::workloads
