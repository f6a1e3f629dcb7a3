// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Asks the device for everything; C++ that the host's compiler alone could take.
#include <cuda_runtime.h>
#include <helper_cuda.h>

#include <iostream>
#include <memory>
#include <string>

int main() {
    int count = 0, driver = 0, runtime = 0, bad = 0;
    cudaError_t error = cudaGetDeviceCount(&count);
    if (error != cudaSuccess) {
        printf("cudaGetDeviceCount returned %d\n-> %s\nFAILED\n", (int)error,
               cudaGetErrorString(error));
        return EXIT_FAILURE;
    }
    checkCudaErrors(cudaDriverGetVersion(&driver));
    checkCudaErrors(cudaRuntimeGetVersion(&runtime));
    printf("%d device(s), driver %d.%d, runtime %d.%d\n", count, driver / 1000, driver % 100 / 10,
           runtime / 1000, runtime % 100 / 10);
    bad += count != 1 || runtime != CUDART_VERSION || driver < runtime;
    for (int dev = 0; dev < count; ++dev) {
        cudaSetDevice(dev);
        cudaDeviceProp p;
        checkCudaErrors(cudaGetDeviceProperties(&p, dev));
        printf("%s, capability %d.%d\n", p.name, p.major, p.minor);
        printf("  global memory      %.0f MB\n", p.totalGlobalMem / 1048576.0f);
        printf("  multiprocessors    %d, %d cores each\n", p.multiProcessorCount,
               _ConvertSMVer2Cores(p.major, p.minor));
        printf("  clock              %.2f GHz, memory %.0f MHz, %d bits\n", p.clockRate * 1e-6f,
               p.memoryClockRate * 1e-3f, p.memoryBusWidth);
        printf("  L2                 %d bytes\n", p.l2CacheSize);
        printf("  constant memory    %zu bytes\n", p.totalConstMem);
        printf("  shared memory      %zu bytes a block, %zu a multiprocessor\n",
               p.sharedMemPerBlock, p.sharedMemPerMultiprocessor);
        printf("  registers          %d\n", p.regsPerBlock);
        printf("  warp               %d\n", p.warpSize);
        printf("  threads            %d a multiprocessor, %d a block\n",
               p.maxThreadsPerMultiProcessor, p.maxThreadsPerBlock);
        printf("  block              (%d, %d, %d)\n", p.maxThreadsDim[0], p.maxThreadsDim[1],
               p.maxThreadsDim[2]);
        printf("  grid               (%d, %d, %d)\n", p.maxGridSize[0], p.maxGridSize[1],
               p.maxGridSize[2]);
        printf("  pitch, alignment   %zu, %zu\n", p.memPitch, p.textureAlignment);
        printf("  textures           1D %d, 2D (%d, %d)\n", p.maxTexture1D, p.maxTexture2D[0],
               p.maxTexture2D[1]);
        printf("  kernels at a time  %d, copy engines %d, ECC %d, unified %d, integrated %d\n",
               p.concurrentKernels, p.asyncEngineCount, p.ECCEnabled, p.unifiedAddressing,
               p.integrated);
        bad += p.warpSize != 32 || p.multiProcessorCount < 1 || p.maxThreadsPerBlock < 256;
        bad += p.totalGlobalMem < (1u << 20) || p.sharedMemPerBlock < 16384 || p.regsPerBlock < 1;
        bad += p.clockRate <= 0 || p.maxGridSize[0] < 65535 || p.maxThreadsDim[2] < 1;
        bad += p.name[0] == 0 || p.totalConstMem == 0;
        const cudaDeviceAttr attributes[] = {
            cudaDevAttrMaxThreadsPerBlock,     cudaDevAttrWarpSize,
            cudaDevAttrMultiProcessorCount,    cudaDevAttrClockRate,
            cudaDevAttrComputeCapabilityMajor, cudaDevAttrMaxSharedMemoryPerBlock};
        const int expected[] = {p.maxThreadsPerBlock, p.warpSize, p.multiProcessorCount,
                                p.clockRate,          p.major,    (int)p.sharedMemPerBlock};
        for (int i = 0; i < 6; i++) {
            int value = -1;
            checkCudaErrors(cudaDeviceGetAttribute(&value, attributes[i], dev));
            bad += value != expected[i];
        }
        size_t available = 0, total = 0;
        checkCudaErrors(cudaMemGetInfo(&available, &total));
        bad += available == 0 || available > total;
        void* half = NULL;
        checkCudaErrors(cudaMalloc(&half, 1 << 20));
        size_t less = 0;
        checkCudaErrors(cudaMemGetInfo(&less, &total));
        bad += less + (1 << 20) > available;
        checkCudaErrors(cudaFree(half));
    }
    bad += cudaSetDevice(count) != cudaErrorInvalidDevice;
    cudaGetLastError();
    printf("%s\n", bad ? "FAILED" : "PASSED");
    exit(bad ? EXIT_FAILURE : EXIT_SUCCESS);
}
