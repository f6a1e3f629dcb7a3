// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <algorithm>
#include <set>

#include "models/workloads/critical_section.h"
#include "models/workloads/helpers.h"
#include "models/workloads/workloads.h"

namespace heddle::workloads {
namespace {

constexpr std::uint32_t most_neighbours = 30;  // a bit of a word for each colour

struct gc_options : critical_section_options {
    std::uint32_t degree = 0;
    std::uint32_t distance = 0;

    void declare(parameter_list& p) {
        critical_section_options::declare(p);
        p.add("degree", degree, range(0, 24), "edge",
              "Edges of a vertex, on average; 0 = 12 with high contention, 4 with low");
        p.add("distance", distance, range(0, 1 << 16), "vertex",
              "Neighbours have numbers that differ by at most this; 0 = 16 with high contention, "
              "any with low");
    }
    [[nodiscard]] std::uint32_t edges() const noexcept {
        if (degree != 0) return degree;
        return high() ? 12 : 4;
    }
    [[nodiscard]] std::uint32_t reach() const noexcept {
        if (distance != 0) return std::min(distance, items());
        return high() ? std::min(16u, items()) : items();
    }
};

/// The graphs of all blocks.
struct colour_graph {
    std::vector<std::uint32_t> offsets{0};  ///< of vertices, numbered through all blocks
    std::vector<std::uint32_t> targets;     ///< numbers in the block

    void add_block(const std::vector<std::set<std::uint32_t>>& neighbours) {
        for (const auto& of : neighbours) {
            targets.insert(targets.end(), of.begin(), of.end());
            offsets.push_back(static_cast<std::uint32_t>(targets.size()));
        }
    }
};

colour_graph make_graph(const gc_options& options, random_stream random) {
    colour_graph graph;
    const std::uint32_t items = options.items();
    for (std::uint32_t block = 0; block < options.blocks; ++block) {
        std::vector<std::set<std::uint32_t>> neighbours(items);
        for (std::uint32_t edge = 0; edge < items * options.edges() / 2; ++edge) {
            const auto a = static_cast<std::uint32_t>(random.below(items));
            const auto apart = static_cast<std::uint32_t>(1 + random.below(options.reach()));
            const std::uint32_t b = (a + apart) % items;
            if (a == b || neighbours[a].size() >= most_neighbours ||
                neighbours[b].size() >= most_neighbours) {
                continue;
            }
            neighbours[a].insert(b);
            neighbours[b].insert(a);
        }
        graph.add_block(neighbours);
    }
    return graph;
}

/// The lowest colour of each vertex that none of its neighbours has. That is its own after any
/// order of the sections: neighbours with all lower colours came before it, and those that came
/// later avoid its own.
std::vector<std::uint32_t> possible_colours(const gc_options& options, const colour_graph& graph,
                                            const std::vector<std::uint32_t>& colours) {
    std::vector<std::uint32_t> expected(colours.size());
    for (std::uint32_t v = 0; v < colours.size(); ++v) {
        const std::uint32_t first = v / options.items() * options.items();
        std::set<std::uint32_t> others;
        for (std::uint32_t e = graph.offsets[v]; e < graph.offsets[v + 1]; ++e) {
            others.insert(colours[first + graph.targets[e]]);
        }
        std::uint32_t lowest = 1;
        while (others.count(lowest) != 0) ++lowest;
        expected[v] = lowest;
    }
    return expected;
}

void run(device& gpu, const gc_options& options, const run_context& context,
         workload_report& report) {
    const colour_graph graph = make_graph(options, context.random("edges"));
    const std::uint32_t vertices = options.all_items();
    const device_buffer<std::uint32_t> device_offsets(gpu, graph.offsets, "offsets");
    const device_buffer<std::uint32_t> device_targets(
        gpu, graph.targets.empty() ? std::vector<std::uint32_t>{0} : graph.targets, "targets");
    const device_buffer<std::uint32_t> device_colours(gpu, vertices, "colours");
    const device_buffer<std::uint32_t> device_equal(gpu, vertices, "equal");
    launch(gpu, options.entry("gc"), options.shape(options.items()), options.items(),
           device_offsets.get(), device_targets.get(), device_colours.get(), device_equal.get());
    const auto colours = device_colours.read();
    const auto equal = device_equal.read();

    report.compare("colours", colours, possible_colours(options, graph, colours));
    report.compare("neighbours of equal colour", equal, std::vector<std::uint32_t>(vertices));
    report.declare_deterministic("neighbours of equal colour", equal);
    options.describe(report, options.items());
    report.add_row("edges", std::uint64_t{graph.targets.size() / 2});
    report.add_row("colours", std::uint64_t{*std::max_element(colours.begin(), colours.end())});
}

}  // namespace

workload gc() {
    return make_workload<gc_options>(
        "gc", "Greedy graph colouring in shared memory: sections that mostly or only read", "",
        run);
}

}  // namespace heddle::workloads
