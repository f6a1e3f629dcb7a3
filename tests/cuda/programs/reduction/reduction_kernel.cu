// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
/* A family of sums over a block, from plain to unrolled, by shuffles and by cooperative groups. */
#include <stdio.h>
#include <cooperative_groups.h>
#include "reduction.h"

namespace cg = cooperative_groups;

// One name for a dynamic array of each type that a template is made for.
template <class T> struct shared_array
{
    __device__ inline operator T *()
    {
        extern __shared__ int pool[];
        return (T *)pool;
    }
    __device__ inline operator const T *() const
    {
        extern __shared__ int pool[];
        return (T *)pool;
    }
};

// Doubles want their own alignment.
template <> struct shared_array<double>
{
    __device__ inline operator double *()
    {
        extern __shared__ double pool_of_doubles[];
        return (double *)pool_of_doubles;
    }
};

template <class T> __global__ void reduceInterleaved(T *g_idata, T *g_odata, unsigned int n)
{
    T *sdata = shared_array<T>();
    unsigned int tid = threadIdx.x, i = blockIdx.x * blockDim.x + threadIdx.x;
    sdata[tid] = (i < n) ? g_idata[i] : 0;
    __syncthreads();
    for (unsigned int s = 1; s < blockDim.x; s *= 2)
    {
        if ((tid % (2 * s)) == 0) sdata[tid] += sdata[tid + s];
        __syncthreads();
    }
    if (tid == 0) g_odata[blockIdx.x] = sdata[0];
}

template <class T> __global__ void reduceSequential(T *g_idata, T *g_odata, unsigned int n)
{
    T *sdata = shared_array<T>();
    unsigned int tid = threadIdx.x, i = blockIdx.x * blockDim.x + threadIdx.x;
    sdata[tid] = (i < n) ? g_idata[i] : 0;
    __syncthreads();
    for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1)
    {
        if (tid < s) sdata[tid] += sdata[tid + s];
        __syncthreads();
    }
    if (tid == 0) g_odata[blockIdx.x] = sdata[0];
}

// The last warp in lock step over volatile shared memory, as code before Volta did.
template <class T, unsigned int blockSize> __device__ void lastWarp(volatile T *sdata, unsigned int tid)
{
    if (blockSize >= 64) { sdata[tid] += sdata[tid + 32]; __syncwarp(); }
    if (blockSize >= 32) { sdata[tid] += sdata[tid + 16]; __syncwarp(); }
    if (blockSize >= 16) { sdata[tid] += sdata[tid + 8]; __syncwarp(); }
    if (blockSize >= 8) { sdata[tid] += sdata[tid + 4]; __syncwarp(); }
    if (blockSize >= 4) { sdata[tid] += sdata[tid + 2]; __syncwarp(); }
    if (blockSize >= 2) { sdata[tid] += sdata[tid + 1]; __syncwarp(); }
}

template <class T, unsigned int blockSize, bool nIsPow2>
__global__ void reduceUnrolled(T *g_idata, T *g_odata, unsigned int n)
{
    T *sdata = shared_array<T>();
    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * blockSize * 2 + threadIdx.x;
    unsigned int gridSize = blockSize * 2 * gridDim.x;
    T mySum = 0;
    while (i < n)
    {
        mySum += g_idata[i];
        if (nIsPow2 || i + blockSize < n) mySum += g_idata[i + blockSize];
        i += gridSize;
    }
    sdata[tid] = mySum;
    __syncthreads();
    if (blockSize >= 512) { if (tid < 256) sdata[tid] += sdata[tid + 256]; __syncthreads(); }
    if (blockSize >= 256) { if (tid < 128) sdata[tid] += sdata[tid + 128]; __syncthreads(); }
    if (blockSize >= 128) { if (tid < 64) sdata[tid] += sdata[tid + 64]; __syncthreads(); }
    if (tid < 32) lastWarp<T, blockSize>(sdata, tid);
    if (tid == 0) g_odata[blockIdx.x] = sdata[0];
}

template <class T> __global__ void reduceShuffle(T *g_idata, T *g_odata, unsigned int n)
{
    __shared__ T partial[32];
    T sum = 0;
    for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        sum += g_idata[i];
    for (int offset = warpSize / 2; offset > 0; offset /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, offset);
    if (threadIdx.x % warpSize == 0) partial[threadIdx.x / warpSize] = sum;
    __syncthreads();
    if (threadIdx.x < 32)
    {
        sum = threadIdx.x < blockDim.x / warpSize ? partial[threadIdx.x] : T(0);
        for (int mask = 16; mask > 0; mask /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, mask);
        if (threadIdx.x == 0) g_odata[blockIdx.x] = sum;
    }
}

template <class T> __global__ void reduceGroups(T *g_idata, T *g_odata, unsigned int n)
{
    cg::thread_block cta = cg::this_thread_block();
    T *sdata = shared_array<T>();
    T sum = 0;
    for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        sum += g_idata[i];
    cg::thread_block_tile<32> tile32 = cg::tiled_partition<32>(cta);
    for (int offset = tile32.size() / 2; offset > 0; offset /= 2) sum += tile32.shfl_down(sum, offset);
    if (tile32.thread_rank() == 0) sdata[tile32.meta_group_rank()] = sum;
    cg::sync(cta);
    if (cta.thread_rank() == 0)
    {
        for (unsigned int w = 1; w < tile32.meta_group_size(); ++w) sum += sdata[w];
        g_odata[blockIdx.x] = sum;
    }
}

bool isPow2(unsigned int x) { return ((x & (x - 1)) == 0); }

template <class T>
void reduce(int size, int threads, int blocks, int whichKernel, T *d_idata, T *d_odata)
{
    dim3 dimBlock(threads, 1, 1);
    dim3 dimGrid(blocks, 1, 1);
    int smemSize = (threads <= 32) ? 2 * threads * sizeof(T) : threads * sizeof(T);
    if (whichKernel == 2) smemSize += 32 * sizeof(T);
    switch (whichKernel)
    {
    case 0: reduceInterleaved<T><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size); break;
    case 1: reduceSequential<T><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size); break;
    case 2:
        if (isPow2(size))
        {
            switch (threads)
            {
            case 256: reduceUnrolled<T, 256, true><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size); break;
            case 128: reduceUnrolled<T, 128, true><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size); break;
            case 64: reduceUnrolled<T, 64, true><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size); break;
            case 32: reduceUnrolled<T, 32, true><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size); break;
            }
        }
        else
        {
            switch (threads)
            {
            case 256: reduceUnrolled<T, 256, false><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size); break;
            case 128: reduceUnrolled<T, 128, false><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size); break;
            case 64: reduceUnrolled<T, 64, false><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size); break;
            case 32: reduceUnrolled<T, 32, false><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size); break;
            }
        }
        break;
    case 3: reduceShuffle<T><<<dimGrid, dimBlock>>>(d_idata, d_odata, size); break;
    case 4: reduceGroups<T><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size); break;
    }
}

template void reduce<int>(int, int, int, int, int *, int *);
template void reduce<float>(int, int, int, int, float *, float *);
template void reduce<double>(int, int, int, int, double *, double *);
