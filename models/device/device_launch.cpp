// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/device/device_launch.h"

#include "models/base/error.h"
#include "models/program/image.h"

namespace heddle {
namespace {

/// y and z extents of a grid have 16 bits in hardware, as in CUDA.
constexpr std::uint32_t most_rows = 0xffff;

bool legal_extents(const dim3& grid, const dim3& block) {
    if (grid.x == 0 || grid.y == 0 || grid.z == 0 || grid.y > most_rows || grid.z > most_rows) {
        return false;
    }
    if (block.x == 0 || block.y == 0 || block.z == 0) return false;
    // One factor at a time: three 32-bit extents overflow their 64-bit product.
    const std::uint64_t plane = std::uint64_t{block.x} * block.y;
    return plane <= max_threads_per_block && plane * block.z <= max_threads_per_block;
}

}  // namespace

launch_request launch_request::from(const std::array<std::uint32_t, words>& record) {
    return {record[0],
            record[1],
            {record[2], record[3], record[4]},
            {record[5], record[6], record[7]},
            record[8]};
}

judged_launch judge_launch(const launch_request& request, std::uint32_t buffer,
                           std::uint32_t buffer_bytes, const program::image& image,
                           const machine_configuration& machine) {
    judged_launch judged;
    const auto refuse = [&](launch_error why) {
        judged.error = why;
        return judged;
    };
    judged.kernel = image.kernel_at(request.function);
    if (judged.kernel == nullptr) return refuse(launch_error::invalid_device_function);
    if (request.parameters != buffer + launch_request::parameters_offset ||
        buffer_bytes < launch_request::parameters_offset + judged.kernel->parameter_bytes) {
        return refuse(launch_error::invalid_value);
    }
    if (!legal_extents(request.grid, request.block)) {
        return refuse(launch_error::invalid_configuration);
    }
    judged.shape.grid = request.grid;
    judged.shape.block = request.block;
    judged.shape.dynamic_shared_bytes = request.dynamic_shared_bytes;
    try {
        judged.per_block = check_launch(*judged.kernel, judged.shape, machine);
    } catch (const run_error&) {  // its text is for a launch by the host, which ends the run
        return refuse(launch_error::launch_out_of_resources);
    }
    return judged;
}

}  // namespace heddle
