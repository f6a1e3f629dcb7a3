// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <heddle.h>

/// `steps` rows of the cheapest paths through a grid of costs, from `from` (the costs of the paths
/// that end in the row above wall) to `to`: a path comes from the cell above, above left or above
/// right. The block begins with blockDim.x columns in shared memory and loses one on each side per
/// row, so that blockDim.x - 2 steps are right at the end; blocks overlap by the rest. The launch
/// gives 2 blockDim.x words of dynamic shared memory.
__global__ void pathfinder(unsigned columns, unsigned steps, const unsigned* __restrict__ wall,
                           const unsigned* __restrict__ from, unsigned* __restrict__ to) {
    constexpr unsigned outside = ~0u;  // dearer than any path
    unsigned* costs = heddle::dynamic_shared<unsigned>();
    unsigned* next = costs + blockDim.x;

    const unsigned thread = threadIdx.x, last = blockDim.x - 1;
    // Left of the grid this wraps, far beyond its right end.
    const unsigned column = blockIdx.x * (blockDim.x - 2 * steps) + thread - steps;
    const bool inside = column < columns;

    unsigned cost = inside ? from[column] : outside;
    for (unsigned step = 0; step < steps; ++step) {
        costs[thread] = cost;
        __syncthreads();
        if (inside) {
            const unsigned left = thread > 0 ? costs[thread - 1] : outside;
            const unsigned right = thread < last ? costs[thread + 1] : outside;
            cost = min(cost, min(left, right)) + wall[step * columns + column];
        }
        unsigned* const used = costs;
        costs = next;  // the next step writes what nobody reads any more
        next = used;
    }
    if (inside && thread >= steps && thread <= last - steps) to[column] = cost;
}
