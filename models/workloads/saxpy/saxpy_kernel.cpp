// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <heddle.h>

/// y = a x + y, one thread an element. The grid covers n elements; the last block may be partial.
__global__ void saxpy(unsigned n, float a, const float* __restrict__ x, float* __restrict__ y) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
