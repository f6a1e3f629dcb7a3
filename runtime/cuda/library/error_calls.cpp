// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "runtime/cuda/library/device_objects.h"
#include "runtime/cuda/library/properties.h"

namespace {

using namespace heddle::cuda;

/// The error of a device that is lost is every call's, until the program resets the device.
cudaError_t lost_or_last() {
    const library_lock lock;
    const auto& device = the_library().device;
    const cudaError_t lost = device == nullptr ? cudaSuccess : device->session.lost();
    return lost == cudaSuccess ? this_thread().last : lost;
}

}  // namespace

extern "C" {

cudaError_t cudaPeekAtLastError() {
    return this_thread().in_call ? this_thread().last : lost_or_last();
}

cudaError_t cudaGetLastError() {
    const cudaError_t code = cudaPeekAtLastError();
    this_thread().last = cudaSuccess;
    return code;
}

const char* cudaGetErrorName(cudaError_t error) {
    switch (error) {
#define HEDDLE_CUDA_ERROR(name, number, text) \
    case name:                                \
        return #name;
#include "runtime/cuda/include/heddle_cuda/error_codes.def"
#undef HEDDLE_CUDA_ERROR
        default:
            return "unrecognized error code";
    }
}

const char* cudaGetErrorString(cudaError_t error) {
    switch (error) {
#define HEDDLE_CUDA_ERROR(name, number, text) \
    case name:                                \
        return text;
#include "runtime/cuda/include/heddle_cuda/error_codes.def"
#undef HEDDLE_CUDA_ERROR
        default:
            return "unrecognized error code";
    }
}

cudaError_t cudaDriverGetVersion(int* driverVersion) {
    return code_of([&] { put(driverVersion, cuda_version); });
}

cudaError_t cudaRuntimeGetVersion(int* runtimeVersion) {
    return code_of([&] { put(runtimeVersion, cuda_version); });
}

#define HEDDLE_CUDA_NOT_SUPPORTED(name)                    \
    cudaError_t name(...) {                                \
        return this_thread().last = cudaErrorNotSupported; \
    }
#include "runtime/cuda/include/heddle_cuda/not_supported.def"
#undef HEDDLE_CUDA_NOT_SUPPORTED

}  // extern "C"
