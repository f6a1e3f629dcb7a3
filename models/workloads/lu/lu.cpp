// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/workloads/helpers.h"
#include "models/workloads/workloads.h"

namespace heddle::workloads {
namespace {

struct lu_options {
    std::uint32_t matrices = 16;
    std::uint32_t tiles = 8;
    std::uint32_t tile = 4;
    std::uint32_t block = 256;

    void declare(parameter_list& p) {
        p.add("matrices", matrices, range(1, 65535), "matrix",
              "Number of matrices, one block each");
        p.add("tiles", tiles, range(1, 128), "tile", "Tiles in a row of a matrix");
        p.add("tile", tile, range(1, 32), "element", "Width and height of a tile");
        p.add("block", block, range(1, 1024), "thread", "Threads in a block");
    }
    [[nodiscard]] std::size_t side() const noexcept { return std::size_t{tiles} * tile; }
};

/// Where element (row, column) of a matrix is when each tile's elements lie together.
std::size_t place(const lu_options& options, std::size_t row, std::size_t column) {
    const std::size_t n = options.tile;
    return (row / n * options.tiles + column / n) * n * n + row % n * n + column % n;
}

/// L U = matrix, L's unit diagonal left out, without tiles. Each element takes its subtractions in
/// the same order as on the device.
void factorize(std::vector<float>& matrix, std::size_t side) {
    for (std::size_t k = 0; k < side; ++k) {
        for (std::size_t i = k + 1; i < side; ++i) {
            const float factor = matrix[i * side + k] /= matrix[k * side + k];
            for (std::size_t j = k + 1; j < side; ++j) {
                matrix[i * side + j] -= factor * matrix[k * side + j];
            }
        }
    }
}

void run(device& gpu, const lu_options& options, const run_context& context,
         workload_report& report) {
    const std::size_t side = options.side();
    const std::size_t words = side * side;
    auto values = random_floats(context.random("values"), words * options.matrices);
    for (std::size_t m = 0; m < options.matrices; ++m) {
        // A diagonal that is larger than all else in its row needs no pivoting.
        for (std::size_t i = 0; i < side; ++i) {
            values[m * words + place(options, i, i)] += static_cast<float>(side);
        }
    }
    const device_buffer<float> device_values(gpu, values, "matrices");
    launch_shape shape;
    shape.grid.x = options.matrices;
    shape.block.x = options.block;
    launch(gpu, "lu", shape, options.tiles, options.tile, device_values.get());
    const auto result = device_values.read();

    std::vector<float> expected(values.size());
    std::vector<float> matrix(words);
    for (std::size_t m = 0; m < options.matrices; ++m) {
        const auto in_matrix = [&](std::size_t row, std::size_t column) {
            return m * words + place(options, row, column);
        };
        for (std::size_t i = 0; i < words; ++i) matrix[i] = values[in_matrix(i / side, i % side)];
        factorize(matrix, side);
        for (std::size_t i = 0; i < words; ++i) expected[in_matrix(i / side, i % side)] = matrix[i];
    }
    report.compare("factors", result, expected);
    report.declare_deterministic("factors", result);
    report.add_row("elements", std::uint64_t{values.size()});
}

}  // namespace

workload lu() {
    return make_workload<lu_options>(
        "lu", "Blocked LU factorization, a thread a tile, a block a matrix", "", run);
}

}  // namespace heddle::workloads
