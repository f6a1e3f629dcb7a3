// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <heddle.h>

/// Bitonic sort (Batcher 1968) in global memory. Each block sorts an array of `size` values, a
/// power of two, in place. A thread compares the elements threadIdx.x, threadIdx.x + blockDim.x,
/// ... with their partners, if these lie behind them. The block waits after each step.
__global__ void bitonic(unsigned size, unsigned* arrays) {
    unsigned* const values = arrays + blockIdx.x * size;
    for (unsigned run = 2; run <= size; run *= 2) {
        for (unsigned distance = run / 2; distance > 0; distance /= 2) {
            for (unsigned i = threadIdx.x; i < size; i += blockDim.x) {
                const unsigned partner = i ^ distance;
                if (partner <= i) continue;
                const unsigned mine = values[i], other = values[partner];
                const bool ascending = (i & run) == 0;
                if (ascending ? mine > other : mine < other) {
                    values[i] = other;
                    values[partner] = mine;
                }
            }
            __syncthreads();
        }
    }
}
