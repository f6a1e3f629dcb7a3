// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Variables that the host and kernels share by name.
#include <cuda_runtime.h>
#include <cstdio>

__device__ __managed__ int total = 100;
__managed__ float weights[8] = {1, 4, 9};
__device__ float unshared;

__global__ void add(int n)
{
    unshared = n;
    for (int i = 0; i < n; i++) total += i;
    weights[7] = weights[0] + weights[1] + weights[2];
}

int main()
{
    int wrong = total != 100 || weights[1] != 4;
    add<<<1, 1>>>(5);
    cudaDeviceSynchronize();
    wrong += total != 110 || weights[7] != 14;
    total = 0;
    weights[2] = 0.5f;
    add<<<1, 1>>>(4);
    cudaDeviceSynchronize();
    wrong += total != 6 || weights[7] != 5.5f || cudaGetLastError() != cudaSuccess;
    // They are managed memory, of their own size.
    size_t bytes = 0;
    cudaPointerAttributes attributes;
    wrong += cudaGetSymbolSize(&bytes, total) != cudaSuccess || bytes != sizeof total;
    wrong += cudaMemcpyToSymbol(weights, weights, 4, sizeof weights) != cudaErrorInvalidValue;
    wrong += cudaMemPrefetchAsync(weights, sizeof weights, 0) != cudaSuccess;
    wrong += cudaMemPrefetchAsync(weights, sizeof weights + 1, 0) != cudaErrorInvalidValue;
    wrong += cudaPointerGetAttributes(&attributes, &weights[3]) != cudaSuccess;
    wrong += attributes.type != cudaMemoryTypeManaged || attributes.hostPointer != &weights[3];
    float *other;
    cudaGetSymbolAddress((void **)&other, unshared);
    wrong += cudaMemAdvise(other, 4, cudaMemAdviseSetReadMostly, 0) != cudaErrorInvalidValue;
    printf("total %d, sum of weights %g\n%s\n", total, weights[7], wrong ? "FAILED" : "PASSED");
    return wrong;
}
