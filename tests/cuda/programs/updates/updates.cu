// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Random updates of a table of 64-bit words: atomicXor on unsigned long long, a device counter of uint64_t, ptrdiff_t loops.
#include <stdio.h>
#include <stdint.h>
#include <stdlib.h>
#include <inttypes.h>

typedef uint64_t word;
static const word POLY = 7ULL;
static const int64_t MAXIMUM = 9223372036854775807LL;

static __host__ __device__ word next(word x) { return (x << 1) ^ ((int64_t)x < 0 ? POLY : 0); }

// The n-th number of the sequence, from the powers of its step.
static __host__ __device__ word starts(int64_t n)
{
    word squares[64], step = 1;
    if (n == 0) return 1;
    for (int i = 0; i < 64; i++)
    {
        squares[i] = step;
        step = next(next(step));
    }
    int i = 62;
    while (i >= 0 && !((n >> i) & 1)) i--;
    word x = 2;
    while (i > 0)
    {
        step = 0;
        for (int j = 0; j < 64; j++)
            if ((x >> j) & 1) step ^= squares[j];
        x = step;
        if ((n >> --i) & 1) x = next(x);
    }
    return x;
}

__device__ uint64_t errors[1];

__global__ void fill(size_t n, word *table)
{
    for (ptrdiff_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) table[i] = i;
}

static __global__ void update(size_t n, word *table)
{
    const int threads = gridDim.x * blockDim.x, me = blockIdx.x * blockDim.x + threadIdx.x;
    word x = starts(4 * n / threads * me);
    for (ptrdiff_t i = me; i < 4 * n; i += threads)
    {
        x = next(x);
        atomicXor((unsigned long long int *)&table[x & (n - 1)], (unsigned long long int)x);
    }
}

static __global__ void compare(size_t n, const word *table)
{
    for (ptrdiff_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        if (table[i] != i) atomicAdd((unsigned long long int *)errors, 1);
}

static uint64_t count_errors(size_t n, const word *table, dim3 grid, dim3 threads)
{
    void *address;
    uint64_t count;
    cudaGetSymbolAddress(&address, errors);
    cudaMemset(address, 0, sizeof(uint64_t));
    compare<<<grid, threads>>>(n, table);
    cudaMemcpyFromSymbol(&count, errors, sizeof count, 0, cudaMemcpyDeviceToHost);
    return count;
}

int main(int argc, char **argv)
{
    const int log_n = argc > 1 ? atoi(argv[1]) : 6;
    const size_t n = (size_t)1 << log_n;
    word *table, *host = (word *)malloc(n * sizeof(word)), *expected = (word *)malloc(n * sizeof(word));
    dim3 grid(2), threads(32);
    cudaEvent_t begin, end;
    float milliseconds;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    cudaMalloc(&table, n * sizeof(word));
    fill<<<grid, threads>>>(n, table);
    cudaEventRecord(begin);
    update<<<grid, threads>>>(n, table);
    cudaEventRecord(end);
    cudaEventSynchronize(end);
    cudaEventElapsedTime(&milliseconds, begin, end);
    cudaMemcpy(host, table, n * sizeof(word), cudaMemcpyDeviceToHost);
    for (size_t i = 0; i < n; i++) expected[i] = i;
    for (int t = 0; t < 64; t++)
    {
        word x = starts(4 * n / 64 * t);
        for (size_t i = t; i < 4 * n; i += 64)
        {
            x = next(x);
            expected[x & (n - 1)] ^= x;
        }
    }
    int wrong = 0;
    for (size_t i = 0; i < n; i++) wrong += host[i] != expected[i];
    const uint64_t changed = count_errors(n, table, grid, threads);
    update<<<grid, threads>>>(n, table);
    const uint64_t left = count_errors(n, table, grid, threads);
    printf("%zu words, %" PRIu64 " changed, %lu left, %d wrong, largest %" PRIx64 ", some time: %d\n", n, changed,
           (unsigned long)left, wrong, (uint64_t)MAXIMUM, milliseconds > 0);
    wrong += changed == 0 || left != 0 || milliseconds <= 0;
    puts(wrong ? "FAILED" : "PASSED");
    return wrong != 0;
}
