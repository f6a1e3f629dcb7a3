// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "scale.h"

__global__ void scale(int* numbers, int n, int factor)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) numbers[i] *= factor;
}

void launchScale(int* numbers, int n, int factor, cudaStream_t stream)
{
    scale<<<(n + 127) / 128, 128, 0, stream>>>(numbers, n, factor);
}
