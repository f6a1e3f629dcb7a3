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
    const auto p = random_floats(context.random("p"), columns);
    const auto r = random_floats(context.random("r"), rows);

    const matrix_vector products(gpu, options, a);
    const device_buffer<float> device_p(gpu, p, "p");
    const device_buffer<float> device_r(gpu, r, "r");
    const device_buffer<float> device_q(gpu, std::vector<float>(rows), "q");
    const device_buffer<float> device_s(gpu, std::vector<float>(columns), "s");
    products.add_columns("bicg_columns", device_r, device_s);
    products.add_rows("bicg_rows", device_p, device_q);
    const auto s = device_s.read();
    const auto q = device_q.read();

    std::vector<float> expected_s(columns);
    std::vector<float> expected_q(rows);
    add_columns(a, r, expected_s);
    add_rows(a, p, expected_q);
    report.compare("s", s, expected_s);
    report.compare("q", q, expected_q);
    report.declare_deterministic("s", s);
    report.declare_deterministic("q", q);
    report.add_row("elements of A", std::uint64_t{rows} * columns);
}

}  // namespace

workload bicg() {
    return make_workload("bicg", "The products of a BiCG step: s = A^T r, q = A p", "", run);
}

}  // namespace heddle::workloads
