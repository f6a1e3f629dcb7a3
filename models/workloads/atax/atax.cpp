// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/workloads/matrix_vector.h"
#include "models/workloads/workloads.h"

namespace heddle::workloads {
namespace {

void run_atax(device& gpu, const matrix_vector_options& options, const run_context& context,
              workload_report& report) {
    const matrix_vector products(gpu, options, context);
    const auto x = products.random("x", options.columns);
    auto product = products.zeros("product", options.rows);
    auto y = products.zeros("y", options.columns);
    products.add_rows("atax_rows", x, product);
    products.add_columns("atax_columns", product, y);
    products.check(product, report);
    products.check(y, report);
    report.add_row("elements of A", std::uint64_t{options.rows} * options.columns);
}

}  // namespace

workload atax() {
    return make_workload<matrix_vector_options>(
        "atax", "Product of a matrix, its transpose and a vector: y = A^T (A x)", "", run_atax);
}

}  // namespace heddle::workloads
