// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/workloads/matrix_vector.h"
#include "models/workloads/workloads.h"

namespace heddle::workloads {
namespace {

/// The products are independent of each other, but in one stream.
void run_mvt(device& gpu, const matrix_vector_options& options, const run_context& context,
             workload_report& report) {
    const matrix_vector products(gpu, options, context);
    const auto y1 = products.random("y1", options.columns);
    const auto y2 = products.random("y2", options.rows);
    auto x1 = products.random("x1", options.rows);
    auto x2 = products.random("x2", options.columns);
    products.add_rows("mvt_rows", y1, x1);
    products.add_columns("mvt_columns", y2, x2);
    products.check(x1, report);
    products.check(x2, report);
    report.add_row("elements of A", std::uint64_t{options.rows} * options.columns);
}

}  // namespace

workload mvt() {
    return make_workload<matrix_vector_options>(
        "mvt", "Matrix and transpose times vectors: x1 += A y1, x2 += A^T y2", "", run_mvt);
}

}  // namespace heddle::workloads
