// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
/* assert in a kernel: the program expects the error, and that the device is lost until it is reset. */
#include <stdio.h>
#include <cassert>
#include <cuda_runtime.h>

__global__ void testKernel(int N)
{
    int gtid = blockIdx.x * blockDim.x + threadIdx.x;
    assert(gtid < N);
}

__global__ void fill(int *out) { out[threadIdx.x] = threadIdx.x; }

int main(int argc, char **argv)
{
    int wrong = 0, *d, h[32];
    testKernel<<<2, 32>>>(64);
    cudaError_t error = cudaDeviceSynchronize();
    printf("all threads within: %s\n", cudaGetErrorString(error));
    wrong += error != cudaSuccess;
    testKernel<<<2, 32>>>(60);
    wrong += cudaGetLastError() != cudaSuccess;
    error = cudaDeviceSynchronize();
    printf("four threads beyond: %s\n", cudaGetErrorString(error));
    wrong += error != cudaErrorAssert;
    // The error stays: no call works before a reset.
    wrong += cudaMalloc((void **)&d, sizeof h) == cudaSuccess;
    wrong += cudaGetLastError() == cudaSuccess;
    wrong += cudaDeviceReset() != cudaSuccess;
    wrong += cudaMalloc((void **)&d, sizeof h) != cudaSuccess;
    fill<<<1, 32>>>(d);
    wrong += cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost) != cudaSuccess;
    for (int i = 0; i < 32; i++) wrong += h[i] != i;
    printf("%d wrong\n%s\n", wrong, wrong ? "FAILED" : "PASSED");
    return wrong != 0;
}
