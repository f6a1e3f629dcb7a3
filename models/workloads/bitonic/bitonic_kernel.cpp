// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <heddle.h>

// Bitonic sort (Batcher 1968) of arrays in global memory. Their length is a power of two.

namespace {

/// Element `i` of an array and its partner exchange their values, if they are not in order. The one
/// in front does it.
__forceinline__ void compare(unsigned* values, unsigned i, unsigned run, unsigned distance) {
    const unsigned partner = i ^ distance;
    if (partner <= i) return;
    const unsigned mine = values[i], other = values[partner];
    const bool ascending = (i & run) == 0;
    if (ascending ? mine > other : mine < other) {
        values[i] = other;
        values[partner] = mine;
    }
}

}  // namespace

/// Each block sorts an array of `size` values in place. A thread has the elements threadIdx.x,
/// threadIdx.x + blockDim.x, ... The block waits after each step.
__global__ void bitonic(unsigned size, unsigned* arrays) {
    unsigned* const values = arrays + blockIdx.x * size;
    for (unsigned run = 2; run <= size; run *= 2) {
        for (unsigned distance = run / 2; distance > 0; distance /= 2) {
            for (unsigned i = threadIdx.x; i < size; i += blockDim.x) {
                compare(values, i, run, distance);
            }
            __syncthreads();
        }
    }
}

/// One step of all arrays, a thread an element; `count` is the number of all elements.
__global__ void bitonic_step(unsigned count, unsigned size, unsigned run, unsigned distance,
                             unsigned* arrays) {
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    if (thread >= count) return;
    const unsigned i = thread % size;
    compare(arrays + thread - i, i, run, distance);
}
