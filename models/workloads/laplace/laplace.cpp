// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/workloads/grid_3d.h"
#include "models/workloads/workloads.h"

namespace heddle::workloads {
namespace {

void run_laplace(device& gpu, const grid_3d_options& options, const run_context& context,
                 workload_report& report) {
    launch_shape shape;
    shape.grid = {blocks_for(options.nx, 32), blocks_for(options.ny, 2), blocks_for(options.nz, 4)};
    shape.block = {32, 2, 4};
    iterate_grid(gpu, options, context, report, "laplace", shape, mean_of_neighbours);
}

}  // namespace

workload laplace() {
    return make_workload<grid_3d_options>(
        "laplace", "Laplace's equation on a 3-D grid, one thread a point", "", run_laplace);
}

}  // namespace heddle::workloads
