// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
/* A histogram per warp by shared atomics, merged by a second kernel; and one by global atomics. */
#include <assert.h>
#include <helper_cuda.h>
#include "histogram_common.h"

#define THREADS_256 (WARP_COUNT * WARP_SIZE)
#define COUNTERS (WARP_COUNT * BINS_256)
static const uint PARTS = 6;
__device__ uint d_Parts[PARTS * BINS_256];

inline __device__ void addByte(uint *warp_bins, uint data) { atomicAdd(warp_bins + data, 1); }

inline __device__ void addWord(uint *warp_bins, uint data)
{
    addByte(warp_bins, (data >> 0) & 0xFFU);
    addByte(warp_bins, (data >> 8) & 0xFFU);
    addByte(warp_bins, (data >> 16) & 0xFFU);
    addByte(warp_bins, (data >> 24) & 0xFFU);
}

__global__ void histogram256Kernel(const uint *d_Data, uint dataCount)
{
    __shared__ uint bins[COUNTERS];
    uint *warp_bins = bins + (threadIdx.x >> LOG2_WARP_SIZE) * BINS_256;
#pragma unroll
    for (uint i = 0; i < (COUNTERS / THREADS_256); i++)
        bins[threadIdx.x + i * THREADS_256] = 0;
    __syncthreads();
    for (uint pos = __umul24(blockIdx.x, blockDim.x) + threadIdx.x; pos < dataCount; pos += __umul24(blockDim.x, gridDim.x))
        addWord(warp_bins, d_Data[pos]);
    __syncthreads();
    for (uint bin = threadIdx.x; bin < BINS_256; bin += THREADS_256)
    {
        uint sum = 0;
        for (uint i = 0; i < WARP_COUNT; i++) sum += bins[bin + i * BINS_256];
        d_Parts[blockIdx.x * BINS_256 + bin] = sum;
    }
}

__global__ void mergeHistogram256Kernel(uint *d_Histogram, uint histogramCount)
{
    uint sum = 0;
    for (uint i = threadIdx.x; i < histogramCount; i += blockDim.x)
        sum += d_Parts[blockIdx.x + i * BINS_256];
    __shared__ uint data[WARP_SIZE];
    data[threadIdx.x] = sum;
    for (uint stride = WARP_SIZE / 2; stride > 0; stride >>= 1)
    {
        __syncthreads();
        if (threadIdx.x < stride) data[threadIdx.x] += data[threadIdx.x + stride];
    }
    if (threadIdx.x == 0) d_Histogram[blockIdx.x] = data[0];
}

__global__ void histogramGlobalKernel(uint *d_Histogram, const uchar *d_Data, uint byteCount)
{
    uint i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < byteCount) atomicInc(&d_Histogram[d_Data[i]], 0xffffffffU);
}

extern "C" void histogram256(uint *d_Histogram, void *d_Data, uint byteCount)
{
    histogram256Kernel<<<PARTS, THREADS_256>>>((uint *)d_Data, byteCount / sizeof(uint));
    getLastCudaError("histogram256Kernel() execution failed\n");
    mergeHistogram256Kernel<<<BINS_256, WARP_SIZE>>>(d_Histogram, PARTS);
    getLastCudaError("mergeHistogram256Kernel() execution failed\n");
}

extern "C" void histogramGlobal(uint *d_Histogram, void *d_Data, uint byteCount)
{
    checkCudaErrors(cudaMemset(d_Histogram, 0, BINS_256 * sizeof(uint)));
    histogramGlobalKernel<<<(byteCount + 127) / 128, 128>>>(d_Histogram, (uchar *)d_Data, byteCount);
    getLastCudaError("histogramGlobalKernel() execution failed\n");
}
