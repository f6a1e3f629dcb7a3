// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <heddle.h>

/// sum[i] = a[i] + b[i], one thread an element.
__global__ void vector_add(unsigned n, const float* a, const float* b, float* sum) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) sum[i] = a[i] + b[i];
}
