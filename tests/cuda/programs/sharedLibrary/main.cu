// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Memory, streams and kernels of a program and of the library that it is linked with.
#include <cstdio>
#include <cuda_runtime.h>
#include "filter.h"

__global__ void twice(float* numbers, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) numbers[i] *= 2;
}

int main()
{
    const int n = 200;
    float host[n], *numbers;
    for (int i = 0; i < n; i++) host[i] = i;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMalloc(&numbers, sizeof host);
    cudaMemcpyAsync(numbers, host, sizeof host, cudaMemcpyHostToDevice, stream);
    addOffset(numbers, n, stream);
    twice<<<(n + 63) / 64, 64, 0, stream>>>(numbers, n);
    addOffset(numbers, n, stream);
    cudaStreamSynchronize(stream);
    setOffset(10);
    addOffset(numbers, n, stream);
    cudaMemcpyAsync(host, numbers, sizeof host, cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    int wrong = 0;
    for (int i = 0; i < n; i++) wrong += host[i] != 2 * (i + 1) + 1 + 10;
    // An error in the library's call is the program's last error, too.
    addOffset(numbers, 0, 0);
    wrong += cudaGetLastError() != cudaErrorInvalidConfiguration;
    wrong += cudaStreamDestroy(stream) != cudaSuccess || cudaFree(numbers) != cudaSuccess;
    printf("%d wrong\n%s\n", wrong, wrong ? "FAILED" : "PASSED");
    return wrong != 0;
}
