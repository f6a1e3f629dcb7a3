// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "runtime/cuda/library/device_objects.h"

namespace heddle::cuda {

/// How a kernel is launched.
struct launch_place {
    dim3 grid, block;
    std::uint64_t shared_bytes = 0;  ///< dynamic
    cudaStream_t stream = nullptr;
    bool cooperative = false;  ///< all blocks are there at once, and nothing else is
};

/// Enqueues a launch. `arguments[i]` is the address of the i-th. Throws error as cudaLaunchKernel
/// says.
void launch(device_objects& device, const CUfunc_st& kernel, const launch_place& place,
            const void* const* arguments);

/// How many blocks of that size an SMX holds. Throws error(cudaErrorInvalidValue) for sizes that
/// are none.
[[nodiscard]] std::uint32_t blocks_per_unit(device_objects& device, const CUfunc_st& kernel,
                                            std::uint64_t threads, std::uint64_t shared_bytes);

}  // namespace heddle::cuda
