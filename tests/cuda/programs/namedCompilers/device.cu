// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "device.h"

__global__ void kernel(samples *s)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < s->count)
    {
        s->values[i] = __fadd_rn(__fmul_rn(s->values[i], (float)s->scale), i / 2.0f);
        atomicAdd((unsigned long long *)&s->total, 1ULL);
    }
}

extern "C" void smooth(samples *s)
{
    samples *d;
    cudaMalloc((void **)&d, sizeof(samples));
    cudaMemcpy(d, s, sizeof(samples), cudaMemcpyHostToDevice);
    kernel<<<(N + 31) / 32, 32>>>(d);
    cudaMemcpy(s, d, sizeof(samples), cudaMemcpyDeviceToHost);
    cudaFree(d);
}
