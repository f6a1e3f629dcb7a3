// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/workloads/child_launch.h"
#include "models/workloads/cooperative_run.h"
#include "models/workloads/octree/serial_octree.h"
#include "models/workloads/workloads.h"

namespace heddle::workloads {
namespace {

struct octree_pockets_options : cooperative_options {
    octree_shape shape{8192, 16, 32, 2};
    child_options children;
    std::uint32_t child_block = 64;

    void declare(parameter_list& p) {
        p.add("points", shape.points, range(1, 1 << 24), "point", "Points to be partitioned");
        p.add("clusters", shape.clusters, range(1, 1024), "cluster",
              "Places around which they lie");
        p.add("leaf", shape.leaf, range(1, 1 << 16), "point",
              "Most points of a leaf, unless they have the same place");
        p.add("cut", shape.cut, range(0, 4), "level", "Levels that the host divides before");
        children.declare(p);
        p.add("child_block", child_block, range(8, 1024), "thread",
              "Threads of a child (modes cdp and dtbl)");
        cooperative_options::declare(p);
    }
};

// Those of octree_pockets_kernel.cpp.
struct waiting_cell {
    std::uint32_t first, count, depth;
};
struct octree_cells {
    device_ptr<waiting_cell> even, odd;
    device_ptr<std::uint32_t> size;
};
struct child_rule {
    std::uint32_t threshold, block;
};

/// A list of cells, with room for those of any level: they have no point in common.
std::vector<waiting_cell> list_of(const serial_octree& serial, const octree_shape& shape) {
    std::vector<waiting_cell> cells(shape.points / shape.leaf + 1);
    for (std::size_t i = 0; i < serial.tasks.size(); ++i) {
        cells[i] = {serial.tasks[i].first, serial.tasks[i].count, shape.cut};
    }
    return cells;
}

void run(device& gpu, const octree_pockets_options& options, const run_context& context,
         workload_report& report) {
    const octree_shape& shape = options.shape;
    const serial_octree serial(context.random("points"), shape);
    std::vector<std::uint32_t> sizes(octree_levels + 1);
    sizes[shape.cut] = static_cast<std::uint32_t>(serial.tasks.size());

    cooperative_run kernel(gpu, options);
    const device_octree points(gpu, serial, shape);
    const std::vector<waiting_cell> first = list_of(serial, shape);
    const device_buffer<waiting_cell> even(gpu, first, "cells of even depth");
    const device_buffer<waiting_cell> odd(gpu, first, "cells of odd depth");
    const device_buffer<std::uint32_t> size(gpu, sizes, "numbers of cells");
    kernel.run(context.entry("octree_pockets"), octree_cells{even.get(), odd.get(), size.get()},
               points.get(), child_rule{options.children.threshold, options.child_block},
               shape.cut);
    points.report(report);
    kernel.report(report);
}

}  // namespace

workload octree_pockets() {
    return with_modes(make_workload<octree_pockets_options>(
        "octree_pockets", "Octree of points, level by level: children divide cells", "", run));
}

}  // namespace heddle::workloads
