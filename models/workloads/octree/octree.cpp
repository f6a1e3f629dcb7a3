// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/workloads/cooperative_run.h"
#include "models/workloads/octree/serial_octree.h"
#include "models/workloads/work_queues.h"
#include "models/workloads/workloads.h"

namespace heddle::workloads {
namespace {

struct octree_options : cooperative_options {
    octree_shape shape{8192, 16, 32, 2};

    void declare(parameter_list& p) {
        p.add("points", shape.points, range(1, 1 << 24), "point", "Points to be partitioned");
        p.add("clusters", shape.clusters, range(1, 1024), "cluster",
              "Places around which they lie");
        p.add("threshold", shape.leaf, range(1, 1 << 16), "point",
              "Most points of a leaf, unless they have the same place");
        p.add("cut", shape.cut, range(0, 4), "level", "Levels that the host divides before");
        cooperative_options::declare(p);
    }
};

struct cell {
    std::uint32_t first, count, depth;
};

void run(device& gpu, const octree_options& options, const run_context& context,
         workload_report& report) {
    const serial_octree serial(context.random("points"), options.shape);
    std::vector<cell> tasks;
    for (const auto& task : serial.tasks) {
        tasks.push_back({task.first, task.count, options.shape.cut});
    }

    cooperative_run kernel(gpu, options);
    const device_octree points(gpu, serial, options.shape);
    // Tasks that wait at one time have no point in common.
    const std::uint32_t capacity = options.shape.points / options.shape.leaf + 1;
    const work_queues<cell> queues(gpu, kernel.blocks(), capacity, tasks);
    kernel.run("octree", queues.get(), points.get());
    points.report(report);
    kernel.report(report);
}

}  // namespace

workload octree() {
    return make_workload<octree_options>("octree", "Octree of points by blocks that steal tasks",
                                         "", run);
}

}  // namespace heddle::workloads
