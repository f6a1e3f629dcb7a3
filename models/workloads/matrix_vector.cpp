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
          "Each step of a sum is stored, as in PolyBench/GPU, or only its end");
    p.add("block", block, range(1, 1024), "thread", "Threads of a block");
}

matrix_vector::matrix_vector(device& gpu, const matrix_vector_options& options,
                             const std::vector<float>& a)
    : gpu_(gpu), options_(options), a_(gpu, a, "a") {}

void matrix_vector::add_rows(std::string_view kernel, const device_buffer<float>& x,
                             const device_buffer<float>& result) const {
    launch(gpu_, kernel, grid_over(options_.rows, options_.block), options_.rows, options_.columns,
           static_cast<std::uint32_t>(options_.sums == sum_place::memory), a_.get(), x.get(),
           result.get());
}

void matrix_vector::add_columns(std::string_view kernel, const device_buffer<float>& x,
                                const device_buffer<float>& result) const {
    launch(gpu_, kernel, grid_over(options_.columns, options_.block), options_.rows,
           options_.columns, static_cast<std::uint32_t>(options_.sums == sum_place::memory),
           a_.get(), x.get(), result.get());
}

void add_rows(const std::vector<float>& a, const std::vector<float>& x,
              std::vector<float>& result) {
    for (std::size_t row = 0; row < result.size(); ++row) {
        for (std::size_t column = 0; column < x.size(); ++column) {
            result[row] = std::fma(a[row * x.size() + column], x[column], result[row]);
        }
    }
}

void add_columns(const std::vector<float>& a, const std::vector<float>& x,
                 std::vector<float>& result) {
    for (std::size_t row = 0; row < x.size(); ++row) {
        for (std::size_t column = 0; column < result.size(); ++column) {
            result[column] = std::fma(a[row * result.size() + column], x[row], result[column]);
        }
    }
}

}  // namespace heddle::workloads
