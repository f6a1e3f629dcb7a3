// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
/* A sum in one launch: the last block to finish, found by a counter behind a fence, adds the others' results. */
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <math.h>

__device__ unsigned int retirementCount = 0;

cudaError_t setRetirementCount(int retCnt) { return cudaMemcpyToSymbol(retirementCount, &retCnt, sizeof(unsigned int), 0, cudaMemcpyHostToDevice); }

template <unsigned int blockSize> __device__ void reduceBlock(volatile float *sdata, float mySum, const unsigned int tid)
{
    sdata[tid] = mySum;
    __syncthreads();
    for (unsigned int s = blockSize / 2; s > 0; s >>= 1)
    {
        if (tid < s) sdata[tid] = mySum = mySum + sdata[tid + s];
        __syncthreads();
    }
}

template <unsigned int blockSize> __global__ void reduceSinglePass(const float *g_idata, float *g_odata, unsigned int n)
{
    __shared__ float smem[blockSize];
    __shared__ bool amLast;
    float sum = 0;
    for (unsigned int i = blockIdx.x * blockSize + threadIdx.x; i < n; i += blockSize * gridDim.x) sum += g_idata[i];
    reduceBlock<blockSize>(smem, sum, threadIdx.x);
    if (threadIdx.x == 0)
    {
        g_odata[blockIdx.x] = smem[0];
        __threadfence();
        unsigned int ticket = atomicInc(&retirementCount, gridDim.x);
        amLast = (ticket == gridDim.x - 1);
    }
    __syncthreads();
    if (amLast)
    {
        sum = 0;
        for (unsigned int i = threadIdx.x; i < gridDim.x; i += blockSize) sum += *(volatile float *)&g_odata[i];
        __syncthreads();
        reduceBlock<blockSize>(smem, sum, threadIdx.x);
        if (threadIdx.x == 0)
        {
            g_odata[0] = smem[0];
            retirementCount = 0;
        }
    }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 3001, blocks = 7, wrong = 0;
    float *h = (float *)malloc(n * sizeof(float)), *d_i, *d_o;
    double sum = 0;
    for (int i = 0; i < n; i++) sum += h[i] = (i % 17) / 16.0f;
    if (setRetirementCount(0) != cudaSuccess || cudaMalloc((void **)&d_i, n * sizeof(float)) != cudaSuccess || cudaMalloc((void **)&d_o, blocks * sizeof(float)) != cudaSuccess) return 1;
    cudaMemcpy(d_i, h, n * sizeof(float), cudaMemcpyHostToDevice);
    for (int round = 0; round < 3; round++)
    {
        float result = -1;
        if (round == 1) reduceSinglePass<32><<<blocks, 32>>>(d_i, d_o, n);
        else reduceSinglePass<128><<<blocks, 128>>>(d_i, d_o, n);
        cudaMemcpy(&result, d_o, sizeof(float), cudaMemcpyDeviceToHost);
        printf("%f, expected %f\n", result, sum);
        wrong += !(fabs(result - sum) < 1e-3);
    }
    unsigned left = 1;
    cudaMemcpyFromSymbol(&left, retirementCount, sizeof left, 0, cudaMemcpyDeviceToHost);
    wrong += left != 0 || cudaGetLastError() != cudaSuccess;
    cudaFree(d_i); cudaFree(d_o);
    free(h);
    puts(wrong ? "FAILED" : "PASSED");
    return wrong;
}
