// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
/* Exclusive prefix sums of arrays larger than a block: scan the blocks, scan their sums, add them. */
#include <assert.h>
#include <stdio.h>
#include <helper_cuda.h>
#include "scan_common.h"

#define THREADS 128
#define LOG_NUM_BANKS 5
#define CONFLICT_FREE_OFFSET(n) ((n) >> LOG_NUM_BANKS)
#define ELEMENTS (2 * THREADS)

extern "C" const uint MAX_BATCH_ELEMENTS = ELEMENTS * ELEMENTS;

static uint *d_Sums, *d_SumsOfSums;

__global__ void prescan(uint *g_odata, const uint *g_idata, uint *g_sums, uint n)
{
    extern __shared__ uint temp[];
    uint thid = threadIdx.x, base = blockIdx.x * ELEMENTS;
    uint ai = thid, bi = thid + THREADS;
    uint bankOffsetA = CONFLICT_FREE_OFFSET(ai), bankOffsetB = CONFLICT_FREE_OFFSET(bi);
    temp[ai + bankOffsetA] = base + ai < n ? g_idata[base + ai] : 0;
    temp[bi + bankOffsetB] = base + bi < n ? g_idata[base + bi] : 0;

    uint offset = 1;
    for (uint d = ELEMENTS >> 1; d > 0; d >>= 1)
    {
        __syncthreads();
        if (thid < d)
        {
            uint a = offset * (2 * thid + 1) - 1, b = offset * (2 * thid + 2) - 1;
            a += CONFLICT_FREE_OFFSET(a);
            b += CONFLICT_FREE_OFFSET(b);
            temp[b] += temp[a];
        }
        offset *= 2;
    }
    if (thid == 0)
    {
        uint last = ELEMENTS - 1 + CONFLICT_FREE_OFFSET(ELEMENTS - 1);
        if (g_sums) g_sums[blockIdx.x] = temp[last];
        temp[last] = 0;
    }
    for (uint d = 1; d < ELEMENTS; d *= 2)
    {
        offset >>= 1;
        __syncthreads();
        if (thid < d)
        {
            uint a = offset * (2 * thid + 1) - 1, b = offset * (2 * thid + 2) - 1;
            a += CONFLICT_FREE_OFFSET(a);
            b += CONFLICT_FREE_OFFSET(b);
            uint t = temp[a];
            temp[a] = temp[b];
            temp[b] += t;
        }
    }
    __syncthreads();
    if (base + ai < n) g_odata[base + ai] = temp[ai + bankOffsetA];
    if (base + bi < n) g_odata[base + bi] = temp[bi + bankOffsetB];
}

__global__ void uniformUpdate(uint *d_Data, const uint *d_Buffer, uint n)
{
    __shared__ uint buf;
    uint pos = blockIdx.x * ELEMENTS + threadIdx.x;
    if (threadIdx.x == 0) buf = d_Buffer[blockIdx.x];
    __syncthreads();
    if (pos < n) d_Data[pos] += buf;
    if (pos + THREADS < n) d_Data[pos + THREADS] += buf;
}

extern "C" void initScan(void)
{
    checkCudaErrors(cudaMalloc((void **)&d_Sums, ELEMENTS * sizeof(uint)));
    checkCudaErrors(cudaMalloc((void **)&d_SumsOfSums, ELEMENTS * sizeof(uint)));
}

extern "C" void closeScan(void)
{
    checkCudaErrors(cudaFree(d_Sums));
    checkCudaErrors(cudaFree(d_SumsOfSums));
}

extern "C" size_t scanExclusiveLarge(uint *d_Dst, uint *d_Src, uint n)
{
    assert(n <= MAX_BATCH_ELEMENTS);
    uint blocks = (n + ELEMENTS - 1) / ELEMENTS;
    size_t shared = (ELEMENTS + CONFLICT_FREE_OFFSET(ELEMENTS) + 1) * sizeof(uint);
    prescan<<<blocks, THREADS, shared>>>(d_Dst, d_Src, d_Sums, n);
    getLastCudaError("prescan() execution FAILED\n");
    prescan<<<1, THREADS, shared>>>(d_Sums, d_Sums, NULL, blocks);
    getLastCudaError("prescan() of sums execution FAILED\n");
    uniformUpdate<<<blocks, THREADS>>>(d_Dst, d_Sums, n);
    getLastCudaError("uniformUpdate() execution FAILED\n");
    return blocks;
}
