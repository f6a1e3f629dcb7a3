// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/base/parameter.h"
#include "models/device/device.h"
#include "models/workloads/workload.h"

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

/// A vector on the device, and what the serial reference has in its place.
struct mirrored_vector {
    std::string name;
    std::vector<float> expected;
    device_buffer<float> on_device;
};

/// A random matrix A and vectors, and products of them both on the device, by the launches of
/// matrix_vector_kernel.h, and in the serial reference. There every element is a chain of fused
/// multiply-adds in ascending order of the other index, as on the device: equal bits.
class matrix_vector {
public:
    /// A is the stream "a" of the run, row-major, and stays on the device as long as the object.
    matrix_vector(device& gpu, const matrix_vector_options& options, const run_context& context);

    /// The stream `name` of the run.
    [[nodiscard]] mirrored_vector random(const std::string& name, std::uint32_t size) const;
    [[nodiscard]] mirrored_vector zeros(const std::string& name, std::uint32_t size) const;

    /// result += A x by `kernel`, one thread a row.
    void add_rows(std::string_view kernel, const mirrored_vector& x, mirrored_vector& result) const;
    /// result += A^T x by `kernel`, one thread a column.
    void add_columns(std::string_view kernel, const mirrored_vector& x,
                     mirrored_vector& result) const;
    /// Reads the result, compares it with the reference's, and declares it deterministic.
    static void check(const mirrored_vector& result, workload_report& report);

private:
    void launch_over(std::uint32_t count, std::string_view kernel, const mirrored_vector& x,
                     const mirrored_vector& result) const;

    device& gpu_;
    const matrix_vector_options options_;
    const run_context context_;
    const std::vector<float> a_;
    const device_buffer<float> device_a_;
};

}  // namespace heddle::workloads
