// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
/* Times of blocks by clock() and clock64(), and of a launch by events: all of the simulated machine, so that they agree. */
#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <cuda_runtime.h>

#define NUM_BLOCKS 6
#define NUM_THREADS 64

__global__ static void timedReduction(const float *input, float *output, clock_t *timer, long long *wide)
{
    extern __shared__ float shared[];
    const int tid = threadIdx.x, bid = blockIdx.x;
    if (tid == 0) { timer[bid] = clock(); wide[bid] = clock64(); }
    shared[tid] = input[tid];
    shared[tid + blockDim.x] = input[tid + blockDim.x];
    for (int d = blockDim.x; d > 0; d /= 2)
    {
        __syncthreads();
        if (tid < d)
        {
            float f0 = shared[tid], f1 = shared[tid + d];
            if (f1 < f0) shared[tid] = f1;
        }
    }
    if (tid == 0) output[bid] = shared[0];
    __syncthreads();
    if (tid == 0) { timer[bid + gridDim.x] = clock(); wide[bid + gridDim.x] = clock64(); }
}

int main(int argc, char **argv)
{
    float *dinput = NULL, *doutput = NULL, input[NUM_THREADS * 2], output[NUM_BLOCKS], ms = 0;
    clock_t *dtimer = NULL, timer[NUM_BLOCKS * 2];
    long long *dwide, wide[NUM_BLOCKS * 2];
    int wrong = 0;
    for (int i = 0; i < NUM_THREADS * 2; i++) input[i] = (float)((i * 37 + 11) % 128) + 3;
    cudaMalloc((void **)&dinput, sizeof input);
    cudaMalloc((void **)&doutput, sizeof output);
    cudaMalloc((void **)&dtimer, sizeof timer);
    cudaMalloc((void **)&dwide, sizeof wide);
    cudaMemcpy(dinput, input, sizeof input, cudaMemcpyHostToDevice);
    cudaEvent_t start, stop;
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    cudaEventRecord(start);
    timedReduction<<<NUM_BLOCKS, NUM_THREADS, sizeof(float) * 2 * NUM_THREADS>>>(dinput, doutput, dtimer, dwide);
    cudaEventRecord(stop);
    cudaEventSynchronize(stop);
    cudaEventElapsedTime(&ms, start, stop);
    cudaMemcpy(timer, dtimer, sizeof timer, cudaMemcpyDeviceToHost);
    cudaMemcpy(wide, dwide, sizeof wide, cudaMemcpyDeviceToHost);
    cudaMemcpy(output, doutput, sizeof output, cudaMemcpyDeviceToHost);
    cudaDeviceProp prop;
    cudaGetDeviceProperties(&prop, 0);
    long long first = wide[0], last = 0;
    for (int b = 0; b < NUM_BLOCKS; b++)
    {
        wrong += output[b] != 3;
        wrong += (uint32_t)(timer[b + NUM_BLOCKS] - timer[b]) == 0 || wide[b + NUM_BLOCKS] <= wide[b];
        if (wide[b] < first) first = wide[b];
        if (wide[b + NUM_BLOCKS] > last) last = wide[b + NUM_BLOCKS];
    }
    double cycles = ms * prop.clockRate;
    printf("%lld cycles from the first block to the last, %.0f by events\n", last - first, cycles);
    // The functional simulator counts other cycles than a machine's.
    wrong += !(ms > 0) || (argc < 2 && cycles < (last - first) * 0.9);
    cudaFree(dinput); cudaFree(doutput); cudaFree(dtimer); cudaFree(dwide);
    cudaEventDestroy(start); cudaEventDestroy(stop);
    wrong += cudaGetLastError() != cudaSuccess;
    puts(wrong ? "FAILED" : "PASSED");
    return wrong != 0;
}
