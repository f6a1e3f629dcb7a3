// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "runtime/cuda/library/launch.h"

#include "runtime/cuda/library/properties.h"

namespace heddle::cuda {
namespace {

std::uint64_t count_of(const dim3& value) {
    return std::uint64_t{value.x} * value.y * value.z;
}

/// Each extent is at least 1 and at most its limit.
void check_extents(const dim3& value, const int (&limits)[3]) {
    const unsigned extents[] = {value.x, value.y, value.z};
    for (int i = 0; i < 3; ++i) {
        require(extents[i] >= 1 && extents[i] <= static_cast<unsigned>(limits[i]),
                cudaErrorInvalidConfiguration);
    }
}

void check(device_objects& device, const CUfunc_st& kernel, const launch_place& place) {
    const runtime::device_description& machine = device.session.description();
    const cudaDeviceProp limits = properties_of(machine);
    check_extents(place.block, limits.maxThreadsDim);
    check_extents(place.grid, limits.maxGridSize);
    const std::uint64_t threads = count_of(place.block);
    require(threads <= machine.max_threads, cudaErrorInvalidConfiguration);
    // Extents of 31, 16 and 16 bits have a product of 63.
    require(count_of(place.grid) <= static_cast<std::uint64_t>(limits.maxGridSize[0]),
            cudaErrorInvalidConfiguration);
    require(static_cast<std::int64_t>(place.shared_bytes) <= kernel.most_dynamic_bytes,
            cudaErrorInvalidValue);
    require(threads <= kernel.text.max_threads, cudaErrorLaunchOutOfResources);
    if (!place.cooperative) return;
    const std::uint64_t places =
        std::uint64_t{machine.units} * blocks_per_unit(device, kernel, threads, place.shared_bytes);
    require(count_of(place.grid) <= places, cudaErrorCooperativeLaunchTooLarge);
}

}  // namespace

void launch(device_objects& device, const CUfunc_st& kernel, const launch_place& place,
            const void* const* arguments) {
    const stream_ptr in = device.session.streams().find(place.stream);
    check(device, kernel, place);
    require(arguments != nullptr || kernel.text.parameters.empty(), cudaErrorInvalidValue);
    runtime::launch_request request;
    request.program = kernel.program;
    request.kernel = kernel.number;
    request.dimensions = 3;
    request.cooperative = place.cooperative;
    request.dynamic_shared_bytes = static_cast<std::uint32_t>(place.shared_bytes);
    request.grid = {place.grid.x, place.grid.y, place.grid.z};
    request.block = {place.block.x, place.block.y, place.block.z};
    for (std::size_t i = 0; i < kernel.text.parameters.size(); ++i) {
        const auto* const begin = static_cast<const std::byte*>(arguments[i]);
        request.arguments.emplace_back(begin, begin + kernel.text.parameters[i].size);
    }
    device.session.enqueue_launch(in, std::move(request), place.cooperative);
}

std::uint32_t blocks_per_unit(device_objects& device, const CUfunc_st& kernel,
                              std::uint64_t threads, std::uint64_t shared_bytes) {
    require(threads >= 1 && threads <= device.session.description().max_threads,
            cudaErrorInvalidValue);
    if (static_cast<std::int64_t>(shared_bytes) > kernel.most_dynamic_bytes) return 0;
    return device.session
        .call(runtime::occupancy_request{kernel.program, kernel.number,
                                         static_cast<std::uint32_t>(threads),
                                         static_cast<std::uint32_t>(shared_bytes)})
        .blocks;
}

}  // namespace heddle::cuda
