// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "runtime/cuda/library/launch.h"

namespace heddle::cuda {

[[nodiscard]] inline cudaFuncAttributes attributes_of(const CUfunc_st& kernel) {
    cudaFuncAttributes made{};
    made.sharedSizeBytes = kernel.text.static_shared_bytes;
    made.localSizeBytes = kernel.text.private_bytes;
    made.maxThreadsPerBlock = static_cast<int>(kernel.text.max_threads);
    made.numRegs = static_cast<int>(kernel.text.registers);
    made.ptxVersion = made.binaryVersion = 61;
    made.maxDynamicSharedSizeBytes = static_cast<int>(kernel.most_dynamic_bytes);
    made.preferredShmemCarveout = kernel.carveout;
    return made;
}

inline void set_most_dynamic_bytes(const device_objects& device, CUfunc_st& kernel, int value) {
    const std::int64_t most =
        std::int64_t{device.session.description().shared_bytes} - kernel.text.static_shared_bytes;
    require(value >= 0 && value <= most, cudaErrorInvalidValue);
    kernel.most_dynamic_bytes = value;
}

/// It is a hint: the SMX's shared memory has a size of its own.
inline void set_carveout(CUfunc_st& kernel, int value) {
    require(value >= cudaSharedmemCarveoutDefault && value <= cudaSharedmemCarveoutMaxShared,
            cudaErrorInvalidValue);
    kernel.carveout = value;
}

}  // namespace heddle::cuda
