// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
/* A byte counter per thread and bin in shared memory: no atomics at all. */
#include <assert.h>
#include <helper_cuda.h>
#include "histogram_common.h"

#define THREADS_64 64

__global__ void histogram64Kernel(uint *d_Histogram, const uchar4 *d_Data, uint count)
{
    __shared__ uchar bins[THREADS_64 * BINS_64];
    for (uint i = 0; i < BINS_64 / 4; i++)
        ((uint *)bins)[threadIdx.x + i * THREADS_64] = 0;
    __syncthreads();
    for (uint pos = __umul24(blockIdx.x, blockDim.x) + threadIdx.x; pos < count; pos += __umul24(blockDim.x, gridDim.x))
    {
        uchar4 data = d_Data[pos];
        bins[(data.x >> 2U) * THREADS_64 + threadIdx.x]++;
        bins[(data.y >> 2U) * THREADS_64 + threadIdx.x]++;
        bins[(data.z >> 2U) * THREADS_64 + threadIdx.x]++;
        bins[(data.w >> 2U) * THREADS_64 + threadIdx.x]++;
    }
    __syncthreads();
    if (threadIdx.x < BINS_64)
    {
        uint sum = 0;
        for (uint i = 0; i < THREADS_64; i++)
            sum += bins[threadIdx.x * THREADS_64 + ((i + threadIdx.x) & (THREADS_64 - 1))];
        atomicAdd(&d_Histogram[threadIdx.x], sum);
    }
}

extern "C" void histogram64(uint *d_Histogram, void *d_Data, uint byteCount)
{
    assert(byteCount % sizeof(uchar4) == 0);
    checkCudaErrors(cudaMemset(d_Histogram, 0, BINS_64 * sizeof(uint)));
    histogram64Kernel<<<4, THREADS_64>>>(d_Histogram, (uchar4 *)d_Data, byteCount / sizeof(uchar4));
    getLastCudaError("histogram64Kernel() execution failed\n");
}
