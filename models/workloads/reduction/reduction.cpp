// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <algorithm>
#include <numeric>

#include "models/workloads/helpers.h"
#include "models/workloads/workloads.h"

namespace heddle::workloads {
namespace {

enum class element_type { unsigned_word, float_word };

struct reduction_options {
    element_type type = element_type::unsigned_word;
    std::uint32_t n = 65536;
    std::uint32_t block = 256;
    std::uint32_t blocks = 64;

    void declare(parameter_list& p) {
        p.add("type", type,
              {{"unsigned", element_type::unsigned_word}, {"float", element_type::float_word}},
              "Type of the elements");
        p.add("n", n, range(1, 1 << 26), "element", "Length of the vector");
        p.add("block", block, one_of({32, 64, 128, 256, 512, 1024}), "thread",
              "Threads in a block");
        p.add("blocks", blocks, range(1, 65535), "block", "Largest number of blocks in the grid");
    }
};

/// Sums on the device; T is std::uint32_t or float.
template <class T>
std::vector<T> sum_on(device& gpu, const reduction_options& options, const char* kernel,
                      const std::vector<T>& values) {
    const auto n = static_cast<std::uint32_t>(values.size());
    const auto block = options.block;
    const device_buffer<T> device_values(gpu, values, "values");
    const device_buffer<T> total(gpu, 1, "total");

    launch_shape shape = grid_over(n, block);
    shape.grid.x = std::min(shape.grid.x, options.blocks);
    shape.dynamic_shared_bytes = block * sizeof(T);
    launch(gpu, kernel, shape, n, device_values.get(), total.get());
    return total.read();
}

void run(device& gpu, const reduction_options& options, const run_context& context,
         workload_report& report) {
    const auto n = options.n;
    report.add_row("elements", std::uint64_t{n});
    if (options.type == element_type::unsigned_word) {
        const auto values = random_words(context.random("values"), n);
        const auto total = sum_on(gpu, options, "reduce_unsigned", values);
        const std::vector<std::uint32_t> expected{
            std::accumulate(values.begin(), values.end(), std::uint32_t{0})};
        report.compare("sum", total, expected);
        report.declare_deterministic("total", total);
    } else {
        const auto values = random_floats(context.random("values"), n);
        const auto total = sum_on(gpu, options, "reduce_float", values);
        const std::vector<float> expected{
            static_cast<float>(std::accumulate(values.begin(), values.end(), 0.0))};
        // The sum of n values in [-1, 1) is a random walk of about sqrt(n / 3); every addition
        // rounds by half a last place of it at most. Not deterministic: blocks add in any order.
        report.compare("sum", total, expected, n * 0x1p-23);
    }
}

}  // namespace

workload reduction() {
    return make_workload<reduction_options>(
        "reduction", "Sum of a vector: tree in shared memory, one atomic a block", "", run);
}

}  // namespace heddle::workloads
