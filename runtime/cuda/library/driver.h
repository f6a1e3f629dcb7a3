// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <utility>

#include "runtime/cuda/include/cuda.h"
#include "runtime/cuda/library/device_objects.h"

namespace heddle::cuda {

/// The driver API's number for an error of the runtime, where they differ.
[[nodiscard]] CUresult driver_code(cudaError_t code) noexcept;

/// Whether cuInit() has been called, and the contexts that are current in this thread.
void require_initialized();
void require_device(CUdevice device);
void require_context();

/// Runs a call of the runtime for the driver API, which has no last error.
template <class Call>
CUresult driver_result(const Call& call) noexcept {
    const cudaError_t last = this_thread().last;
    const bool inner = std::exchange(this_thread().in_driver, true);
    const CUresult code = driver_code(call());
    this_thread().in_driver = inner;
    this_thread().last = last;
    return code;
}

/// The same for a call that names the device.
template <class Call>
CUresult for_device(CUdevice device, const Call& call) noexcept {
    return driver_result([&] {
        const cudaError_t code = code_of([&] { require_device(device); });
        return code == cudaSuccess ? call() : code;
    });
}

/// The same for a call that needs a context.
template <class Call>
CUresult in_context(const Call& call) noexcept {
    return driver_result([&] {
        const cudaError_t code = code_of(require_context);
        return code == cudaSuccess ? call() : code;
    });
}

[[nodiscard]] inline void* pointer_of(CUdeviceptr address) {
    return pointer_to(address);
}

}  // namespace heddle::cuda
