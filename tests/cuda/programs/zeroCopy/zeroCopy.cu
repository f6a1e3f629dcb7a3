// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Host memory that kernels reach: allocated mapped, registered, and by way of cudaHostGetDevicePointer.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#define CUDA(x) do { cudaError_t e = (x); if (e != cudaSuccess) { printf("%s: %s\n", #x, cudaGetErrorString(e)); exit(EXIT_FAILURE); } } while (0)

__global__ void vectorAddGPU(float *a, float *b, float *c, int N)
{
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx < N) c[idx] = a[idx] + b[idx];
}

int main(int argc, char **argv)
{
    const int nelem = argc > 1 ? atoi(argv[1]) : 1000;
    size_t bytes = nelem * sizeof(float);
    cudaDeviceProp deviceProp;
    CUDA(cudaGetDeviceProperties(&deviceProp, 0));
    if (!deviceProp.canMapHostMemory)
    {
        // What the device does not have, it must refuse.
        float *a = NULL;
        cudaError_t e = cudaHostAlloc((void **)&a, bytes, cudaHostAllocMapped), f = cudaSuccess;
        float *d = NULL;
        if (e == cudaSuccess) f = cudaHostGetDevicePointer((void **)&d, a, 0);
        bool refused = e != cudaSuccess || f != cudaSuccess;
        printf("no mapped host memory: %s\n%s\n", cudaGetErrorString(e != cudaSuccess ? e : f), refused ? "PASSED" : "FAILED");
        return refused ? 0 : 1;
    }
    CUDA(cudaSetDeviceFlags(cudaDeviceMapHost));
    float *a, *b, *c, *d_a, *d_b, *d_c;
    int wrong = 0;
    CUDA(cudaHostAlloc((void **)&a, bytes, cudaHostAllocMapped));
    CUDA(cudaHostAlloc((void **)&b, bytes, cudaHostAllocMapped | cudaHostAllocWriteCombined));
    CUDA(cudaHostAlloc((void **)&c, bytes, cudaHostAllocMapped));
    CUDA(cudaHostGetDevicePointer((void **)&d_a, (void *)a, 0));
    CUDA(cudaHostGetDevicePointer((void **)&d_b, (void *)b, 0));
    CUDA(cudaHostGetDevicePointer((void **)&d_c, (void *)c, 0));
    for (int round = 0; round < 2; round++)
    {
        for (int n = 0; n < nelem; n++) { a[n] = n * (round + 1); b[n] = 0.5f * n; c[n] = -1; }
        vectorAddGPU<<<(nelem + 127) / 128, 128>>>(d_a, d_b, d_c, nelem);
        CUDA(cudaGetLastError());
        CUDA(cudaDeviceSynchronize());
        for (int n = 0; n < nelem; n++) wrong += c[n] != n * (round + 1) + 0.5f * n;
    }
    CUDA(cudaFreeHost(a));
    CUDA(cudaFreeHost(b));
    CUDA(cudaFreeHost(c));
    printf("%d wrong\n%s\n", wrong, wrong ? "FAILED" : "PASSED");
    return wrong != 0;
}
