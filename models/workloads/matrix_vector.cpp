// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/workloads/matrix_vector.h"

#include <cmath>

#include "models/workloads/helpers.h"

namespace heddle::workloads {

void matrix_vector_options::declare(parameter_list& p) {
    p.add("rows", rows, range(1, 16384), "element", "Rows of A");
    p.add("columns", columns, range(1, 16384), "element", "Columns of A");
    p.add("sums", sums, {{"memory", sum_place::memory}, {"registers", sum_place::registers}},
          "Where a sum is kept: memory = each step is stored, as in PolyBench/GPU; registers = "
          "only the final sum is stored");
    p.add("block", block, range(1, 1024), "thread", "Threads in a block");
}

matrix_vector::matrix_vector(device& gpu, const matrix_vector_options& options,
                             const run_context& context)
    : gpu_(gpu),
      options_(options),
      context_(context),
      a_(random_floats(context.random("a"), std::size_t{options.rows} * options.columns)),
      device_a_(gpu, a_, "a") {}

mirrored_vector matrix_vector::random(const std::string& name, std::uint32_t size) const {
    const auto values = random_floats(context_.random(name), size);
    return {name, values, {gpu_, values, name}};
}

mirrored_vector matrix_vector::zeros(const std::string& name, std::uint32_t size) const {
    const std::vector<float> values(size);
    return {name, values, {gpu_, values, name}};
}

void matrix_vector::launch_over(std::uint32_t count, std::string_view kernel,
                                const mirrored_vector& x, const mirrored_vector& result) const {
    launch(gpu_, kernel, grid_over(count, options_.block), options_.rows, options_.columns,
           static_cast<std::uint32_t>(options_.sums == sum_place::memory), device_a_.get(),
           x.on_device.get(), result.on_device.get());
}

void matrix_vector::add_rows(std::string_view kernel, const mirrored_vector& x,
                             mirrored_vector& result) const {
    launch_over(options_.rows, kernel, x, result);
    for (std::size_t row = 0; row < options_.rows; ++row) {
        float& sum = result.expected[row];
        for (std::size_t column = 0; column < options_.columns; ++column) {
            sum = std::fma(a_[row * options_.columns + column], x.expected[column], sum);
        }
    }
}

void matrix_vector::add_columns(std::string_view kernel, const mirrored_vector& x,
                                mirrored_vector& result) const {
    launch_over(options_.columns, kernel, x, result);
    for (std::size_t row = 0; row < options_.rows; ++row) {
        for (std::size_t column = 0; column < options_.columns; ++column) {
            float& sum = result.expected[column];
            sum = std::fma(a_[row * options_.columns + column], x.expected[row], sum);
        }
    }
}

void matrix_vector::check(const mirrored_vector& result, workload_report& report) {
    const auto found = result.on_device.read();
    report.compare(result.name, found, result.expected);
    report.declare_deterministic(result.name, found);
}

}  // namespace heddle::workloads
