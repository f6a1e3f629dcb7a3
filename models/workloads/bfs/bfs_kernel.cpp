// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <heddle.h>

// One level of a breadth-first search. The graph is in compressed sparse rows: the targets of
// vertex v's edges are targets[offsets[v] .. offsets[v + 1]). Vertices that were not reached yet
// have distance `unreached`.
constexpr unsigned unreached = 0xffffffff;

/// One thread a vertex; the frontier is the vertices whose distance is `level`. Sets *changed if
/// it reached a vertex. Several threads may reach the same vertex: all write the same values.
__global__ void bfs_flags(unsigned vertices, unsigned level, const unsigned* __restrict__ offsets,
                          const unsigned* __restrict__ targets, unsigned* distance,
                          unsigned* changed) {
    const unsigned v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= vertices || distance[v] != level) return;

    const unsigned end = offsets[v + 1];
    for (unsigned edge = offsets[v]; edge < end; ++edge) {
        const unsigned target = targets[edge];
        if (distance[target] == unreached) {
            distance[target] = level + 1;
            *changed = 1;
        }
    }
}

/// One thread a vertex of the frontier; the thread that reaches a vertex first appends it to the
/// next frontier. *next_size is its size.
__global__ void bfs_queue(unsigned frontier_size, unsigned level,
                          const unsigned* __restrict__ frontier,
                          const unsigned* __restrict__ offsets,
                          const unsigned* __restrict__ targets, unsigned* distance,
                          unsigned* next_frontier, unsigned* next_size) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= frontier_size) return;

    const unsigned v = frontier[i];
    const unsigned end = offsets[v + 1];
    for (unsigned edge = offsets[v]; edge < end; ++edge) {
        const unsigned target = targets[edge];
        // The plain load may be stale, which only costs a compare-and-swap that fails.
        if (distance[target] == unreached &&
            atomicCAS(&distance[target], unreached, level + 1) == unreached)
            next_frontier[atomicAdd(next_size, 1u)] = target;
    }
}
