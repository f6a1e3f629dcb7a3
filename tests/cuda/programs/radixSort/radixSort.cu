// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Radix sort, four bits a pass, counts per block, in the manner of SHOC's and of others' codes.
#include <cuda_runtime.h>
#include <algorithm>
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <vector>
using std::vector;

#define CUDA_SAFE_CALL(call)                                                              \
    do {                                                                                  \
        cudaError_t err = call;                                                           \
        if (cudaSuccess != err) {                                                         \
            fprintf(stderr, "Cuda error in file '%s' in line %i : %s.\n", __FILE__, __LINE__, cudaGetErrorString(err)); \
            exit(EXIT_FAILURE);                                                           \
        }                                                                                 \
    } while (0)

typedef unsigned int uint;
static const int SORT_BLOCK_SIZE = 128;
static const int SORT_BITS = 4;
static const int DIGITS = 1 << SORT_BITS;

__global__ void countDigits(const uint *keys, uint *counts, int n, uint shift)
{
    __shared__ uint bins[DIGITS];
    if (threadIdx.x < DIGITS) bins[threadIdx.x] = 0;
    __syncthreads();
    int i = blockIdx.x * SORT_BLOCK_SIZE + threadIdx.x;
    if (i < n) atomicAdd(&bins[(keys[i] >> shift) % DIGITS], 1u);
    __syncthreads();
    if (threadIdx.x < DIGITS) counts[threadIdx.x * gridDim.x + blockIdx.x] = bins[threadIdx.x];
}

__global__ void scanCounts(uint *counts, int n)
{
    __shared__ uint sums[256];
    __shared__ uint carry;
    if (threadIdx.x == 0) carry = 0;
    __syncthreads();
    for (int base = 0; base < n; base += blockDim.x)
    {
        int i = base + threadIdx.x;
        uint mine = i < n ? counts[i] : 0;
        sums[threadIdx.x] = mine;
        __syncthreads();
        for (int offset = 1; offset < blockDim.x; offset *= 2)
        {
            uint before = threadIdx.x >= offset ? sums[threadIdx.x - offset] : 0;
            __syncthreads();
            sums[threadIdx.x] += before;
            __syncthreads();
        }
        if (i < n) counts[i] = carry + sums[threadIdx.x] - mine;
        __syncthreads();
        if (threadIdx.x == blockDim.x - 1) carry += sums[threadIdx.x];
        __syncthreads();
    }
}

// Ranks of equal digits by the votes of a warp: stable within it, then over the warps.
__global__ void scatter(const uint *keys, const uint *vals, uint *outKeys, uint *outVals, const uint *offsets, int n, uint shift)
{
    __shared__ uint perWarp[SORT_BLOCK_SIZE / 32][DIGITS];
    int i = blockIdx.x * SORT_BLOCK_SIZE + threadIdx.x, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    for (int d = lane; d < DIGITS; d += 32) perWarp[warp][d] = 0;
    __syncwarp();
    uint key = i < n ? keys[i] : 0, digit = i < n ? (key >> shift) % DIGITS : DIGITS;
    uint same = 0xffffffffu;
    for (int bit = 0; bit <= SORT_BITS; ++bit)
    {
        uint votes = __ballot_sync(0xffffffffu, (digit >> bit) & 1);
        same &= (digit >> bit) & 1 ? votes : ~votes;
    }
    uint rank = __popc(same & ((1u << lane) - 1));
    if (digit < DIGITS && rank == 0) perWarp[warp][digit] = __popc(same);
    __syncthreads();
    if (i < n)
    {
        for (int w = 0; w < warp; ++w) rank += perWarp[w][digit];
        uint to = offsets[digit * gridDim.x + blockIdx.x] + rank;
        outKeys[to] = key;
        outVals[to] = vals[i];
    }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1500, blocks = (n + SORT_BLOCK_SIZE - 1) / SORT_BLOCK_SIZE;
    vector<uint> keys(n), vals(n);
    for (int i = 0; i < n; ++i) { keys[i] = (uint)rand() * 2654435761u % 70000u; vals[i] = i; }
    uint *d[5];
    for (int k = 0; k < 4; ++k) CUDA_SAFE_CALL(cudaMalloc((void **)&d[k], n * sizeof(uint)));
    CUDA_SAFE_CALL(cudaMalloc((void **)&d[4], DIGITS * blocks * sizeof(uint)));
    CUDA_SAFE_CALL(cudaMemcpy(d[0], &keys[0], n * sizeof(uint), cudaMemcpyHostToDevice));
    CUDA_SAFE_CALL(cudaMemcpy(d[1], &vals[0], n * sizeof(uint), cudaMemcpyHostToDevice));
    for (uint shift = 0; shift < 20; shift += SORT_BITS)
    {
        countDigits<<<blocks, SORT_BLOCK_SIZE>>>(d[0], d[4], n, shift);
        scanCounts<<<1, 256>>>(d[4], DIGITS * blocks);
        scatter<<<blocks, SORT_BLOCK_SIZE>>>(d[0], d[1], d[2], d[3], d[4], n, shift);
        std::swap(d[0], d[2]);
        std::swap(d[1], d[3]);
    }
    CUDA_SAFE_CALL(cudaThreadSynchronize());
    vector<uint> gotKeys(n), gotVals(n), order(vals);
    CUDA_SAFE_CALL(cudaMemcpy(&gotKeys[0], d[0], n * sizeof(uint), cudaMemcpyDeviceToHost));
    CUDA_SAFE_CALL(cudaMemcpy(&gotVals[0], d[1], n * sizeof(uint), cudaMemcpyDeviceToHost));
    std::stable_sort(order.begin(), order.end(), [&](uint a, uint b) { return keys[a] < keys[b]; });
    int wrong = 0;
    for (int i = 0; i < n; ++i) wrong += gotVals[i] != order[i] || gotKeys[i] != keys[order[i]];
    for (int k = 0; k < 5; ++k) CUDA_SAFE_CALL(cudaFree(d[k]));
    std::cout << n << " keys, " << wrong << " at a wrong place\n" << (wrong ? "FAILED" : "PASSED") << std::endl;
    return wrong != 0;
}
