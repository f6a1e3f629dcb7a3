// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <vector>

#include "models/base/parameter.h"
#include "models/device/device.h"

/// What atax, bicg and mvt share: products of a matrix, or its transpose, with a vector.
namespace heddle::workloads {

/// Where a thread keeps its sum while it walks along a row or column.
enum class sum_place : std::uint8_t {
    memory,    ///< in its element of the result, stored at each step
    registers  ///< in a register, stored at the end
};

/// Options of a workload with a rows x columns matrix.
struct matrix_vector_options {
    std::uint32_t rows = 512;
    std::uint32_t columns = 512;
    sum_place sums = sum_place::memory;
    std::uint32_t block = 256;

    void declare(parameter_list& p);
};

/// The device's half of a product: vector elements and launches of matrix_vector_kernel.h.
class matrix_vector {
public:
    /// `a` is row-major and stays on the device as long as the object.
    matrix_vector(device& gpu, const matrix_vector_options& options, const std::vector<float>& a);

    /// result += A x by `kernel`, one thread a row.
    void add_rows(std::string_view kernel, const device_buffer<float>& x,
                  const device_buffer<float>& result) const;
    /// result += A^T x by `kernel`, one thread a column.
    void add_columns(std::string_view kernel, const device_buffer<float>& x,
                     const device_buffer<float>& result) const;

private:
    device& gpu_;
    const matrix_vector_options options_;
    const device_buffer<float> a_;
};

/// The serial references: result += A x and result += A^T x. Every element is a chain of fused
/// multiply-adds in ascending order of the other index, as on the device: equal bits.
void add_rows(const std::vector<float>& a, const std::vector<float>& x, std::vector<float>& result);
void add_columns(const std::vector<float>& a, const std::vector<float>& x,
                 std::vector<float>& result);

}  // namespace heddle::workloads
