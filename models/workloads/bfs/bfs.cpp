// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <algorithm>
#include <utility>

#include "models/base/error.h"
#include "models/inputs/graph.h"
#include "models/inputs/load_graph.h"
#include "models/workloads/helpers.h"
#include "models/workloads/pockets.h"
#include "models/workloads/workloads.h"

namespace heddle::workloads {
namespace {

enum class bfs_variant { flags, queue, pockets };

struct bfs_options : pocket_options {
    bfs_variant variant = bfs_variant::flags;
    std::int64_t source = -1;
    std::uint32_t searches = 1;
    std::uint32_t block = 256;

    void declare(parameter_list& p) {
        p.add("variant", variant,
              {{"flags", bfs_variant::flags},
               {"queue", bfs_variant::queue},
               {"pockets", bfs_variant::pockets}},
              "Threads of a level: flags = one for each vertex; queue = one for each vertex in the "
              "frontier queue; pockets = the same, and vertices with many edges are visited by the "
              "block, the warp or (modes cdp and dtbl) a child");
        p.add("source", source, range(-1, 0x7fffffff), "vertex",
              "Vertex at which the first search starts; -1: a random vertex with edges");
        p.add("searches", searches, range(1, 64), "search",
              "Number of searches; all but the first start at random vertices");
        p.add("block", block, range(1, 1024), "thread", "Threads in a block");
        pocket_options::declare(p);
    }
};

using words = std::vector<std::uint32_t>;
constexpr std::uint32_t unreached = 0xffffffff;  // bfs_kernel.cpp's

/// The graph and the state of a search in device memory.
struct device_search {
    device_search(device& target, const inputs::graph& graph, std::string entry)
        : gpu(target),
          pockets_entry(std::move(entry)),
          offsets(gpu, graph.offsets, "offsets"),
          targets(gpu, graph.targets, "targets"),
          distance(gpu, graph.vertex_count(), "distance"),
          frontier(gpu, graph.vertex_count(), "frontier"),
          next_frontier(gpu, graph.vertex_count(), "next frontier"),
          progress(gpu, 1, "progress") {}

    device& gpu;
    std::string pockets_entry;  ///< of the run's launch mode
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
    const auto from = (even ? search.frontier : search.next_frontier).get();
    const auto to = (even ? search.next_frontier : search.frontier).get();
    const auto shape = grid_over(frontier_size, options.block);
    if (options.variant == bfs_variant::queue) {
        launch(search.gpu, "bfs_queue", shape, frontier_size, level, from, search.offsets.get(),
               search.targets.get(), search.distance.get(), to, search.progress.get());
    } else {
        launch(search.gpu, search.pockets_entry, shape, frontier_size, level, from,
               search.offsets.get(), search.targets.get(), search.distance.get(), to,
               search.progress.get(), options.threshold, options.child_block);
    }
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

/// Distances from `source`, serially with a queue.
words search_serially(const inputs::graph& graph, std::uint32_t source) {
    words distance(graph.vertex_count(), unreached);
    words queue{source};
    distance[source] = 0;
    for (std::size_t head = 0; head < queue.size(); ++head) {
        const auto vertex = queue[head];
        for (auto edge = graph.offsets[vertex]; edge < graph.offsets[vertex + 1]; ++edge) {
            const auto target = graph.targets[edge];
            if (distance[target] != unreached) continue;
            distance[target] = distance[vertex] + 1;
            queue.push_back(target);
        }
    }
    return distance;
}

/// Where the searches start: the wanted source first, then random vertices that have edges
/// (any vertex, if the graph has no edges).
words choose_sources(const inputs::graph& graph, const bfs_options& options, random_stream stream) {
    if (options.source >= static_cast<std::int64_t>(graph.vertex_count())) {
        throw configuration_error("bfs: source=" + std::to_string(options.source) +
                                  " is no vertex: the graph has vertices 0 to " +
                                  std::to_string(graph.vertex_count() - 1));
    }
    words candidates;
    for (std::uint32_t vertex = 0; vertex < graph.vertex_count(); ++vertex) {
        if (graph.targets.empty() || graph.offsets[vertex] != graph.offsets[vertex + 1]) {
            candidates.push_back(vertex);
        }
    }
    words sources(options.searches);
    for (auto& source : sources) source = candidates[stream.below(candidates.size())];
    if (options.source >= 0) sources.front() = static_cast<std::uint32_t>(options.source);
    return sources;
}

/// What the searches did, for the summary.
struct search_totals {
    std::uint64_t reached = 0;
    std::uint64_t traversed = 0;  ///< edges that leave reached vertices
    std::uint32_t levels = 0;     ///< greatest distance of all searches

    void add(const inputs::graph& graph, const words& distance) {
        for (std::uint32_t vertex = 0; vertex < graph.vertex_count(); ++vertex) {
            if (distance[vertex] == unreached) continue;
            ++reached;
            traversed += graph.offsets[vertex + 1] - graph.offsets[vertex];
            levels = std::max(levels, distance[vertex]);
        }
    }
};

void run(device& gpu, const bfs_options& options, const run_context& context,
         workload_report& report) {
    if (context.mode != launch_mode::flat && options.variant != bfs_variant::pockets) {
        throw configuration_error("bfs: only variant=pockets launches children, as --mode " +
                                  std::string(name_of(context.mode)) + " asks for");
    }
    const auto graph = inputs::load_graph(context.input, context.seed);
    const auto sources = choose_sources(graph, options, context.random("source"));
    device_search search(gpu, graph, context.entry("bfs_pockets"));

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
    report.add_row("vertices", std::uint64_t{graph.vertex_count()});
    report.add_row("edges", std::uint64_t{graph.edge_count()});
    report.add_row("searches", std::uint64_t{options.searches});
    report.add_row("levels", std::uint64_t{totals.levels});
    report.add_row("reached vertices", totals.reached);
    report.add_row("traversed edges", totals.traversed);
    if (timed) {
        report.add_row("traversal rate",
                       static_cast<double>(totals.traversed) / static_cast<double>(clocks),
                       "edge/clock");
    }
}

}  // namespace

workload bfs() {
    return with_modes(make_workload("bfs", "Breadth-first search of a graph, level by level",
                                    "kronecker:scale=12,degree=16", run));
}

}  // namespace heddle::workloads
