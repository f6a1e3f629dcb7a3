// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/workloads/helpers.h"
#include "models/workloads/workloads.h"

namespace heddle::workloads {
namespace {

enum class transpose_variant { padded, naive };

struct transpose_options {
    transpose_variant variant = transpose_variant::padded;
    std::uint32_t rows = 256;
    std::uint32_t columns = 256;

    void declare(parameter_list& p) {
        p.add(
            "variant", variant,
            {{"padded", transpose_variant::padded}, {"naive", transpose_variant::naive}},
            "Way of an element: padded = through a padded tile in shared memory, naive = directly");
        p.add("rows", rows, range(1, 16384), "element", "Rows of the input");
        p.add("columns", columns, range(1, 16384), "element", "Columns of the input");
    }
};

constexpr std::uint32_t tile_side = 32;  // transpose_kernel.cpp's
constexpr std::uint32_t block_rows = 8;  // a thread moves tile_side / block_rows elements

void run(device& gpu, const transpose_options& options, const run_context& context,
         workload_report& report) {
    const auto rows = options.rows;
    const auto columns = options.columns;
    const auto size = std::size_t{rows} * columns;
    const auto in = random_words(context.random("in"), size);

    const device_buffer<std::uint32_t> device_in(gpu, in, "in");
    const device_buffer<std::uint32_t> device_out(gpu, size, "out");
    launch_shape shape;
    shape.grid = {blocks_for(columns, tile_side), blocks_for(rows, tile_side)};
    shape.block = {tile_side, block_rows};
    const bool padded = options.variant == transpose_variant::padded;
    launch(gpu, padded ? "transpose_padded" : "transpose_naive", shape, rows, columns,
           device_in.get(), device_out.get());
    const auto out = device_out.read();

    std::vector<std::uint32_t> expected(size);
    for (std::size_t row = 0; row < rows; ++row) {
        for (std::size_t column = 0; column < columns; ++column) {
            expected[column * rows + row] = in[row * columns + column];
        }
    }
    report.compare("out", out, expected);
    report.declare_deterministic("out", out);
    report.add_row("elements", std::uint64_t{size});
}

}  // namespace

workload transpose() {
    return make_workload<transpose_options>(
        "transpose", "Matrix transposition, through padded shared memory or directly", "", run);
}

}  // namespace heddle::workloads
