// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/workloads/helpers.h"
#include "models/workloads/matrix_vector.h"
#include "models/workloads/workloads.h"

namespace heddle::workloads {
namespace {

void run(device& gpu, const matrix_vector_options& options, const run_context& context,
         workload_report& report) {
    const auto rows = options.rows;
    const auto columns = options.columns;
    const auto a = random_floats(context.random("a"), std::size_t{rows} * columns);
    const auto x = random_floats(context.random("x"), columns);

    const matrix_vector products(gpu, options, a);
    const device_buffer<float> device_x(gpu, x, "x");
    const device_buffer<float> device_product(gpu, std::vector<float>(rows), "product");
    const device_buffer<float> device_y(gpu, std::vector<float>(columns), "y");
    products.add_rows("atax_rows", device_x, device_product);
    products.add_columns("atax_columns", device_product, device_y);
    const auto y = device_y.read();

    std::vector<float> product(rows);
    std::vector<float> expected(columns);
    add_rows(a, x, product);
    add_columns(a, product, expected);
    report.compare("product", device_product.read(), product);
    report.compare("y", y, expected);
    report.declare_deterministic("y", y);
    report.add_row("elements of A", std::uint64_t{rows} * columns);
}

}  // namespace

workload atax() {
    return make_workload("atax", "Matrix, then its transpose, times vector: y = A^T (A x)", "",
                         run);
}

}  // namespace heddle::workloads
