// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
/* Bitonic sort of pairs: small arrays in shared memory, larger ones by merges in global memory. */
#include <assert.h>
#include <stdio.h>
#include <helper_cuda.h>
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

typedef unsigned int uint;
#define SHARED_SIZE_LIMIT 512U

__device__ inline void Comparator(uint &keyA, uint &valA, uint &keyB, uint &valB, uint dir)
{
    if ((keyA > keyB) == dir)
    {
        uint t = keyA; keyA = keyB; keyB = t;
        t = valA; valA = valB; valB = t;
    }
}

__global__ void sortShared(uint *keys, uint *vals, uint dir)
{
    cg::thread_block cta = cg::this_thread_block();
    __shared__ uint s_key[SHARED_SIZE_LIMIT], s_val[SHARED_SIZE_LIMIT];
    uint base = blockIdx.x * SHARED_SIZE_LIMIT + threadIdx.x, half = SHARED_SIZE_LIMIT / 2;
    for (uint part = 0; part < SHARED_SIZE_LIMIT; part += half)
    {
        s_key[threadIdx.x + part] = keys[base + part];
        s_val[threadIdx.x + part] = vals[base + part];
    }
    uint whole = blockIdx.x * half + threadIdx.x;
    for (uint size = 2; size <= SHARED_SIZE_LIMIT; size <<= 1)
    {
        uint ddd = size == SHARED_SIZE_LIMIT ? dir ^ (blockIdx.x & 1) : ((whole & (size / 2)) != 0) ^ dir;
        for (uint stride = size / 2; stride > 0; stride >>= 1)
        {
            cg::sync(cta);
            uint pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
            Comparator(s_key[pos], s_val[pos], s_key[pos + stride], s_val[pos + stride], ddd);
        }
    }
    cg::sync(cta);
    for (uint part = 0; part < SHARED_SIZE_LIMIT; part += half)
    {
        keys[base + part] = s_key[threadIdx.x + part];
        vals[base + part] = s_val[threadIdx.x + part];
    }
}

__global__ void mergeGlobal(uint *keys, uint *vals, uint length, uint size, uint stride, uint dir)
{
    uint i = blockIdx.x * blockDim.x + threadIdx.x;
    uint inside = i & (length / 2 - 1);
    uint ddd = dir ^ ((inside & (size / 2)) != 0);
    uint pos = 2 * i - (i & (stride - 1));
    uint keyA = keys[pos], valA = vals[pos], keyB = keys[pos + stride], valB = vals[pos + stride];
    Comparator(keyA, valA, keyB, valB, ddd);
    keys[pos] = keyA; vals[pos] = valA; keys[pos + stride] = keyB; vals[pos + stride] = valB;
}

int main(int argc, char **argv)
{
    const uint N = argc > 1 ? 1u << atoi(argv[1]) : 2048, numValues = 500;
    uint *h_Key = (uint *)malloc(N * sizeof(uint)), *h_Val = (uint *)malloc(N * sizeof(uint));
    uint *o_Key = (uint *)malloc(N * sizeof(uint)), *o_Val = (uint *)malloc(N * sizeof(uint));
    srand(2001);
    for (uint i = 0; i < N; i++) { h_Key[i] = rand() % numValues; h_Val[i] = i; }
    uint *d_Key, *d_Val;
    checkCudaErrors(cudaMalloc((void **)&d_Key, N * sizeof(uint)));
    checkCudaErrors(cudaMalloc((void **)&d_Val, N * sizeof(uint)));

    int ok = 1;
    for (uint dir = 0; dir < 2; dir++)
    {
        checkCudaErrors(cudaMemcpy(d_Key, h_Key, N * sizeof(uint), cudaMemcpyHostToDevice));
        checkCudaErrors(cudaMemcpy(d_Val, h_Val, N * sizeof(uint), cudaMemcpyHostToDevice));
        sortShared<<<N / SHARED_SIZE_LIMIT, SHARED_SIZE_LIMIT / 2>>>(d_Key, d_Val, dir);
        for (uint size = 2 * SHARED_SIZE_LIMIT; size <= N; size <<= 1)
            for (uint stride = size / 2; stride > 0; stride >>= 1)
                mergeGlobal<<<N / SHARED_SIZE_LIMIT, SHARED_SIZE_LIMIT / 2>>>(d_Key, d_Val, N, size, stride, dir);
        checkCudaErrors(cudaDeviceSynchronize());
        checkCudaErrors(cudaMemcpy(o_Key, d_Key, N * sizeof(uint), cudaMemcpyDeviceToHost));
        checkCudaErrors(cudaMemcpy(o_Val, d_Val, N * sizeof(uint), cudaMemcpyDeviceToHost));
        char *seen = (char *)calloc(N, 1);
        for (uint i = 0; i < N; i++)
        {
            if (i && (dir ? o_Key[i - 1] > o_Key[i] : o_Key[i - 1] < o_Key[i])) ok = 0;
            if (o_Val[i] >= N || seen[o_Val[i]] || h_Key[o_Val[i]] != o_Key[i]) ok = 0;
            else seen[o_Val[i]] = 1;
        }
        free(seen);
        printf("direction %u: %s\n", dir, ok ? "in order" : "not in order");
    }
    checkCudaErrors(cudaFree(d_Key)); checkCudaErrors(cudaFree(d_Val));
    free(h_Key); free(h_Val); free(o_Key); free(o_Val);
    printf("%s\n", ok ? "PASSED" : "FAILED");
    return ok ? 0 : 1;
}
