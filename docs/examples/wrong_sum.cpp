// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Sums of 256 elements each, with mistakes to be found: docs/finding_a_wrong_kernel.md.
#include <heddle.h>

constexpr unsigned width = 256;

/// The grid may have more threads than there are elements.
__global__ void sum_past_end(unsigned /*n*/, const unsigned* values, unsigned* sums) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned value = values[i];
    atomicAdd(&sums[blockIdx.x], value);
}

/// A tree in shared memory; the barrier of its rounds is missing.
__global__ void sum_without_barrier(unsigned n, const unsigned* values, unsigned* sums) {
    __shared__ volatile unsigned partial[width];
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    partial[threadIdx.x] = i < n ? values[i] : 0;
    __syncthreads();
    for (unsigned half = width / 2; half != 0; half /= 2) {
        if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = partial[0];
}

/// Each thread collects its values first; the last of them is forgotten.
__global__ void sum_of_stack(unsigned n, const unsigned* values, unsigned* sums) {
    volatile unsigned mine[4];
    const unsigned first = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    for (unsigned k = 0; k < 3; ++k) {
        if (first + k < n) mine[k] = values[first + k];
    }
    unsigned sum = 0;
    for (unsigned k = 0; k < 4; ++k) {
        if (first + k < n) sum += mine[k];
    }
    atomicAdd(&sums[blockIdx.x], sum);
}

/// Neighbours are added in pairs; the second of a pair is taken from the wrong place.
__global__ void sum_of_pairs(unsigned n, const unsigned* values, unsigned* sums) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (2 * i + 1 < n) sums[i] = values[2 * i] + values[i + 1];
}
