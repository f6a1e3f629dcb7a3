// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/workloads/grid_3d.h"
#include "models/workloads/workloads.h"

namespace heddle::workloads {
namespace {

void run_lps(device& gpu, const grid_3d_options& options, const run_context& context,
             workload_report& report) {
    iterate_grid(gpu, options, context, report, "lps", options.shape(), mean_of_neighbours);
}

}  // namespace

workload lps() {
    return make_workload<grid_3d_options>(
        "lps", "Laplace's equation on a 3-D grid, planes in shared memory", "", run_lps);
}

}  // namespace heddle::workloads
