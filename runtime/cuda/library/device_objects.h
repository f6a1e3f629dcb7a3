// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "runtime/cuda/library/device_memory.h"
#include "runtime/cuda/library/device_programs.h"
#include "runtime/cuda/library/library.h"
#include "runtime/cuda/library/texture_table.h"

/// What cudaArray_t points to: rows of elements in device memory.
struct cudaArray {
    std::uint32_t address = 0;
    std::uint32_t pitch = 0;  ///< bytes
    cudaChannelFormatDesc format{};
    cudaExtent extent{};  ///< as the program gave it: 0 where there is no such dimension
    unsigned flags = 0;

    [[nodiscard]] std::uint32_t element_bytes() const {
        return static_cast<std::uint32_t>(format.x + format.y + format.z + format.w) / 8;
    }
    [[nodiscard]] std::uint32_t rows() const { return std::max<std::uint32_t>(1, extent.height); }
    [[nodiscard]] std::uint32_t slices() const { return std::max<std::uint32_t>(1, extent.depth); }
};

/// What cudaMemPool_t points to: what the program has set.
struct heddle_cuda_memory_pool {
    int reuse[cudaMemPoolAttrReleaseThreshold] = {0, 1, 1, 1};  ///< by attribute
    std::uint64_t threshold = 0;
};

namespace heddle::cuda {

/// All that a program has on one device.
struct device_objects {
    device_objects(unsigned number, const registry& programs_of_process)
        : session(number), memory(session), programs(session, programs_of_process) {}

    device_session session;
    device_memory memory;
    device_programs programs;
    texture_table textures;
    std::map<cudaArray_const_t, std::unique_ptr<cudaArray>> arrays;
    std::map<cudaEvent_t, std::unique_ptr<CUevent_st>> events;
    std::map<cudaMemPool_t, std::unique_ptr<heddle_cuda_memory_pool>> pools;
    std::unique_ptr<heddle_cuda_memory_pool> default_pool =
        std::make_unique<heddle_cuda_memory_pool>();
    cudaMemPool_t current_pool = nullptr;  ///< null: the default one
    bool of_runtime = false;               ///< the runtime API has used it
    cudaFuncCache cache = cudaFuncCachePreferNone;
    cudaSharedMemConfig banks = cudaSharedMemBankSizeDefault;
    std::map<cudaLimit, std::size_t> limits{{cudaLimitStackSize, 1024},
                                            {cudaLimitPrintfFifoSize, 1 << 20},
                                            {cudaLimitMallocHeapSize, 8 << 20},
                                            {cudaLimitDevRuntimeSyncDepth, 2},
                                            {cudaLimitDevRuntimePendingLaunchCount, 2048}};

    /// Throw error(cudaErrorInvalidResourceHandle).
    [[nodiscard]] cudaArray& array(cudaArray_const_t handle) const {
        const auto found = arrays.find(handle);
        require(found != arrays.end(), cudaErrorInvalidResourceHandle);
        return *found->second;
    }
    [[nodiscard]] CUevent_st& event(cudaEvent_t handle) const {
        const auto found = events.find(handle);
        require(found != events.end(), cudaErrorInvalidResourceHandle);
        return *found->second;
    }
    /// Whether these bytes are the program's on the device.
    [[nodiscard]] bool owns(std::uint32_t address, std::uint64_t bytes) const {
        return memory.find(address, bytes) != nullptr ||
               programs.variable_at(address, bytes) != nullptr;
    }
};

[[nodiscard]] inline std::uint32_t address_of(const void* pointer) {
    return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(pointer));
}
[[nodiscard]] inline void* pointer_to(std::uint32_t address) {
    return reinterpret_cast<void*>(std::uintptr_t{address});
}

/// A copy of `made` in a call's result. Throws error(cudaErrorInvalidValue) for no place.
template <class T, class Value>
void put(T* place, const Value& made) {
    require(place != nullptr, cudaErrorInvalidValue);
    *place = static_cast<T>(made);
}

}  // namespace heddle::cuda
