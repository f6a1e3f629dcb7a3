// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>

#include "models/base/machine_configuration.h"
#include "models/device/device.h"
#include "models/device/launch_limits.h"

namespace heddle {

/// What a launch by a kernel answers; the numbers are those of CUDA 5 to 9 (cudaError_t).
enum class launch_error : std::uint32_t {
    none = 0,
    memory_allocation = 2,         ///< no parameter buffer; told by its address 0
    launch_out_of_resources = 7,   ///< no SMX can hold a block
    invalid_device_function = 8,   ///< the record names no kernel
    invalid_configuration = 9,     ///< grid or block have an extent that is 0 or too large
    invalid_value = 11,            ///< the parameters do not lie, or do not fit, in the buffer
    invalid_resource_handle = 33,  ///< no such stream
    max_depth_exceeded = 65,
    pending_count_exceeded = 69,
};

/// A launch record, as a thread leaves it at the head of its parameter buffer
/// (models/program/include/heddle/launch.h).
struct launch_request {
    static constexpr std::uint32_t words = 9;
    static constexpr std::uint32_t bytes = 4 * words;
    /// The parameters begin this far behind the start of the record.
    static constexpr std::uint32_t parameters_offset = 48;

    std::uint32_t function = 0;    ///< address of the kernel function
    std::uint32_t parameters = 0;  ///< address
    dim3 grid;
    dim3 block;
    std::uint32_t dynamic_shared_bytes = 0;

    [[nodiscard]] static launch_request from(const std::array<std::uint32_t, words>& record);
};

/// What a record asks for.
struct judged_launch {
    launch_error error = launch_error::none;
    const program::kernel* kernel = nullptr;  ///< as the following: only without an error
    launch_shape shape;
    block_resources per_block;
};

/// Judges the record of a buffer that has `buffer_bytes` from `buffer` on. Every model of the
/// machine judges by this function. O(kernels).
[[nodiscard]] judged_launch judge_launch(const launch_request& request, std::uint32_t buffer,
                                         std::uint32_t buffer_bytes, const program::image& image,
                                         const machine_configuration& machine);

}  // namespace heddle
