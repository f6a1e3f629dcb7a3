// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// What each function of the runtime says to wrong arguments.
#include "kit.h"

__constant__ int table[16];
__device__ int counter;
__global__ void add_one(int* x) { x[threadIdx.x] += 1; }
__global__ void needs_shared(int* x) {
    __shared__ int own[256];
    own[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = own[255 - threadIdx.x];
}
__global__ void nothing() {}

#if !defined(__DRIVER_TYPES_H__) || !defined(__CUDA_RUNTIME_H__) || \
    !defined(__CUDA_RUNTIME_API_H__) || !defined(__TEXTURE_TYPES_H__) || \
    !defined(__CHANNEL_DESCRIPTOR_H__)
#error "helpers of programs ask for these names"
#endif

CASE(devices) {
    int n = 7;
    GOOD(cudaGetDeviceCount(&n));
    THAT(n == 1);
    FAILS(cudaErrorInvalidValue, cudaGetDeviceCount(null<int>()));
    GOOD(cudaGetDevice(&n));
    THAT(n == 0);
    FAILS(cudaErrorInvalidValue, cudaGetDevice(null<int>()));
    GOOD(cudaSetDevice(0));
    FAILS(cudaErrorInvalidDevice, cudaSetDevice(1));
    FAILS(cudaErrorInvalidDevice, cudaSetDevice(-1));
    cudaDeviceProp p;
    GOOD(cudaGetDeviceProperties(&p, 0));
    FAILS(cudaErrorInvalidDevice, cudaGetDeviceProperties(&p, 1));
    FAILS(cudaErrorInvalidValue, cudaGetDeviceProperties(null<cudaDeviceProp>(), 0));
    FAILS(cudaErrorInvalidDevice, cudaDeviceGetAttribute(&n, cudaDevAttrWarpSize, 2));
    FAILS(cudaErrorInvalidValue, cudaDeviceGetAttribute(&n, (cudaDeviceAttr)9999, 0));
    FAILS(cudaErrorInvalidValue, cudaDeviceGetAttribute(null<int>(), cudaDevAttrWarpSize, 0));
    GOOD(cudaChooseDevice(&n, &p));
    FAILS(cudaErrorInvalidValue, cudaChooseDevice(&n, null<cudaDeviceProp>()));
    int list[] = {0, 1};
    GOOD(cudaSetValidDevices(list, 1));
    FAILS(cudaErrorInvalidDevice, cudaSetValidDevices(list, 2));
    FAILS(cudaErrorInvalidValue, cudaSetValidDevices(null<int>(), 1));
    unsigned flags = 9;
    GOOD(cudaSetDeviceFlags(cudaDeviceScheduleYield));
    GOOD(cudaGetDeviceFlags(&flags));
    THAT(flags == cudaDeviceScheduleYield);
    FAILS(cudaErrorInvalidValue, cudaSetDeviceFlags(cudaDeviceScheduleYield | cudaDeviceScheduleSpin));
    FAILS(cudaErrorInvalidValue, cudaSetDeviceFlags(0x1000));
    FAILS(cudaErrorInvalidDevice, cudaInitDevice(3, 0, 0));
    FAILS(cudaErrorInvalidValue, cudaInitDevice(0, 0, 2));
    char id[32];
    GOOD(cudaDeviceGetPCIBusId(id, sizeof id, 0));
    GOOD(cudaDeviceGetByPCIBusId(&n, id));
    FAILS(cudaErrorInvalidValue, cudaDeviceGetPCIBusId(id, 3, 0));
    FAILS(cudaErrorInvalidDevice, cudaDeviceGetByPCIBusId(&n, "0000:77:00.0"));
    GOOD(cudaDeviceCanAccessPeer(&n, 0, 0));
    THAT(n == 0);
    FAILS(cudaErrorInvalidDevice, cudaDeviceCanAccessPeer(&n, 0, 1));
    FAILS(cudaErrorInvalidDevice, cudaDeviceEnablePeerAccess(1, 0));
    FAILS(cudaErrorInvalidValue, cudaDeviceEnablePeerAccess(0, 1));
    FAILS(cudaErrorPeerAccessNotEnabled, cudaDeviceDisablePeerAccess(0));
}

CASE(properties_agree_with_attributes) {
    cudaDeviceProp p;
    GOOD(cudaGetDeviceProperties(&p, 0));
    const struct {
        cudaDeviceAttr which;
        int value;
    } rows[] = {{cudaDevAttrMaxThreadsPerBlock, p.maxThreadsPerBlock},
                {cudaDevAttrMaxBlockDimZ, p.maxThreadsDim[2]},
                {cudaDevAttrMaxGridDimY, p.maxGridSize[1]},
                {cudaDevAttrMultiProcessorCount, p.multiProcessorCount},
                {cudaDevAttrClockRate, p.clockRate},
                {cudaDevAttrComputeCapabilityMajor, p.major},
                {cudaDevAttrMaxRegistersPerBlock, p.regsPerBlock},
                {cudaDevAttrMaxThreadsPerMultiProcessor, p.maxThreadsPerMultiProcessor}};
    for (const auto& row : rows) {
        int value = -1;
        GOOD(cudaDeviceGetAttribute(&value, row.which, 0));
        THAT(value == row.value && value > 0);
    }
    THAT(p.warpSize == 32 && p.major == 6 && p.minor == 1);
    THAT(p.sharedMemPerBlock >= 16384 && p.totalConstMem == 65536 && p.totalGlobalMem > 0);
    THAT(p.memoryClockRate > 0 && p.memoryBusWidth > 0 && p.l2CacheSize > 0);
    THAT(std::strncmp(p.name, "Heddle ", 7) == 0);
}

CASE(limits_and_caches) {
    size_t value = 0;
    GOOD(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 12345));
    GOOD(cudaDeviceGetLimit(&value, cudaLimitPrintfFifoSize));
    THAT(value == 12345);
    FAILS(cudaErrorUnsupportedLimit, cudaDeviceGetLimit(&value, cudaLimitPersistingL2CacheSize));
    FAILS(cudaErrorUnsupportedLimit, cudaDeviceSetLimit((cudaLimit)77, 1));
    FAILS(cudaErrorInvalidValue, cudaDeviceGetLimit(null<size_t>(), cudaLimitStackSize));
    GOOD(cudaThreadGetLimit(&value, cudaLimitStackSize));
    cudaFuncCache cache = cudaFuncCachePreferL1;
    GOOD(cudaDeviceSetCacheConfig(cudaFuncCachePreferShared));
    GOOD(cudaThreadGetCacheConfig(&cache));
    THAT(cache == cudaFuncCachePreferShared);
    FAILS(cudaErrorInvalidValue, cudaDeviceSetCacheConfig((cudaFuncCache)9));
    cudaSharedMemConfig banks = cudaSharedMemBankSizeDefault;
    GOOD(cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte));
    GOOD(cudaDeviceGetSharedMemConfig(&banks));
    THAT(banks == cudaSharedMemBankSizeEightByte);
    FAILS(cudaErrorInvalidValue, cudaDeviceSetSharedMemConfig((cudaSharedMemConfig)9));
    int least = 9, greatest = 9;
    GOOD(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    THAT(least == 0 && greatest < 0);
    int version = 0;
    GOOD(cudaRuntimeGetVersion(&version));
    THAT(version == CUDART_VERSION);
    FAILS(cudaErrorInvalidValue, cudaDriverGetVersion(null<int>()));
}

CASE(error_texts) {
    THAT(std::strcmp(cudaGetErrorName(cudaErrorIllegalAddress), "cudaErrorIllegalAddress") == 0);
    THAT(std::strcmp(cudaGetErrorString(cudaSuccess), "no error") == 0);
    THAT(std::strcmp(cudaGetErrorString(cudaErrorInvalidValue), "invalid argument") == 0);
    THAT(std::strcmp(cudaGetErrorString((cudaError_t)12345), "unrecognized error code") == 0);
    (void)cudaSetDevice(5);
    GIVES(cudaErrorInvalidDevice, cudaPeekAtLastError());
    GIVES(cudaErrorInvalidDevice, cudaPeekAtLastError());
    GOOD(cudaSetDevice(0));  // success does not take it away
    GIVES(cudaErrorInvalidDevice, cudaGetLastError());
    GIVES(cudaSuccess, cudaGetLastError());
}

CASE(allocation) {
    void* p = (void*)1;
    GOOD(cudaMalloc(&p, 0));
    THAT(p == nullptr);
    FAILS(cudaErrorInvalidValue, cudaMalloc(null<void*>(), 4));
    FAILS(cudaErrorMemoryAllocation, cudaMalloc(&p, 0xf0000000u));
    GOOD(cudaMalloc(&p, 100));
    FAILS(cudaErrorInvalidValue, cudaFree((char*)p + 4));
    GOOD(cudaFree(p));
    FAILS(cudaErrorInvalidValue, cudaFree(p));
    GOOD(cudaFree(nullptr));
    size_t pitch = 0;
    GOOD(cudaMallocPitch(&p, &pitch, 100, 3));
    THAT(pitch >= 100 && pitch % 256 == 0);
    GOOD(cudaFree(p));
    FAILS(cudaErrorInvalidValue, cudaMallocPitch(&p, null<size_t>(), 100, 3));
    FAILS(cudaErrorInvalidValue, cudaMalloc3D(null<cudaPitchedPtr>(), make_cudaExtent(1, 1, 1)));
    FAILS(cudaErrorInvalidValue, cudaMallocManaged(&p, 0));
    FAILS(cudaErrorInvalidValue, cudaMallocManaged(&p, 16, 8));
    FAILS(cudaErrorInvalidValue, cudaHostAlloc(&p, 16, 0x100));
    FAILS(cudaErrorInvalidValue, cudaFreeHost((void*)64));
    GOOD(cudaFreeHost(nullptr));
    int own[4];
    GOOD(cudaHostRegister(own, sizeof own, cudaHostRegisterDefault));
    FAILS(cudaErrorHostMemoryAlreadyRegistered, cudaHostRegister(own + 1, 4, 0));
    GOOD(cudaHostUnregister(own));
    FAILS(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(own));
    FAILS(cudaErrorInvalidValue, cudaHostRegister(own, 0, 0));
    FAILS(cudaErrorNotSupported, cudaHostRegister(own, 4, cudaHostRegisterMapped));
    GOOD(cudaMallocHost(&p, 16));
    void* on_device = nullptr;
    GOOD(cudaHostGetDevicePointer(&on_device, p, 0));
    THAT(on_device == p);
    FAILS(cudaErrorInvalidValue, cudaHostGetDevicePointer(&on_device, own, 0));
    FAILS(cudaErrorInvalidValue, cudaFree(p));
    unsigned flags = 9;
    GOOD(cudaHostGetFlags(&flags, p));
    THAT(flags == 0);
    FAILS(cudaErrorInvalidValue, cudaHostGetFlags(&flags, own));
    GOOD(cudaFreeHost(p));
    size_t left = 0, all = 0;
    GOOD(cudaMemGetInfo(&left, &all));
    GOOD(cudaMalloc(&p, 1 << 20));
    size_t less = 0;
    GOOD(cudaMemGetInfo(&less, &all));
    THAT(left - less == 1 << 20 && less < all);
    GOOD(cudaFree(p));
    FAILS(cudaErrorInvalidValue, cudaMemGetInfo(null<size_t>(), &all));
}

CASE(arrays) {
    cudaArray_t array = nullptr;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaChannelFormatDesc odd = format;
    odd.x = 24;
    FAILS(cudaErrorInvalidChannelDescriptor, cudaMallocArray(&array, &odd, 4, 4));
    odd = cudaCreateChannelDesc(32, 16, 0, 0, cudaChannelFormatKindSigned);
    FAILS(cudaErrorInvalidChannelDescriptor, cudaMallocArray(&array, &odd, 4, 4));
    odd = cudaCreateChannelDesc(8, 0, 0, 0, cudaChannelFormatKindFloat);
    FAILS(cudaErrorInvalidChannelDescriptor, cudaMallocArray(&array, &odd, 4, 4));
    // Two channels, or four, are equal; there are no three.
    for (const int channel : {1, 2, 3}) {
        for (const int bits : {0, 8}) {
            odd = cudaCreateChannelDesc(16, channel == 1 ? bits : 16, channel == 2 ? bits : 16,
                                        channel == 3 ? bits : 16, cudaChannelFormatKindSigned);
            FAILS(cudaErrorInvalidChannelDescriptor, cudaMallocArray(&array, &odd, 4, 4));
        }
    }
    for (const int channels : {1, 2, 4}) {
        for (const int bits : {8, 16, 32}) {
            const int others = channels == 4 ? bits : 0;
            const auto legal = cudaCreateChannelDesc(bits, channels > 1 ? bits : 0, others, others,
                                                     cudaChannelFormatKindUnsigned);
            GOOD(cudaMallocArray(&array, &legal, 4, 4));
            GOOD(cudaFreeArray(array));
        }
    }
    FAILS(cudaErrorInvalidValue, cudaMallocArray(&array, null<cudaChannelFormatDesc>(), 4, 4));
    FAILS(cudaErrorInvalidValue, cudaMallocArray(&array, &format, 0, 4));
    FAILS(cudaErrorNotSupported, cudaMallocArray(&array, &format, 4, 4, cudaArrayTextureGather));
    FAILS(cudaErrorNotSupported,
          cudaMalloc3DArray(&array, &format, make_cudaExtent(4, 4, 6), cudaArrayCubemap));
    GOOD(cudaMallocArray(&array, &format, 5, 3));
    cudaChannelFormatDesc found;
    cudaExtent extent;
    unsigned flags = 9;
    GOOD(cudaArrayGetInfo(&found, &extent, &flags, array));
    THAT(found.x == 32 && found.f == cudaChannelFormatKindFloat);
    THAT(extent.width == 5 && extent.height == 3 && extent.depth == 0 && flags == 0);
    GOOD(cudaGetChannelDesc(&found, array));
    float h[15] = {};
    FAILS(cudaErrorInvalidValue,
          cudaMemcpy2DToArray(array, 4, 0, h, 20, 20, 3, cudaMemcpyHostToDevice));
    FAILS(cudaErrorInvalidValue,
          cudaMemcpy2DToArray(array, 0, 1, h, 20, 20, 3, cudaMemcpyHostToDevice));
    FAILS(cudaErrorInvalidPitchValue,
          cudaMemcpy2DToArray(array, 0, 0, h, 16, 20, 3, cudaMemcpyHostToDevice));
    FAILS(cudaErrorInvalidMemcpyDirection,
          cudaMemcpy2DToArray(array, 0, 0, h, 20, 20, 3, cudaMemcpyDeviceToHost));
    FAILS(cudaErrorInvalidMemcpyDirection,
          cudaMemcpyFromArray(h, array, 0, 0, 20, cudaMemcpyHostToDevice));
    FAILS(cudaErrorInvalidResourceHandle, cudaFreeArray((cudaArray_t)0x40));
    GOOD(cudaFreeArray(array));
    FAILS(cudaErrorInvalidResourceHandle, cudaFreeArray(array));
    FAILS(cudaErrorInvalidResourceHandle, cudaGetChannelDesc(&found, array));
    GOOD(cudaFreeArray(nullptr));
}

CASE(copies) {
    int h[8] = {}, *d = nullptr;
    GOOD(cudaMalloc(&d, sizeof h));
    FAILS(cudaErrorInvalidMemcpyDirection, cudaMemcpy(d, h, sizeof h, (cudaMemcpyKind)7));
    FAILS(cudaErrorInvalidValue, cudaMemcpy(d, h, sizeof h + 4, cudaMemcpyHostToDevice));
    FAILS(cudaErrorInvalidValue, cudaMemcpy(d + 4, h, sizeof h, cudaMemcpyHostToDevice));
    FAILS(cudaErrorInvalidValue, cudaMemcpy(h, d, sizeof h, cudaMemcpyHostToDevice));
    FAILS(cudaErrorInvalidValue, cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToDevice));
    FAILS(cudaErrorInvalidValue, cudaMemcpy(nullptr, d, sizeof h, cudaMemcpyDeviceToHost));
    FAILS(cudaErrorInvalidResourceHandle,
          cudaMemcpyAsync(d, h, sizeof h, cudaMemcpyHostToDevice, no_stream));
    GOOD(cudaMemcpy(d, h, 0, cudaMemcpyHostToDevice));
    FAILS(cudaErrorInvalidPitchValue, cudaMemcpy2D(d, 8, h, 8, 12, 2, cudaMemcpyHostToDevice));
    FAILS(cudaErrorInvalidValue, cudaMemcpy2D(d, 16, h, 16, 8, 3, cudaMemcpyHostToDevice));
    FAILS(cudaErrorInvalidValue, cudaMemcpy3D(null<cudaMemcpy3DParms>()));
    cudaMemcpy3DParms both = {};
    FAILS(cudaErrorInvalidValue, cudaMemcpy3D(&both));  // no end
    FAILS(cudaErrorInvalidDevice, cudaMemcpyPeer(d, 1, d, 0, 4));
    GOOD(cudaMemcpyPeer(d, 0, d + 4, 0, 16));
    FAILS(cudaErrorInvalidValue, cudaMemset(d, 0, sizeof h + 1));
    FAILS(cudaErrorInvalidValue, cudaMemset(h, 0, 4));
    FAILS(cudaErrorInvalidValue, cudaMemset2D(d, 4, 0, 8, 2));
    FAILS(cudaErrorInvalidValue,
          cudaMemset3D(make_cudaPitchedPtr(d, 8, 8, 2), 0, make_cudaExtent(8, 2, 3)));
    FAILS(cudaErrorInvalidResourceHandle, cudaMemsetAsync(d, 0, 4, no_stream));
    GOOD(cudaFree(d));
}

CASE(symbols) {
    int h[20] = {};
    int host_only = 0;
    void* address = nullptr;
    size_t size = 0;
    GOOD(cudaGetSymbolSize(&size, table));
    THAT(size == 64);
    GOOD(cudaGetSymbolAddress(&address, counter));
    THAT(address != nullptr);
    FAILS(cudaErrorInvalidSymbol, cudaGetSymbolSize(&size, host_only));
    FAILS(cudaErrorInvalidSymbol, cudaGetSymbolAddress(&address, host_only));
    FAILS(cudaErrorInvalidSymbol, cudaMemcpyToSymbol(host_only, h, 4));
    FAILS(cudaErrorInvalidSymbol, cudaMemcpyToSymbol("no_table", h, 4));  // no name of a variable
    FAILS(cudaErrorInvalidValue, cudaMemcpyToSymbol(table, h, 68));
    FAILS(cudaErrorInvalidValue, cudaMemcpyToSymbol(table, h, 4, 64));
    FAILS(cudaErrorInvalidMemcpyDirection,
          cudaMemcpyToSymbol(table, h, 4, 0, cudaMemcpyDeviceToHost));
    FAILS(cudaErrorInvalidMemcpyDirection,
          cudaMemcpyFromSymbol(h, table, 4, 0, cudaMemcpyHostToDevice));
    FAILS(cudaErrorInvalidValue, cudaMemcpyFromSymbol(h, table, 4, 61));
}

CASE(launches) {
    int* d = nullptr;
    GOOD(cudaMalloc(&d, 4096 * sizeof(int)));
    cudaDeviceProp p;
    GOOD(cudaGetDeviceProperties(&p, 0));
    add_one<<<1, p.maxThreadsPerBlock + 1>>>(d);
    GIVES(cudaErrorInvalidConfiguration, cudaGetLastError());
    add_one<<<0, 32>>>(d);
    GIVES(cudaErrorInvalidConfiguration, cudaGetLastError());
    add_one<<<1, 0>>>(d);
    GIVES(cudaErrorInvalidConfiguration, cudaGetLastError());
    add_one<<<dim3(1, 65536), 32>>>(d);
    GIVES(cudaErrorInvalidConfiguration, cudaGetLastError());
    add_one<<<1, dim3(1, 1, 65)>>>(d);
    GIVES(cudaErrorInvalidConfiguration, cudaGetLastError());
    add_one<<<1, 32, p.sharedMemPerBlock + 1>>>(d);
    GIVES(cudaErrorInvalidValue, cudaGetLastError());
    needs_shared<<<1, 32, p.sharedMemPerBlock - 1020>>>(d);
    GIVES(cudaErrorInvalidValue, cudaGetLastError());
    add_one<<<1, 32, 0, no_stream>>>(d);
    GIVES(cudaErrorInvalidResourceHandle, cudaGetLastError());
    void* arguments[] = {&d};
    FAILS(cudaErrorInvalidDeviceFunction,
          cudaLaunchKernel((const void*)&no_stream, dim3(1), dim3(1), arguments, 0, 0));
    FAILS(cudaErrorInvalidValue, cudaLaunchKernel((const void*)add_one, dim3(1), dim3(1), nullptr, 0, 0));
    GOOD(cudaLaunchKernel((const void*)nothing, dim3(1), dim3(1), nullptr, 0, 0));
    FAILS(cudaErrorCooperativeLaunchTooLarge,
          cudaLaunchCooperativeKernel((const void*)add_one, dim3(60000), dim3(64), arguments, 0, 0));
    FAILS(cudaErrorMissingConfiguration, cudaLaunch(add_one));
    FAILS(cudaErrorMissingConfiguration, cudaSetupArgument(&d, 4, 0));
    GOOD(cudaConfigureCall(1, 1));
    FAILS(cudaErrorInvalidValue, cudaLaunch(add_one));  // without its argument
    GOOD(cudaMemset(d, 0, 4));
    GOOD(cudaConfigureCall(1, 1));
    GOOD(cudaSetupArgument(d, 0));
    GOOD(cudaLaunch(add_one));
    int one = 0;
    GOOD(cudaMemcpy(&one, d, 4, cudaMemcpyDeviceToHost));
    THAT(one == 1);
    GOOD(cudaFree(d));
}

CASE(functions) {
    cudaFuncAttributes text;
    GOOD(cudaFuncGetAttributes(&text, needs_shared));
    THAT(text.sharedSizeBytes == 1024 && text.numRegs > 0 && text.maxThreadsPerBlock >= 256);
    THAT(text.binaryVersion == 61);
    FAILS(cudaErrorInvalidValue, cudaFuncGetAttributes(null<cudaFuncAttributes>(), needs_shared));
    FAILS(cudaErrorInvalidDeviceFunction, cudaFuncGetAttributes(&text, (const void*)&text));
    FAILS(cudaErrorInvalidValue, cudaFuncSetAttribute(
        needs_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 30));
    FAILS(cudaErrorInvalidValue, cudaFuncSetAttribute(needs_shared, (cudaFuncAttribute)77, 1));
    FAILS(cudaErrorInvalidValue, cudaFuncSetAttribute(
        needs_shared, cudaFuncAttributePreferredSharedMemoryCarveout, 101));
    GOOD(cudaFuncSetAttribute(needs_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 2000));
    GOOD(cudaFuncGetAttributes(&text, needs_shared));
    THAT(text.maxDynamicSharedSizeBytes == 2000);
    int* d = nullptr;
    GOOD(cudaMalloc(&d, 1024));
    needs_shared<<<1, 256, 2001>>>(d);
    GIVES(cudaErrorInvalidValue, cudaGetLastError());
    needs_shared<<<1, 256, 2000>>>(d);
    GOOD(cudaGetLastError());
    GOOD(cudaFree(d));
    FAILS(cudaErrorInvalidValue, cudaFuncSetCacheConfig(needs_shared, (cudaFuncCache)5));
    GOOD(cudaFuncSetCacheConfig(needs_shared, cudaFuncCachePreferL1));
    FAILS(cudaErrorInvalidValue, cudaFuncSetSharedMemConfig(needs_shared, (cudaSharedMemConfig)5));
    const char* name = nullptr;
    GOOD(cudaFuncGetName(&name, needs_shared));
    THAT(std::strcmp(name, "_Z12needs_sharedPi") == 0);
}

CASE(occupancy) {
    cudaDeviceProp p;
    GOOD(cudaGetDeviceProperties(&p, 0));
    int blocks = 0;
    GOOD(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add_one, 32, 0));
    THAT(blocks > 1 && blocks <= p.maxBlocksPerMultiProcessor);
    int few = 0;
    GOOD(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&few, add_one, 32,
                                                       p.sharedMemPerMultiprocessor / 2));
    THAT(few == 2);
    GOOD(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&few, add_one, 32, p.sharedMemPerBlock + 1));
    THAT(few == 0);
    FAILS(cudaErrorInvalidValue, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&few, add_one, 0, 0));
    FAILS(cudaErrorInvalidValue,
          cudaOccupancyMaxActiveBlocksPerMultiprocessor(null<int>(), add_one, 32, 0));
    FAILS(cudaErrorInvalidValue, cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
                                     &few, add_one, 32, 0, 8));
    FAILS(cudaErrorInvalidDeviceFunction,
          cudaOccupancyMaxActiveBlocksPerMultiprocessor(&few, (const void*)&few, 32, 0));
    int grid = 0, block = 0;
    GOOD(cudaOccupancyMaxPotentialBlockSize(&grid, &block, add_one));
    THAT(block > 0 && block <= p.maxThreadsPerBlock && block % 32 == 0);
    GOOD(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&few, add_one, block, 0));
    THAT(grid == few * p.multiProcessorCount);
    THAT(few * block == p.maxThreadsPerMultiProcessor);  // it is a small kernel
    GOOD(cudaOccupancyMaxPotentialBlockSize(&grid, &block, add_one, 0, 48));
    THAT(block == 48 || block == 32);
    size_t bytes = 0;
    GOOD(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, add_one, 2, 32));
    THAT(bytes > 0 && bytes <= p.sharedMemPerMultiprocessor / 2);
    GOOD(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&few, add_one, 32, bytes));
    THAT(few == 2);
    GOOD(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&few, add_one, 32, bytes + 1));
    THAT(few == 1);
}

CASE(streams_and_events) {
    cudaStream_t stream;
    cudaEvent_t event, other;
    FAILS(cudaErrorInvalidValue, cudaStreamCreate(null<cudaStream_t>()));
    FAILS(cudaErrorInvalidValue, cudaStreamCreateWithFlags(&stream, 6));
    FAILS(cudaErrorInvalidResourceHandle, cudaStreamDestroy(no_stream));
    FAILS(cudaErrorInvalidResourceHandle, cudaStreamDestroy(0));
    FAILS(cudaErrorInvalidResourceHandle, cudaStreamSynchronize(no_stream));
    FAILS(cudaErrorInvalidResourceHandle, cudaStreamQuery(no_stream));
    GOOD(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, -99));
    int priority = 9;
    unsigned flags = 9;
    unsigned long long id = 0;
    GOOD(cudaStreamGetPriority(stream, &priority));
    THAT(priority < 0 && priority > -99);
    GOOD(cudaStreamGetFlags(stream, &flags));
    THAT(flags == cudaStreamNonBlocking);
    GOOD(cudaStreamGetId(stream, &id));
    THAT(id != 0);
    cudaStreamCaptureStatus capture = cudaStreamCaptureStatusActive;
    GOOD(cudaStreamIsCapturing(stream, &capture));
    THAT(capture == cudaStreamCaptureStatusNone);
    FAILS(cudaErrorInvalidValue, cudaEventCreateWithFlags(&event, 64));
    FAILS(cudaErrorInvalidValue, cudaEventCreateWithFlags(&event, cudaEventInterprocess));
    FAILS(cudaErrorNotSupported,
          cudaEventCreateWithFlags(&event, cudaEventInterprocess | cudaEventDisableTiming));
    FAILS(cudaErrorInvalidResourceHandle, cudaEventRecord(no_event));
    FAILS(cudaErrorInvalidResourceHandle, cudaEventDestroy(no_event));
    FAILS(cudaErrorInvalidResourceHandle, cudaEventQuery(no_event));
    FAILS(cudaErrorInvalidResourceHandle, cudaStreamWaitEvent(stream, no_event, 0));
    GOOD(cudaEventCreate(&event));
    GOOD(cudaEventCreateWithFlags(&other, cudaEventDisableTiming));
    FAILS(cudaErrorInvalidResourceHandle, cudaEventRecord(event, no_stream));
    FAILS(cudaErrorInvalidValue, cudaStreamWaitEvent(stream, event, 8));
    FAILS(cudaErrorNotSupported, cudaStreamWaitEvent(stream, event, cudaEventWaitExternal));
    FAILS(cudaErrorNotSupported, cudaEventRecordWithFlags(event, stream, cudaEventRecordExternal));
    float ms = 0;
    FAILS(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, event, event));  // not recorded
    GOOD(cudaEventQuery(event));
    GOOD(cudaEventSynchronize(event));
    GOOD(cudaEventRecord(event));
    GOOD(cudaEventRecord(other));
    FAILS(cudaErrorNotReady, cudaEventElapsedTime(&ms, event, event));
    GOOD(cudaEventSynchronize(event));
    FAILS(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, event, other));
    FAILS(cudaErrorInvalidValue, cudaEventElapsedTime(null<float>(), event, event));
    GOOD(cudaEventElapsedTime(&ms, event, event));
    THAT(ms == 0);
    FAILS(cudaErrorInvalidValue, cudaStreamAddCallback(stream, nullptr, nullptr, 0));
    FAILS(cudaErrorInvalidValue, cudaLaunchHostFunc(stream, nullptr, nullptr));
    GOOD(cudaStreamDestroy(stream));
    FAILS(cudaErrorInvalidResourceHandle, cudaStreamQuery(stream));
    GOOD(cudaEventDestroy(event));
    GOOD(cudaEventDestroy(other));
}

CASE(hints) {
    void* p = nullptr;
    GOOD(cudaMallocManaged(&p, 4096));
    GOOD(cudaMemPrefetchAsync(p, 4096, 0));
    GOOD(cudaMemPrefetchAsync(p, 4096, cudaCpuDeviceId));
    FAILS(cudaErrorInvalidDevice, cudaMemPrefetchAsync(p, 4096, 3));
    FAILS(cudaErrorInvalidValue, cudaMemPrefetchAsync(p, 4097, 0));
    FAILS(cudaErrorInvalidValue, cudaMemAdvise(p, 4096, (cudaMemoryAdvise)0, 0));
    GOOD(cudaMemAdvise(p, 4096, cudaMemAdviseSetReadMostly, 0));
    GOOD(cudaStreamAttachMemAsync(0, p));
    FAILS(cudaErrorInvalidValue, cudaStreamAttachMemAsync(0, p, 0, 64));
    GOOD(cudaFree(p));
    FAILS(cudaErrorInvalidValue, cudaMemPrefetchAsync(p, 4096, 0));
    GOOD(cudaProfilerStart());
    GOOD(cudaProfilerStop());
    GOOD(cudaCtxResetPersistingL2Cache());
}

CASE(not_supported) {
    cudaGraph_t graph = nullptr;
    FAILS(cudaErrorNotSupported, cudaGraphCreate(&graph, 0));
    FAILS(cudaErrorNotSupported, cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal));
    cudaIpcMemHandle_t handle;
    FAILS(cudaErrorNotSupported, cudaIpcGetMemHandle(&handle, nullptr));
}

int main(int argc, char** argv) {
    return run_cases(argc > 1 ? argv[1] : "");
}
