// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "filter.h"

__device__ float offset = 1;

__global__ void add(float* numbers, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) numbers[i] += offset;
}

void addOffset(float* onDevice, int n, void* stream)
{
    add<<<(n + 63) / 64, 64, 0, (cudaStream_t)stream>>>(onDevice, n);
}

int addOffsetOnHost(float* numbers, int n)
{
    float* onDevice;
    if (cudaMalloc(&onDevice, n * sizeof(float)) != cudaSuccess) return 1;
    cudaMemcpy(onDevice, numbers, n * sizeof(float), cudaMemcpyHostToDevice);
    addOffset(onDevice, n, 0);
    cudaMemcpy(numbers, onDevice, n * sizeof(float), cudaMemcpyDeviceToHost);
    return cudaFree(onDevice) != cudaSuccess;
}

void setOffset(float to)
{
    cudaMemcpyToSymbol(offset, &to, sizeof to);
}
