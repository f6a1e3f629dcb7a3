// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/workloads/helpers.h"
#include "models/workloads/workloads.h"

namespace heddle::workloads {
namespace {

struct saxpy_options {
    std::uint32_t n = 65536;
    std::uint32_t block = 256;

    void declare(parameter_list& p) {
        p.add("n", n, range(1, 1 << 26), "element", "Length of the vectors");
        p.add("block", block, range(1, 1024), "thread", "Threads in a block");
    }
};

constexpr float scale = 1.7F;

void run(device& gpu, const saxpy_options& options, const run_context& context,
         workload_report& report) {
    const auto n = options.n;
    const auto x = random_floats(context.random("x"), n);
    const auto y = random_floats(context.random("y"), n);

    const device_buffer<float> device_x(gpu, x, "x");
    const device_buffer<float> device_y(gpu, y, "y");
    launch(gpu, "saxpy", grid_over(n, options.block), n, scale, device_x.get(), device_y.get());
    const auto result = device_y.read();

    std::vector<float> expected(n);
    for (std::uint32_t i = 0; i < n; ++i) expected[i] = scale * x[i] + y[i];
    // The device compiler fuses the multiply and the add: one rounding instead of two, of values
    // below 4 whose last place is at most 2^-22.
    report.compare("y", result, expected, 0x1p-22);
    report.declare_deterministic("y", result);
    report.add_row("elements", std::uint64_t{n});
}

}  // namespace

workload saxpy() {
    return make_workload<saxpy_options>("saxpy", "Vector update y = a x + y of floats", "", run);
}

}  // namespace heddle::workloads
