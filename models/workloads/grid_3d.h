// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "models/base/parameter.h"
#include "models/workloads/helpers.h"
#include "models/workloads/workload.h"

/// What lps, laplace and stencil share: a grid of floats, x fastest, whose inner points are updated
/// from their six neighbours a number of times and whose boundary stays as it is.
namespace heddle::workloads {

struct grid_3d_options {
    std::uint32_t nx = 64;
    std::uint32_t ny = 64;
    std::uint32_t nz = 16;
    std::uint32_t iterations = 1;

    void declare(parameter_list& p) {
        p.add("nx", nx, range(1, 1024), "point", "Width of the grid");
        p.add("ny", ny, range(1, 1024), "point", "Height of the grid");
        p.add("nz", nz, range(1, 1024), "point", "Depth of the grid");
        p.add("iterations", iterations, range(0, 10000), "iteration", "Updates of the grid");
    }
    [[nodiscard]] std::size_t points() const noexcept { return std::size_t{nx} * ny * nz; }
    /// Blocks of 32 x 4 threads, one thread a column of nz points.
    [[nodiscard]] launch_shape shape() const noexcept {
        launch_shape shape;
        shape.grid = {blocks_for(nx, 32), blocks_for(ny, 4)};
        shape.block = {32, 4};
        return shape;
    }
};

/// The serial reference: `update(centre, neighbours)` of each inner point, where `neighbours` is
/// the sum (((((left + right) + front) + back) + below) + above).
template <class Update>
std::vector<float> updated_grid(const grid_3d_options& options, std::vector<float> values,
                                Update update) {
    const std::size_t row = options.nx;
    const std::size_t plane = row * options.ny;
    std::vector<float> next = values;
    for (std::uint32_t iteration = 0; iteration < options.iterations; ++iteration) {
        for (std::size_t z = 1; z + 1 < options.nz; ++z) {
            for (std::size_t y = 1; y + 1 < options.ny; ++y) {
                for (std::size_t x = 1; x + 1 < options.nx; ++x) {
                    const std::size_t i = z * plane + y * row + x;
                    next[i] = update(values[i], values[i - 1] + values[i + 1] + values[i - row] +
                                                    values[i + row] + values[i - plane] +
                                                    values[i + plane]);
                }
            }
        }
        std::swap(values, next);
    }
    return values;
}

/// Iterates on the device, kernel(nx, ny, nz, from, to), and compares with updated_grid(). Both of
/// the device's grids begin as the same, so that a kernel may leave the boundary alone.
template <class Update>
void iterate_grid(device& gpu, const grid_3d_options& options, const run_context& context,
                  workload_report& report, const char* kernel, const launch_shape& shape,
                  Update update) {
    const auto start = random_floats(context.random("grid"), options.points());
    const device_buffer<float> first(gpu, start, "grid 0");
    const device_buffer<float> second(gpu, start, "grid 1");
    for (std::uint32_t i = 0; i < options.iterations; ++i) {
        const bool even = i % 2 == 0;
        launch(gpu, kernel, shape, options.nx, options.ny, options.nz,
               (even ? first : second).get(), (even ? second : first).get());
    }
    const auto result = (options.iterations % 2 == 0 ? first : second).read();
    report.compare("grid", result, updated_grid(options, start, update));
    report.declare_deterministic("grid", result);
    report.add_row("points", std::uint64_t{options.points()});
    report.add_row("iterations", std::uint64_t{options.iterations});
}

/// Laplace's equation: the mean of the neighbours.
inline float mean_of_neighbours(float, float neighbours) noexcept {
    return neighbours * (1.0F / 6.0F);
}

}  // namespace heddle::workloads
