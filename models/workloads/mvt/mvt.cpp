// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/workloads/helpers.h"
#include "models/workloads/matrix_vector.h"
#include "models/workloads/workloads.h"

namespace heddle::workloads {
namespace {

/// The products are independent of each other, but in one stream.
void run(device& gpu, const matrix_vector_options& options, const run_context& context,
         workload_report& report) {
    const auto rows = options.rows;
    const auto columns = options.columns;
    const auto a = random_floats(context.random("a"), std::size_t{rows} * columns);
    const auto y1 = random_floats(context.random("y1"), columns);
    const auto y2 = random_floats(context.random("y2"), rows);
    auto x1 = random_floats(context.random("x1"), rows);
    auto x2 = random_floats(context.random("x2"), columns);

    const matrix_vector products(gpu, options, a);
    const device_buffer<float> device_y1(gpu, y1, "y1");
    const device_buffer<float> device_y2(gpu, y2, "y2");
    const device_buffer<float> device_x1(gpu, x1, "x1");
    const device_buffer<float> device_x2(gpu, x2, "x2");
    products.add_rows("mvt_rows", device_y1, device_x1);
    products.add_columns("mvt_columns", device_y2, device_x2);
    const auto found_x1 = device_x1.read();
    const auto found_x2 = device_x2.read();

    add_rows(a, y1, x1);
    add_columns(a, y2, x2);
    report.compare("x1", found_x1, x1);
    report.compare("x2", found_x2, x2);
    report.declare_deterministic("x1", found_x1);
    report.declare_deterministic("x2", found_x2);
    report.add_row("elements of A", std::uint64_t{rows} * columns);
}

}  // namespace

workload mvt() {
    return make_workload("mvt", "Matrix and transpose times vectors: x1 += A y1, x2 += A^T y2", "",
                         run);
}

}  // namespace heddle::workloads
