// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/workloads/helpers.h"
#include "models/workloads/workloads.h"

namespace heddle::workloads {
namespace {

enum class matrix_variant { naive, tiled };

struct matrix_options {
    matrix_variant variant = matrix_variant::naive;
    std::uint32_t rows = 128;
    std::uint32_t columns = 128;
    std::uint32_t inner = 128;
    std::uint32_t tile = 16;
    std::uint32_t block_rows = 0;
    std::uint32_t value_bytes = 4;

    void declare(parameter_list& p) {
        p.add("variant", variant,
              {{"naive", matrix_variant::naive}, {"tiled", matrix_variant::tiled}},
              "Where a thread reads its operands: naive = global memory, tiled = tiles in shared "
              "memory");
        p.add("rows", rows, range(1, 8192), "element", "Rows of A and C");
        p.add("columns", columns, range(1, 8192), "element", "Columns of B and C");
        p.add("inner", inner, range(1, 8192), "element", "Columns of A and rows of B");
        p.add("tile", tile, one_of({16, 32, 64, 128, 256, 512, 768}), "element",
              "Width and height of a block of threads");
        p.add("block_rows", block_rows, range(0, 64), "element",
              "Height of a block of threads of the naive variant; 0 = tile");
        p.add(
            "value_bytes", value_bytes, one_of({4, 8}), "byte",
            "Place of an element in memory, for the naive variant; 8 is that of a double, of which "
            "half is not used");
        p.require({"variant", "tile", "value_bytes"},
                  "tile is 16 or 32 and value_bytes 4 for tiles in shared memory", [this] {
                      return variant == matrix_variant::naive || (tile <= 32 && value_bytes == 4);
                  });
        p.require({"variant", "block_rows"}, "block_rows is 0 for tiles in shared memory",
                  [this] { return variant == matrix_variant::naive || block_rows == 0; });
    }
};

std::vector<float> multiply(std::uint32_t rows, std::uint32_t columns, std::uint32_t inner,
                            const std::vector<float>& a, const std::vector<float>& b) {
    std::vector<float> c;
    c.reserve(std::size_t{rows} * columns);
    std::vector<double> sums(columns);
    for (std::size_t row = 0; row < rows; ++row) {
        sums.assign(columns, 0);
        for (std::size_t k = 0; k < inner; ++k) {
            const double left = a[row * inner + k];
            for (std::size_t column = 0; column < columns; ++column) {
                sums[column] += left * b[k * columns + column];
            }
        }
        c.insert(c.end(), sums.begin(), sums.end());
    }
    return c;
}

void run(device& gpu, const matrix_options& options, const run_context& context,
         workload_report& report) {
    const auto rows = options.rows;
    const auto columns = options.columns;
    const auto inner = options.inner;
    const auto a = random_floats(context.random("a"), std::size_t{rows} * inner);
    const auto b = random_floats(context.random("b"), std::size_t{inner} * columns);

    const std::uint32_t words = options.value_bytes / 4;
    const device_buffer<float> device_a(gpu, spread_out(a, words), "a");
    const device_buffer<float> device_b(gpu, spread_out(b, words), "b");
    const device_buffer<float> device_c(gpu, std::size_t{rows} * columns * words, "c");
    launch_shape shape;
    const auto height = options.block_rows == 0 ? options.tile : options.block_rows;
    shape.grid = {blocks_for(columns, options.tile), blocks_for(rows, height)};
    shape.block = {options.tile, height};
    const char* const kernel = words == 2                                 ? "matrix_naive_wide"
                               : options.variant == matrix_variant::naive ? "matrix_naive"
                               : options.tile == 16                       ? "matrix_tiled"
                                                                          : "matrix_tiled_32";
    launch(gpu, kernel, shape, rows, columns, inner, device_a.get(), device_b.get(),
           device_c.get());
    const auto c = drawn_together(device_c.read(), words);

    // Operands are below 1, so a partial sum of k products is below k and, being a random walk,
    // hardly above sqrt(k): each of the `inner` additions rounds by far less than 2^-23.
    report.compare("c", c, multiply(rows, columns, inner, a, b), inner * 0x1p-23);
    report.declare_deterministic("c", c);
    report.add_row("products", std::uint64_t{rows} * columns * inner);
}

}  // namespace

workload matrix() {
    return make_workload<matrix_options>("matrix", "Matrix product C = A B of floats", "", run);
}

}  // namespace heddle::workloads
