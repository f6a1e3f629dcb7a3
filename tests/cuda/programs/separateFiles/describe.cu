// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "shapes.cuh"

static __device__ int hidden = 1000;
__device__ float (*chosen)(float);

__device__ float root(float x) { return sqrtf(x); }
__global__ void choose() { chosen = root; }
void chooseRoot() { choose<<<1, 1>>>(); }

__global__ void describe(const Shape *shapes, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = twice(area(shapes[i])) + hidden + chosen((float)(i * i));
}
