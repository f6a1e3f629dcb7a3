// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <heddle.h>

/// sums[i] = values[i] + ... + values[i + window - 1], one thread a sum.
__global__ void window_sums(unsigned count, unsigned window, const unsigned* values,
                            unsigned* sums) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    unsigned sum = 0;
    for (unsigned j = 0; j < window; ++j) sum += values[i + j];
    sums[i] = sum;
}

/// values[i] = sums[i] / window, likewise.
__global__ void averages(unsigned count, unsigned window, const unsigned* sums, unsigned* values) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) values[i] = sums[i] / window;
}
