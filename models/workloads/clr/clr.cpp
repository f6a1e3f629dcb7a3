// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <algorithm>

#include "models/inputs/load_graph.h"
#include "models/workloads/graph_colouring.h"
#include "models/workloads/helpers.h"
#include "models/workloads/pockets.h"
#include "models/workloads/workloads.h"

namespace heddle::workloads {
namespace {

struct clr_options : pocket_options {
    void declare(parameter_list& p) { pocket_options::declare(p); }
};

using words = std::vector<std::uint32_t>;

words colour_on_device(device& gpu, const inputs::graph& graph, const words& priorities,
                       const clr_options& options, const run_context& context) {
    const std::uint32_t vertices = graph.vertex_count();
    const device_buffer<std::uint32_t> offsets(gpu, graph.offsets, "offsets");
    const device_buffer<std::uint32_t> targets(gpu, graph.targets, "targets");
    const device_buffer<std::uint32_t> priority(gpu, priorities, "priority");
    const device_buffer<std::uint32_t> colour(gpu, words(vertices, uncoloured), "colour");
    const device_buffer<std::uint32_t> best(gpu, vertices, "best");
    device_buffer<std::uint32_t> left(gpu, 1, "left");

    const launch_shape shape = grid_over(vertices, options.block);
    std::uint32_t round = 0;
    do {
        launch(gpu, context.entry("clr_look"), options.grid_of_parents(vertices), vertices,
               offsets.get(), targets.get(), priority.get(), colour.get(), best.get(),
               options.limits());
        left.write({0});
        launch(gpu, "clr_colour", shape, vertices, round, priority.get(), best.get(), colour.get(),
               left.get());
        ++round;
    } while (left.read()[0] != 0 && round < vertices);
    return colour.read();
}

void run(device& gpu, const clr_options& options, const run_context& context,
         workload_report& report) {
    const auto graph = inputs::load_graph(context.input, context.seed);
    require_colourable("clr", graph);
    const auto priority = random_priorities(context.random("priority"), graph.vertex_count());
    const auto colour = colour_on_device(gpu, graph, priority, options, context);
    const auto expected = colour_serially(graph, priority);
    report.compare("colours", colour, expected);
    report.declare_deterministic("colour", colour);
    report.add_row("vertices", std::uint64_t{graph.vertex_count()});
    report.add_row("edges", std::uint64_t{graph.edge_count()});
    report.add_row("colours",
                   std::uint64_t{*std::max_element(expected.begin(), expected.end())} + 1);
}

}  // namespace

workload clr() {
    return with_modes(make_workload<clr_options>(
        "clr", "Graph colouring: a round gives a colour to an independent set",
        "kronecker:scale=9,degree=8", run));
}

}  // namespace heddle::workloads
