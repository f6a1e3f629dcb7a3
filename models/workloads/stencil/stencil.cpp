// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <cmath>

#include "models/workloads/grid_3d.h"
#include "models/workloads/workloads.h"

namespace heddle::workloads {
namespace {

void run(device& gpu, const grid_3d_options& options, const run_context& context,
         workload_report& report) {
    const auto start = random_floats(context.random("grid"), options.points());
    const device_buffer<float> first(gpu, start, "grid 0");
    const device_buffer<float> second(gpu, start, "grid 1");  // the boundary stays
    for (std::uint32_t i = 0; i < options.iterations; ++i) {
        const bool even = i % 2 == 0;
        launch(gpu, "stencil", options.shape(), options.nx, options.ny, options.nz,
               (even ? first : second).get(), (even ? second : first).get());
    }
    const auto result = (options.iterations % 2 == 0 ? first : second).read();

    const auto update = [](float centre, float neighbours) {
        const float part = centre * (-1.0F / 6.0F);
        return std::fma(neighbours, 1.0F / 36.0F, part);
    };
    report.compare("grid", result, updated_grid(options, start, update));
    report.declare_deterministic("grid", result);
    report.add_row("points", std::uint64_t{options.points()});
    report.add_row("iterations", std::uint64_t{options.iterations});
}

}  // namespace

workload stencil() {
    return make_workload("stencil", "7-point Jacobi stencil on a 3-D grid, directly from memory",
                         "", run);
}

}  // namespace heddle::workloads
