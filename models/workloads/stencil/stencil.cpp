// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <cmath>

#include "models/workloads/grid_3d.h"
#include "models/workloads/workloads.h"

namespace heddle::workloads {
namespace {

void run_stencil(device& gpu, const grid_3d_options& options, const run_context& context,
                 workload_report& report) {
    const auto update = [](float centre, float neighbours) {
        const float part = centre * (-1.0F / 6.0F);
        return std::fma(neighbours, 1.0F / 36.0F, part);
    };
    iterate_grid(gpu, options, context, report, "stencil", options.shape(), update);
}

}  // namespace

workload stencil() {
    return make_workload<grid_3d_options>(
        "stencil", "7-point Jacobi stencil on a 3-D grid, directly from memory", "", run_stencil);
}

}  // namespace heddle::workloads
