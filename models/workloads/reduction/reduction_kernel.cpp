// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <heddle.h>

/// Adds values[0 .. n) to *total. Every thread sums a grid-strided part, every block folds its
/// threads' sums in shared memory, and one thread of the block adds the result with an atomic.
/// blockDim.x is a power of two; the launch gives blockDim.x * sizeof(value) dynamic shared bytes.
template <typename value>
__device__ void reduce(unsigned n, const value* values, value* total) {
    value* partial = heddle::dynamic_shared<value>();
    const unsigned thread = threadIdx.x;

    value sum = 0;
    const unsigned stride = gridDim.x * blockDim.x;
    for (unsigned i = blockIdx.x * blockDim.x + thread; i < n; i += stride) sum += values[i];
    partial[thread] = sum;
    __syncthreads();

    for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
        if (thread < half) partial[thread] += partial[thread + half];
        __syncthreads();  // outside the branch: every thread of the block arrives
    }
    if (thread == 0) atomicAdd(total, partial[0]);
}

/// Sum modulo 2^32: the same result in any order.
__global__ void reduce_unsigned(unsigned n, const unsigned* values, unsigned* total) {
    reduce(n, values, total);
}

/// The order in which blocks add their sums, hence the rounding, may differ from run to run.
__global__ void reduce_float(unsigned n, const float* values, float* total) {
    reduce(n, values, total);
}
