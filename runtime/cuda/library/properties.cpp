// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "runtime/cuda/library/properties.h"

#include <algorithm>
#include <climits>
#include <cstdio>
#include <iterator>

#include "runtime/cuda/library/error.h"

namespace heddle::cuda {

cudaDeviceProp properties_of(const runtime::device_description& machine) {
    cudaDeviceProp p{};
    const auto number = [](auto value) { return static_cast<int>(value); };
    std::snprintf(p.name, sizeof p.name, "Heddle %s", machine.name.c_str());
    std::snprintf(p.uuid.bytes, sizeof p.uuid.bytes, "heddle");
    p.totalGlobalMem = machine.memory_bytes;
    p.sharedMemPerBlock = p.sharedMemPerBlockOptin = p.sharedMemPerMultiprocessor =
        machine.shared_bytes;
    p.regsPerBlock = p.regsPerMultiprocessor = number(machine.unit_registers);
    p.warpSize = number(machine.warp_size);
    p.memPitch = INT_MAX;
    p.maxThreadsPerBlock = number(machine.max_threads);
    p.maxThreadsDim[0] = p.maxThreadsDim[1] = p.maxThreadsPerBlock;
    p.maxThreadsDim[2] = std::min(64, p.maxThreadsPerBlock);
    p.maxGridSize[0] = INT_MAX;
    p.maxGridSize[1] = p.maxGridSize[2] = USHRT_MAX;
    p.clockRate = number(machine.core_khz);
    p.totalConstMem = 65536;
    p.major = 6;
    p.minor = 1;
    p.textureAlignment = 256;
    p.texturePitchAlignment = 32;
    p.deviceOverlap = p.asyncEngineCount = 1;  // copies take no time at all
    p.multiProcessorCount = number(machine.units);
    p.canMapHostMemory = 1;
    p.maxTexture1D = p.maxTexture2D[0] = p.maxTexture2D[1] = 65536;
    p.maxTexture1DLinear = 1 << 27;
    p.maxTexture2DLinear[0] = p.maxTexture2DLinear[1] = 65536;
    p.maxTexture2DLinear[2] = 1 << 20;
    p.maxTexture3D[0] = p.maxTexture3D[1] = p.maxTexture3D[2] = 16384;
    p.maxTexture1DLayered[0] = p.maxTexture2DLayered[0] = p.maxTexture2DLayered[1] = 32768;
    p.maxTexture1DLayered[1] = p.maxTexture2DLayered[2] = 2048;
    p.maxSurface1D = p.maxTexture1D;
    std::copy(std::begin(p.maxTexture2D), std::end(p.maxTexture2D), p.maxSurface2D);
    std::copy(std::begin(p.maxTexture3D), std::end(p.maxTexture3D), p.maxSurface3D);
    std::copy(std::begin(p.maxTexture1DLayered), std::end(p.maxTexture1DLayered),
              p.maxSurface1DLayered);
    std::copy(std::begin(p.maxTexture2DLayered), std::end(p.maxTexture2DLayered),
              p.maxSurface2DLayered);
    p.surfaceAlignment = 256;
    p.concurrentKernels = 1;
    p.pciBusID = 1;
    p.unifiedAddressing = 1;
    p.memoryClockRate = number(machine.memory_khz);
    p.memoryBusWidth = number(machine.bus_bits);
    p.l2CacheSize = number(machine.cache_bytes);
    p.maxThreadsPerMultiProcessor = number(machine.unit_threads);
    p.streamPrioritiesSupported = 1;
    p.globalL1CacheSupported = p.localL1CacheSupported = 1;
    p.managedMemory = 1;
    p.memoryPoolsSupported = 1;
    p.singleToDoublePrecisionPerfRatio = 64;  // it is software
    p.cooperativeLaunch = 1;
    p.maxBlocksPerMultiProcessor = number(machine.unit_blocks);
    p.hostRegisterSupported = 1;
    return p;
}

int attribute_of(const cudaDeviceProp& p, cudaDeviceAttr which) {
    switch (which) {
#define HEDDLE_CUDA_ATTRIBUTE(name, driver_name, number, value) \
    case cudaDevAttr##name:                                     \
        return static_cast<int>(value);
#include "runtime/cuda/include/heddle_cuda/device_attributes.def"
#undef HEDDLE_CUDA_ATTRIBUTE
        default:
            throw error(cudaErrorInvalidValue);
    }
}

}  // namespace heddle::cuda
