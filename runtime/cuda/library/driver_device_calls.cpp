// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <cstring>

#include "runtime/cuda/library/driver.h"
#include "runtime/cuda/library/properties.h"

using namespace heddle::cuda;

extern "C" {

CUresult cuDriverGetVersion(int* version) {
    return driver_result([&] { return cudaDriverGetVersion(version); });
}

CUresult cuGetErrorName(CUresult error, const char** text) {
    if (text == nullptr) return CUDA_ERROR_INVALID_VALUE;
    switch (error) {
#define HEDDLE_CUDA_DRIVER_ERROR(name, number) \
    case name:                                 \
        *text = #name;                         \
        return CUDA_SUCCESS;
#include "runtime/cuda/include/heddle_cuda/driver_error_codes.def"
#undef HEDDLE_CUDA_DRIVER_ERROR
        default:
            *text = nullptr;
            return CUDA_ERROR_INVALID_VALUE;
    }
}

CUresult cuGetErrorString(CUresult error, const char** text) {
    const CUresult code = cuGetErrorName(error, text);
    if (code != CUDA_SUCCESS) return code;
    if (error == CUDA_ERROR_CONTEXT_ALREADY_CURRENT) {
        *text = "the context is current already";
    } else {
        *text = cudaGetErrorString(static_cast<cudaError_t>(error));
    }
    return CUDA_SUCCESS;
}

CUresult cuDeviceGet(CUdevice* device, int ordinal) {
    return for_device(ordinal, [&] { return cudaGetDevice(device); });
}

CUresult cuDeviceGetCount(int* count) {
    return for_device(0, [&] { return cudaGetDeviceCount(count); });
}

CUresult cuDeviceGetName(char* name, int len, CUdevice dev) {
    return for_device(dev, [&] {
        return code_of([&] {
            require(name != nullptr && len > 0, cudaErrorInvalidValue);
            const cudaDeviceProp p = properties_of(the_device().session.description());
            std::strncpy(name, p.name, static_cast<std::size_t>(len));
            name[len - 1] = 0;
        });
    });
}

CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice dev) {
    return for_device(dev, [&] {
        return code_of([&] {
            require(uuid != nullptr, cudaErrorInvalidValue);
            const cudaDeviceProp p = properties_of(the_device().session.description());
            std::memcpy(uuid->bytes, p.uuid.bytes, sizeof uuid->bytes);
        });
    });
}

CUresult cuDeviceTotalMem(size_t* bytes, CUdevice dev) {
    return for_device(dev, [&] {
        return code_of([&] { put(bytes, the_device().session.description().memory_bytes); });
    });
}

CUresult cuDeviceGetAttribute(int* pi, CUdevice_attribute attrib, CUdevice dev) {
    return for_device(
        dev, [&] { return cudaDeviceGetAttribute(pi, static_cast<cudaDeviceAttr>(attrib), dev); });
}

CUresult cuDeviceGetProperties(CUdevprop* prop, CUdevice dev) {
    return for_device(dev, [&] {
        return code_of([&] {
            require(prop != nullptr, cudaErrorInvalidValue);
            const cudaDeviceProp p = properties_of(the_device().session.description());
            const auto number = [](std::size_t value) { return static_cast<int>(value); };
            *prop = {p.maxThreadsPerBlock,
                     {p.maxThreadsDim[0], p.maxThreadsDim[1], p.maxThreadsDim[2]},
                     {p.maxGridSize[0], p.maxGridSize[1], p.maxGridSize[2]},
                     number(p.sharedMemPerBlock),
                     number(p.totalConstMem),
                     p.warpSize,
                     number(p.memPitch),
                     p.regsPerBlock,
                     p.clockRate,
                     number(p.textureAlignment)};
        });
    });
}

CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice dev) {
    return for_device(dev, [&] {
        const cudaError_t code =
            cudaDeviceGetAttribute(major, cudaDevAttrComputeCapabilityMajor, dev);
        return code == cudaSuccess
                   ? cudaDeviceGetAttribute(minor, cudaDevAttrComputeCapabilityMinor, dev)
                   : code;
    });
}

CUresult cuDeviceGetPCIBusId(char* pciBusId, int len, CUdevice dev) {
    return for_device(dev, [&] { return cudaDeviceGetPCIBusId(pciBusId, len, dev); });
}

CUresult cuDeviceGetByPCIBusId(CUdevice* dev, const char* pciBusId) {
    return for_device(0, [&] { return cudaDeviceGetByPCIBusId(dev, pciBusId); });
}

CUresult cuDeviceCanAccessPeer(int* canAccessPeer, CUdevice dev, CUdevice peerDev) {
    return for_device(dev, [&] { return cudaDeviceCanAccessPeer(canAccessPeer, dev, peerDev); });
}

#define HEDDLE_CUDA_NOT_SUPPORTED(name)  \
    CUresult name(...) {                 \
        return CUDA_ERROR_NOT_SUPPORTED; \
    }
#include "runtime/cuda/include/heddle_cuda/driver_not_supported.def"
#undef HEDDLE_CUDA_NOT_SUPPORTED

}  // extern "C"
