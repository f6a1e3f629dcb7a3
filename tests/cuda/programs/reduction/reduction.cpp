// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Host half of the reductions: compiled by itself and linked to reduction_kernel.cu.
#include "reduction.h"

#include <cuda_runtime.h>
#include <helper_cuda.h>
#include <helper_functions.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

template <class T>
bool runTest(const char* type, int size, int threads, int kernels, double threshold) {
    T* h_idata = (T*)malloc(size * sizeof(T));
    double expected = 0;
    for (int i = 0; i < size; i++) {
        h_idata[i] = (T)((rand() & 0xFF) / (T)(strcmp(type, "int") == 0 ? 1 : 256));
        expected += h_idata[i];
    }
    int perBlock = threads * 2;
    int blocks = (size + threads - 1) / threads;
    T *d_idata = NULL, *d_odata = NULL;
    T* h_odata = (T*)malloc(blocks * sizeof(T));
    checkCudaErrors(cudaMalloc((void**)&d_idata, size * sizeof(T)));
    checkCudaErrors(cudaMalloc((void**)&d_odata, blocks * sizeof(T)));
    checkCudaErrors(cudaMemcpy(d_idata, h_idata, size * sizeof(T), cudaMemcpyHostToDevice));
    StopWatchInterface* timer = 0;
    sdkCreateTimer(&timer);
    bool right = true;
    for (int kernel = 0; kernel < kernels; kernel++) {
        int grid = kernel < 2 ? blocks : (size + 2 * perBlock - 1) / (2 * perBlock);
        checkCudaErrors(cudaMemset(d_odata, 0xff, blocks * sizeof(T)));
        cudaDeviceSynchronize();
        sdkStartTimer(&timer);
        reduce<T>(size, threads, grid, kernel, d_idata, d_odata);
        getLastCudaError("Kernel execution failed");
        cudaDeviceSynchronize();
        sdkStopTimer(&timer);
        checkCudaErrors(cudaMemcpy(h_odata, d_odata, grid * sizeof(T), cudaMemcpyDeviceToHost));
        double result = 0;
        for (int i = 0; i < grid; i++) result += h_odata[i];
        bool ok = fabs(result - expected) <= threshold * expected;
        if (!ok) printf("%s, kernel %d: %.10g, expected %.10g\n", type, kernel, result, expected);
        right = right && ok;
    }
    right = right && sdkGetTimerValue(&timer) >= 0;
    sdkDeleteTimer(&timer);
    checkCudaErrors(cudaFree(d_idata));
    checkCudaErrors(cudaFree(d_odata));
    free(h_idata);
    free(h_odata);
    return right;
}

int main(int argc, char** argv) {
    int size = 1 << 12, threads = 128;
    if (checkCmdLineFlag(argc, (const char**)argv, "n"))
        size = getCmdLineArgumentInt(argc, (const char**)argv, "n");
    if (checkCmdLineFlag(argc, (const char**)argv, "threads"))
        threads = getCmdLineArgumentInt(argc, (const char**)argv, "threads");
    printf("%d elements, blocks of %d threads\n", size, threads);
    bool right = runTest<int>("int", size, threads, 5, 0);
    right = runTest<int>("int", size - 77, threads, 5, 0) && right;
    right = runTest<float>("float", size, threads, 5, 1e-6) && right;
    right = runTest<double>("double", size / 4 + 1, 64, 5, 1e-14) && right;
    printf(right ? "PASSED\n" : "FAILED\n");
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
