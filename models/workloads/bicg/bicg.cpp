// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/workloads/matrix_vector.h"
#include "models/workloads/workloads.h"

namespace heddle::workloads {
namespace {

void run_bicg(device& gpu, const matrix_vector_options& options, const run_context& context,
              workload_report& report) {
    const matrix_vector products(gpu, options, context);
    const auto p = products.random("p", options.columns);
    const auto r = products.random("r", options.rows);
    auto q = products.zeros("q", options.rows);
    auto s = products.zeros("s", options.columns);
    products.add_columns("bicg_columns", r, s);
    products.add_rows("bicg_rows", p, q);
    products.check(s, report);
    products.check(q, report);
    report.add_row("elements of A", std::uint64_t{options.rows} * options.columns);
}

}  // namespace

workload bicg() {
    return make_workload<matrix_vector_options>(
        "bicg", "The products of a BiCG step: s = A^T r, q = A p", "", run_bicg);
}

}  // namespace heddle::workloads
