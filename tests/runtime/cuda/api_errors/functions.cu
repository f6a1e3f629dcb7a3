// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Kernels: what is known of them, and launches that are refused.
#include "tests/runtime/cuda/kit.h"

__global__ void add(int* x, int n) { x[threadIdx.x] += n; }

static const void* const kernel = (const void*)add;
static const void* const no_kernel = (const void*)&kernel;

CASE(what_is_known) {
    cudaFuncAttributes text;
    const char* name = nullptr;
    GOOD(cudaFuncGetAttributes(&text, kernel));
    THAT(text.maxThreadsPerBlock > 0 && text.sharedSizeBytes == 0 && text.numRegs > 0);
    GOOD(cudaFuncGetName(&name, kernel));
    THAT(std::strcmp(name, "_Z3addPii") == 0);
    GOOD(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, 100));
    GOOD(cudaFuncGetAttributes(&text, kernel));
    THAT(text.preferredShmemCarveout == 100);
    GOOD(cudaFuncSetSharedMemConfig(kernel, cudaSharedMemBankSizeFourByte));
    FAILS(cudaErrorInvalidValue, cudaFuncGetName(null<const char*>(), kernel));
    FAILS(cudaErrorInvalidDeviceFunction, cudaFuncGetName(&name, no_kernel));
    FAILS(cudaErrorInvalidDeviceFunction, cudaFuncGetAttributes(&text, null<void>()));
    FAILS(cudaErrorInvalidDeviceFunction,
          cudaFuncSetAttribute(no_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 4));
    FAILS(cudaErrorInvalidValue,
          cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, -1));
    FAILS(cudaErrorInvalidValue,
          cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, -2));
    FAILS(cudaErrorInvalidDeviceFunction, cudaFuncSetCacheConfig(no_kernel, cudaFuncCachePreferL1));
    FAILS(cudaErrorInvalidDeviceFunction,
          cudaFuncSetSharedMemConfig(no_kernel, cudaSharedMemBankSizeDefault));
    FAILS(cudaErrorInvalidValue, cudaFuncSetSharedMemConfig(kernel, (cudaSharedMemConfig)3));
}

CASE(occupancy) {
    int blocks = 0;
    size_t bytes = 0;
    GOOD(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        &blocks, kernel, 32, 0, cudaOccupancyDisableCachingOverride));
    THAT(blocks > 0);
    GOOD(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, kernel, 1, 32));
    THAT(bytes > 0);
    FAILS(cudaErrorInvalidValue,
          cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, -1, 0));
    FAILS(cudaErrorInvalidDeviceFunction,
          cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, no_kernel, 32, 0, 0));
    FAILS(cudaErrorInvalidValue,
          cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(null<int>(), kernel, 32, 0, 0));
    FAILS(cudaErrorInvalidValue,
          cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, kernel, 32, 0, 2));
    FAILS(cudaErrorInvalidValue,
          cudaOccupancyAvailableDynamicSMemPerBlock(null<size_t>(), kernel, 1, 32));
    FAILS(cudaErrorInvalidDeviceFunction,
          cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, no_kernel, 1, 32));
    FAILS(cudaErrorInvalidValue, cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, kernel, 0, 32));
    FAILS(cudaErrorInvalidValue, cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, kernel, 1, 0));
    FAILS(cudaErrorInvalidValue,
          cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, kernel, 100000, 32));
}

CASE(launches) {
    int *d = nullptr, h = 9, n = 5;
    GOOD(cudaMalloc(&d, 1024 * sizeof(int)));
    GOOD(cudaMemset(d, 0, 1024 * sizeof(int)));
    void* arguments[] = {&d, &n};
    GOOD(cudaLaunchKernel(kernel, dim3(1), dim3(32), arguments, 0, 0));
    GOOD(cudaLaunchCooperativeKernel(kernel, dim3(1), dim3(32), arguments, 0, 0));
    const dim3 wrong[] = {dim3(0), dim3(1, 0), dim3(1, 1, 0), dim3(100000, 1, 1), dim3(1, 1, 65)};
    for (const dim3& block : wrong) {
        FAILS(cudaErrorInvalidConfiguration,
              cudaLaunchKernel(kernel, dim3(1), block, arguments, 0, 0));
        FAILS(cudaErrorInvalidConfiguration,
              cudaLaunchCooperativeKernel(kernel, dim3(1), block, arguments, 0, 0));
    }
    for (const dim3& grid : {dim3(0), dim3(1, 65536), dim3(1, 1, 65536)}) {
        FAILS(cudaErrorInvalidConfiguration,
              cudaLaunchKernel(kernel, grid, dim3(1), arguments, 0, 0));
    }
    FAILS(cudaErrorInvalidValue, cudaLaunchKernel(kernel, dim3(1), dim3(1), arguments, 1u << 30, 0));
    FAILS(cudaErrorInvalidResourceHandle,
          cudaLaunchKernel(kernel, dim3(1), dim3(1), arguments, 0, no_stream));
    FAILS(cudaErrorInvalidResourceHandle,
          cudaLaunchCooperativeKernel(kernel, dim3(1), dim3(1), arguments, 0, no_stream));
    FAILS(cudaErrorInvalidDeviceFunction,
          cudaLaunchCooperativeKernel(no_kernel, dim3(1), dim3(1), arguments, 0, 0));
    FAILS(cudaErrorInvalidValue,
          cudaLaunchCooperativeKernel(kernel, dim3(1), dim3(1), nullptr, 0, 0));
    GOOD(cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost));
    THAT(h == 10);  // the two that were right, and no other
    GOOD(cudaFree(d));
}

CASE(launches_of_the_old_kind) {
    int *d = nullptr, h = 9, n = 3;
    GOOD(cudaMalloc(&d, 4));
    GOOD(cudaMemset(d, 0, 4));
    GOOD(cudaConfigureCall(dim3(1), dim3(1)));
    GOOD(cudaSetupArgument(&d, sizeof d, 0));
    GOOD(cudaSetupArgument(&n, sizeof n, sizeof d));
    FAILS(cudaErrorInvalidValue, cudaSetupArgument(null<void>(), 4, 8));
    FAILS(cudaErrorInvalidValue, cudaSetupArgument(&n, 4, 4093));
    FAILS(cudaErrorInvalidValue, cudaSetupArgument(&n, 0xffffffffu, 4));
    GOOD(cudaLaunch(kernel));
    FAILS(cudaErrorMissingConfiguration, cudaLaunch(kernel));
    FAILS(cudaErrorInvalidConfiguration, cudaConfigureCall(dim3(0), dim3(1)));
    FAILS(cudaErrorInvalidConfiguration, cudaConfigureCall(dim3(1), dim3(1, 1, 0)));
    FAILS(cudaErrorMissingConfiguration, cudaSetupArgument(&n, 4, 0));
    GOOD(cudaConfigureCall(dim3(1), dim3(1)));
    FAILS(cudaErrorInvalidDeviceFunction, cudaLaunch(no_kernel));
    GOOD(cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost));
    THAT(h == 3);
    GOOD(cudaFree(d));
}

__global__ void add_both(int* sum, int a, double b) { *sum = a + (int)b; }

CASE(launches_with_attributes) {
    int *d = nullptr, got = 0;
    GOOD(cudaMalloc(&d, 4));
    cudaLaunchAttribute attributes[2] = {};
    attributes[0].id = cudaLaunchAttributeCooperative;
    attributes[0].val.cooperative = 1;
    attributes[1].id = cudaLaunchAttributePriority;
    cudaLaunchConfig_t config = {};
    config.gridDim = config.blockDim = dim3(1);
    config.attrs = attributes;
    config.numAttrs = 2;
    GOOD(cudaLaunchKernelEx(&config, add_both, d, (short)3, 4.0f));  // converted
    GOOD(cudaMemcpy(&got, d, 4, cudaMemcpyDeviceToHost));
    THAT(got == 7);
    FAILS(cudaErrorInvalidValue,
          cudaLaunchKernelExC(null<cudaLaunchConfig_t>(), (const void*)add_both, null<void*>()));
    attributes[1].id = cudaLaunchAttributeClusterDimension;
    attributes[1].val.clusterDim.x = 2;
    FAILS(cudaErrorNotSupported, cudaLaunchKernelEx(&config, add_both, d, 3, 4.0));
    attributes[1].id = (cudaLaunchAttributeID)99;
    FAILS(cudaErrorInvalidValue, cudaLaunchKernelEx(&config, add_both, d, 3, 4.0));
    config.numAttrs = 0;
    config.blockDim = dim3(0);
    FAILS(cudaErrorInvalidConfiguration, cudaLaunchKernelEx(&config, add_both, d, 3, 4.0));
    GOOD(cudaFree(d));
}

int main(int argc, char** argv) {
    return run_cases(argc > 1 ? argv[1] : "");
}
