// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <algorithm>
#include <numeric>

#include "models/base/error.h"
#include "models/inputs/load_graph.h"
#include "models/workloads/helpers.h"
#include "models/workloads/pockets.h"
#include "models/workloads/workloads.h"

namespace heddle::workloads {
namespace {

struct clr_options : pocket_options {
    std::uint32_t block = 128;

    void declare(parameter_list& p) {
        p.add("block", block, range(1, 1024), "thread", "Threads in a block");
        pocket_options::declare(p);
    }
};

using words = std::vector<std::uint32_t>;
constexpr std::uint32_t uncoloured = 0xffffffff;  // clr_kernel.cpp's

/// The numbers from 1 to `count` in random order.
words random_priorities(random_stream stream, std::uint32_t count) {
    words priority(count);
    std::iota(priority.begin(), priority.end(), 1);
    for (std::uint32_t left = count; left > 1; --left) {
        std::swap(priority[left - 1], priority[stream.below(left)]);
    }
    return priority;
}

/// The colour of a vertex is the round in which all its neighbours of higher priority have one.
words colour_serially(const inputs::graph& graph, const words& priority) {
    words vertices(graph.vertex_count());
    std::iota(vertices.begin(), vertices.end(), 0);
    std::sort(vertices.begin(), vertices.end(),
              [&](std::uint32_t a, std::uint32_t b) { return priority[a] > priority[b]; });
    words colour(graph.vertex_count(), 0);
    for (const std::uint32_t v : vertices) {
        for (const std::uint32_t u : graph.neighbours(v)) {
            if (priority[u] > priority[v]) colour[v] = std::max(colour[v], colour[u] + 1);
        }
    }
    return colour;
}

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
        launch(gpu, context.entry("clr_look"), shape, vertices, offsets.get(), targets.get(),
               priority.get(), colour.get(), best.get(), options.threshold, options.child_block);
        left.write({0});
        launch(gpu, "clr_colour", shape, vertices, round, priority.get(), best.get(), colour.get(),
               left.get());
        ++round;
    } while (left.read()[0] != 0 && round < vertices);
    return colour.read();
}

/// Without self-loops, which no colouring has room for.
void require_colourable(const inputs::graph& graph) {
    const auto [source, target] = inputs::find_one_way_edge(graph);
    if (source != graph.vertex_count()) {
        throw configuration_error("clr: " + graph.origin + " has the edge " +
                                  std::to_string(source) + " -> " + std::to_string(target) +
                                  " in one direction only; expected an undirected graph");
    }
    for (std::uint32_t v = 0; v < graph.vertex_count(); ++v) {
        for (const std::uint32_t u : graph.neighbours(v)) {
            if (u != v) continue;
            throw configuration_error("clr: " + graph.origin + " has an edge from vertex " +
                                      std::to_string(v) + " to itself; expected self_loops=remove");
        }
    }
}

void run(device& gpu, const clr_options& options, const run_context& context,
         workload_report& report) {
    const auto graph = inputs::load_graph(context.input, context.seed);
    require_colourable(graph);
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
    return with_modes(make_workload("clr",
                                    "Graph colouring: a round gives a colour to an independent set",
                                    "kronecker:scale=9,degree=8", run));
}

}  // namespace heddle::workloads
