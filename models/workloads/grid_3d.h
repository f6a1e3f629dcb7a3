// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "models/base/parameter.h"
#include "models/workloads/helpers.h"

/// What lps and stencil share: a grid of floats, x fastest, whose inner points are updated from
/// their six neighbours a number of times and whose boundary stays as it is.
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

}  // namespace heddle::workloads
