// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <algorithm>
#include <utility>

#include "models/base/error.h"
#include "models/inputs/graph.h"
#include "models/inputs/load_graph.h"
#include "models/workloads/graph_search.h"
#include "models/workloads/helpers.h"
#include "models/workloads/workloads.h"

namespace heddle::workloads {
namespace {

enum class bfs_variant { flags, queue };

struct bfs_options {
    bfs_variant variant = bfs_variant::flags;
    std::int64_t source = -1;
    std::uint32_t searches = 1;
    std::uint32_t block = 256;

    void declare(parameter_list& p) {
        p.add("variant", variant, {{"flags", bfs_variant::flags}, {"queue", bfs_variant::queue}},
              "Threads of a level: flags = one for each vertex; queue = one for each vertex in the "
              "frontier queue");
        p.add("source", source, range(-1, 0x7fffffff), "vertex",
              "Vertex at which the first search starts; -1: a random vertex with edges");
        p.add("searches", searches, range(1, 64), "search",
              "Number of searches; all but the first start at random vertices");
        p.add("block", block, range(1, 1024), "thread", "Threads in a block");
    }
};

using words = std::vector<std::uint32_t>;

/// The graph and the state of a search in device memory.
struct device_search {
    device_search(device& target, const inputs::graph& graph)
        : gpu(target),
          offsets(gpu, graph.offsets, "offsets"),
          targets(gpu, graph.targets, "targets"),
          distance(gpu, graph.vertex_count(), "distance"),
          frontier(gpu, graph.vertex_count(), "frontier"),
          next_frontier(gpu, graph.vertex_count(), "next frontier"),
          progress(gpu, 1, "progress") {}

    device& gpu;
    device_buffer<std::uint32_t> offsets;
    device_buffer<std::uint32_t> targets;
    device_buffer<std::uint32_t> distance;
    device_buffer<std::uint32_t> frontier;
    device_buffer<std::uint32_t> next_frontier;
    device_buffer<std::uint32_t> progress;  ///< what the level reached: a flag or a queue size
};

/// Reaches everything that is one step from the frontier of `level`; whether that was anything.
/// `frontier_size` is the size of the queue, in and out.
bool step(device_search& search, const bfs_options& options, std::uint32_t level,
          std::uint32_t& frontier_size) {
    search.progress.write({0});
    if (options.variant == bfs_variant::flags) {
        const auto vertices = static_cast<std::uint32_t>(search.distance.size());
        launch(search.gpu, "bfs_flags", grid_over(vertices, options.block), vertices, level,
               search.offsets.get(), search.targets.get(), search.distance.get(),
               search.progress.get());
        return search.progress.read()[0] != 0;
    }
    const bool even = level % 2 == 0;  // the two queues take turns
    launch(search.gpu, "bfs_queue", grid_over(frontier_size, options.block), frontier_size, level,
           (even ? search.frontier : search.next_frontier).get(), search.offsets.get(),
           search.targets.get(), search.distance.get(),
           (even ? search.next_frontier : search.frontier).get(), search.progress.get());
    frontier_size = search.progress.read()[0];
    return frontier_size != 0;
}

/// Distances from `source` as the device finds them.
words search_on_device(device_search& search, const bfs_options& options, std::uint32_t source) {
    words distance(search.distance.size(), unreached);
    distance[source] = 0;
    search.distance.write(distance);
    search.frontier.write({source});

    std::uint32_t frontier_size = 1;
    std::uint32_t level = 0;
    // A search that reaches something on every level still ends: there are so many vertices.
    while (level < distance.size() && step(search, options, level, frontier_size)) ++level;
    return search.distance.read();
}

void run(device& gpu, const bfs_options& options, const run_context& context,
         workload_report& report) {
    const auto graph = inputs::load_graph(context.input, context.seed);
    const auto sources =
        choose_sources("bfs", graph, options.source, options.searches, context.random("source"));
    device_search search(gpu, graph);

    search_totals totals;
    std::uint64_t clocks = 0;
    bool timed = true;  // all of every search
    for (std::size_t i = 0; i < sources.size(); ++i) {
        const auto start = gpu.clock();
        const auto distance = search_on_device(search, options, sources[i]);
        timed = timed && start;
        if (timed) clocks += *gpu.clock() - *start;

        const auto expected = search_serially(graph, sources[i]);
        const auto name = "distances from " + std::to_string(sources[i]);
        report.compare(name, distance, expected);
        report.declare_deterministic(name, distance);
        totals.add(graph, expected);
    }
    add_rows(report, graph, totals, timed ? std::optional(clocks) : std::nullopt);
}

}  // namespace

workload bfs() {
    return make_workload<bfs_options>("bfs", "Breadth-first search of a graph, level by level",
                                      "kronecker:scale=12,degree=16", run);
}

}  // namespace heddle::workloads
