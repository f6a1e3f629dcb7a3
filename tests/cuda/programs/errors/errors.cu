// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// A program that provokes errors, as tests of error-check macros do, and goes on.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define gpuErrchk(ans) { gpuAssert((ans), __FILE__, __LINE__); }
inline void gpuAssert(cudaError_t code, const char *file, int line, bool abort = true)
{
    if (code != cudaSuccess)
    {
        fprintf(stderr, "GPUassert: %s %s %d\n", cudaGetErrorString(code), file, line);
        if (abort) exit(code);
    }
}

__global__ void touch(int *p, int i) { p[i] = threadIdx.x; }
__global__ void quotient(int *p) { p[threadIdx.x] = 100 / (int)(threadIdx.x + 1); }

static int wrong = 0;
static void expect(const char *what, cudaError_t got, cudaError_t expected)
{
    printf("%-28s %s\n", what, cudaGetErrorName(got));
    if (got != expected) { printf("  but %s was expected\n", cudaGetErrorName(expected)); wrong++; }
}

int main()
{
    int *p = NULL, h[32];
    gpuErrchk(cudaMalloc(&p, 32 * sizeof(int)));
    touch<<<0, 32>>>(p, 0);
    expect("no blocks", cudaPeekAtLastError(), cudaErrorInvalidConfiguration);
    expect("the same again", cudaGetLastError(), cudaErrorInvalidConfiguration);
    expect("and then none", cudaGetLastError(), cudaSuccess);
    touch<<<1, 1 << 20>>>(p, 0);
    expect("a million threads", cudaGetLastError(), cudaErrorInvalidConfiguration);
    expect("too much memory", cudaMalloc(&p + 0, (size_t)0xf0000000u), cudaErrorMemoryAllocation);
    cudaGetLastError();
    gpuErrchk(cudaMalloc(&p, 32 * sizeof(int)));
    expect("null, 0 bytes", cudaFree(NULL), cudaSuccess);
    expect("free of a host's address", cudaFree(h), cudaErrorInvalidValue);
    cudaGetLastError();
    expect("free in the middle", cudaFree(p + 1), cudaErrorInvalidValue);
    cudaGetLastError();
    expect("bad direction", cudaMemcpy(p, h, 4, (cudaMemcpyKind)77), cudaErrorInvalidMemcpyDirection);
    cudaGetLastError();
    cudaStream_t stream;
    gpuErrchk(cudaStreamCreate(&stream));
    expect("an idle stream", cudaStreamQuery(stream), cudaSuccess);
    gpuErrchk(cudaStreamDestroy(stream));
    cudaEvent_t event;
    gpuErrchk(cudaEventCreate(&event));
    expect("event never recorded", cudaEventQuery(event), cudaSuccess);
    float ms;
    expect("its time", cudaEventElapsedTime(&ms, event, event), cudaErrorInvalidResourceHandle);
    cudaGetLastError();
    gpuErrchk(cudaEventDestroy(event));
    quotient<<<1, 32>>>(p);
    gpuErrchk(cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 32; i++) wrong += h[i] != 100 / (i + 1);

    // Beyond every allocation: the fault shows where the program waits, and stays.
    touch<<<1, 1>>>(p, 1 << 28);
    expect("launch of a bad store", cudaGetLastError(), cudaSuccess);
    expect("waiting for it", cudaDeviceSynchronize(), cudaErrorIllegalAddress);
    expect("and then", cudaMemcpy(h, p, 4, cudaMemcpyDeviceToHost), cudaErrorIllegalAddress);
    touch<<<1, 1>>>(p, 0);
    expect("a launch then", cudaGetLastError(), cudaErrorIllegalAddress);
    expect("reset", cudaDeviceReset(), cudaSuccess);
    gpuErrchk(cudaMalloc(&p, 32 * sizeof(int)));
    quotient<<<1, 32>>>(p);
    expect("a new device", cudaDeviceSynchronize(), cudaSuccess);
    memset(h, 0, sizeof h);
    gpuErrchk(cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost));
    wrong += h[4] != 20;
    wrong += strcmp(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory") != 0 || strcmp(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue") != 0;
    printf("%d wrong\n%s\n", wrong, wrong ? "FAILED" : "PASSED");
    return wrong != 0;
}
