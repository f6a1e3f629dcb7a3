// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "runtime/cuda/library/function_attributes.h"

namespace {

using namespace heddle::cuda;

/// Runs `call(device, kernel)` for the kernel of a stub.
template <class Call>
cudaError_t with_kernel(const void* func, const Call& call) {
    return code_of([&] {
        device_objects& device = the_device();
        call(device, device.programs.function(func));
    });
}

cudaError_t occupancy(int* numBlocks, const void* func, int blockSize, size_t dynamicSMemSize,
                      unsigned flags) {
    return with_kernel(func, [&](device_objects& device, CUfunc_st& kernel) {
        require(numBlocks != nullptr && blockSize > 0 &&
                    (flags & ~unsigned{cudaOccupancyDisableCachingOverride}) == 0,
                cudaErrorInvalidValue);
        *numBlocks = static_cast<int>(
            blocks_per_unit(device, kernel, static_cast<unsigned>(blockSize), dynamicSMemSize));
    });
}

}  // namespace

extern "C" {

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attr, const void* func) {
    return with_kernel(func, [&](device_objects&, CUfunc_st& kernel) {
        require(attr != nullptr, cudaErrorInvalidValue);
        *attr = attributes_of(kernel);
    });
}

cudaError_t cudaFuncSetAttribute(const void* func, cudaFuncAttribute attr, int value) {
    return with_kernel(func, [&](device_objects& device, CUfunc_st& kernel) {
        if (attr == cudaFuncAttributeMaxDynamicSharedMemorySize) {
            set_most_dynamic_bytes(device, kernel, value);
        } else {
            require(attr == cudaFuncAttributePreferredSharedMemoryCarveout, cudaErrorInvalidValue);
            set_carveout(kernel, value);
        }
    });
}

cudaError_t cudaFuncSetCacheConfig(const void* func, cudaFuncCache cacheConfig) {
    return with_kernel(func, [&](device_objects&, CUfunc_st&) {
        require(cacheConfig >= cudaFuncCachePreferNone && cacheConfig <= cudaFuncCachePreferEqual,
                cudaErrorInvalidValue);
    });
}

cudaError_t cudaFuncSetSharedMemConfig(const void* func, cudaSharedMemConfig config) {
    return with_kernel(func, [&](device_objects&, CUfunc_st&) {
        require(config >= cudaSharedMemBankSizeDefault && config <= cudaSharedMemBankSizeEightByte,
                cudaErrorInvalidValue);
    });
}

cudaError_t cudaFuncGetName(const char** name, const void* func) {
    return with_kernel(func, [&](device_objects&, CUfunc_st& kernel) {
        require(name != nullptr, cudaErrorInvalidValue);
        *name = kernel.text.name.c_str();
    });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* numBlocks, const void* func,
                                                          int blockSize, size_t dynamicSMemSize) {
    return occupancy(numBlocks, func, blockSize, dynamicSMemSize, cudaOccupancyDefault);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* numBlocks, const void* func,
                                                                   int blockSize,
                                                                   size_t dynamicSMemSize,
                                                                   unsigned int flags) {
    return occupancy(numBlocks, func, blockSize, dynamicSMemSize, flags);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* dynamicSmemSize, const void* func,
                                                      int numBlocks, int blockSize) {
    return with_kernel(func, [&](device_objects& device, CUfunc_st& kernel) {
        require(dynamicSmemSize != nullptr && numBlocks > 0 && blockSize > 0,
                cudaErrorInvalidValue);
        const auto threads = static_cast<unsigned>(blockSize);
        const auto fits = [&](std::uint64_t bytes) {
            return blocks_per_unit(device, kernel, threads, bytes) >=
                   static_cast<unsigned>(numBlocks);
        };
        require(fits(0), cudaErrorInvalidValue);
        std::uint64_t low = 0;
        std::uint64_t high = static_cast<std::uint64_t>(kernel.most_dynamic_bytes) + 1;
        while (high - low > 1) {
            const std::uint64_t middle = (low + high) / 2;
            (fits(middle) ? low : high) = middle;
        }
        *dynamicSmemSize = static_cast<size_t>(low);
    });
}

}  // extern "C"
