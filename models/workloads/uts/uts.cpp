// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <cmath>

#include "models/base/error.h"
#include "models/workloads/cooperative_run.h"
#include "models/workloads/work_queues.h"
#include "models/workloads/workloads.h"

namespace heddle::workloads {
namespace {

// Those of uts_kernel.cpp.
struct tree_node {
    std::uint32_t state;
};
struct tree_shape {
    std::uint32_t children, limit, places;
};
struct found_nodes {
    std::uint32_t stolen, passed, nodes, leaves, sum;
};

struct uts_options : cooperative_options {
    std::uint32_t roots = 64;
    std::uint32_t children = 4;
    double chance = 0.24;
    std::uint32_t places = 32;

    void declare(parameter_list& p) {
        p.add("roots", roots, range(1, 1 << 20), "tree", "Trees");
        p.add("children", children, range(2, 8), "node", "Children of a node that has some");
        p.add("chance", chance, range(0.0, 0.49), "",
              "Chance that a node has children; a tree has 1 / (1 - children x chance) nodes on "
              "the mean");
        p.add("places", places, range(1, 64), "node",
              "Places of a deque; nodes that find none go to the block's queue");
        cooperative_options::declare(p);
        p.require({"children", "chance"}, "children x chance is at most 0.98",
                  [this] { return children * chance <= 0.98; });
        p.require({"block"}, "block is at most 256, because of transactions",
                  [this] { return block <= 256; });
    }
    [[nodiscard]] tree_shape shape() const noexcept {
        return {children, static_cast<std::uint32_t>(std::floor(chance * 0x1p32)), places};
    }
};

std::uint32_t child_of(std::uint32_t state, std::uint32_t number) {
    std::uint32_t mixed = state + (number + 1) * 0x9e3779b9U;
    mixed = (mixed ^ mixed >> 16) * 0x85ebca6bU;
    mixed = (mixed ^ mixed >> 13) * 0xc2b2ae35U;
    return mixed ^ mixed >> 16;
}

std::vector<tree_node> random_roots(random_stream random, std::uint32_t count) {
    std::vector<tree_node> roots(count);
    for (tree_node& root : roots) root.state = static_cast<std::uint32_t>(random.below(1ULL << 32));
    return roots;
}

found_nodes search_serially(std::vector<tree_node> open, const tree_shape& shape) {
    found_nodes found{};
    while (!open.empty()) {
        const std::uint32_t state = open.back().state;
        open.pop_back();
        ++found.nodes;
        found.sum += state;
        found.leaves += state < shape.limit ? 0 : 1;
        if (state >= shape.limit) continue;
        for (std::uint32_t i = 0; i < shape.children; ++i) open.push_back({child_of(state, i)});
    }
    return found;
}

void run(device& gpu, const uts_options& options, const run_context& context,
         workload_report& report) {
    const tree_shape shape = options.shape();
    const std::vector<tree_node> roots = random_roots(context.random("roots"), options.roots);
    const found_nodes expected = search_serially(roots, shape);

    cooperative_run kernel(gpu, options);
    // Any node may be one that is passed on.
    const work_queues<tree_node> queues(gpu, kernel.blocks(), expected.nodes, roots);
    const device_buffer<found_nodes> found(gpu, 1, "found");
    kernel.run("uts", queues.get(), shape, found.get());

    const found_nodes counted = found.read()[0];
    const std::vector<std::uint32_t> all{counted.nodes, counted.leaves, counted.sum};
    report.compare("nodes, leaves, sum of states", all,
                   {expected.nodes, expected.leaves, expected.sum});
    report.declare_deterministic("found", all);
    report.add_row("nodes", std::uint64_t{expected.nodes});
    report.add_row("nodes from other deques", std::uint64_t{counted.stolen});
    report.add_row("nodes without room", std::uint64_t{counted.passed});
    kernel.report(report);
}

}  // namespace

workload uts() {
    return make_workload<uts_options>("uts",
                                      "Search of unbalanced trees: blocks steal subtrees, and "
                                      "their threads nodes by transactions",
                                      "", run);
}

}  // namespace heddle::workloads
