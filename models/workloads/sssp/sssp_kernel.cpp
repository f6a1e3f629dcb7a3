// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/workloads/pocket_kernel.h"

// Shortest paths by repeated relaxation (Harish, Narayanan, "Accelerating Large Graph Algorithms on
// the GPU Using CUDA", HiPC 2007). cost[v] is what a round starts from, lower[v] what it finds.

__forceinline__ void relax(unsigned edge, unsigned cost, const unsigned* targets,
                           const unsigned* weights, unsigned* lower) {
    const unsigned target = targets[edge];
    const unsigned found = cost + weights[edge];
    // The plain load may be stale: too high, which only costs an atomic without effect.
    if (found < lower[target]) atomicMin(&lower[target], found);
}

/// A thread an edge, of `count` edges from `first` on that leave one vertex.
__global__ void sssp_edges(unsigned first, unsigned count, unsigned cost, const unsigned* targets,
                           const unsigned* weights, unsigned* lower) {
    const unsigned i = heddle::pockets::thread_number();
    if (i < count) relax(first + i, cost, targets, weights, lower);
}

/// A thread a vertex: those that are active relax their edges.
template <class Mode>
__forceinline__ void sssp_relax(unsigned vertices, const unsigned* offsets, const unsigned* targets,
                                const unsigned* weights, unsigned* active, const unsigned* cost,
                                unsigned* lower, heddle::pockets::limits pockets) {
    for (unsigned v = heddle::pockets::thread_number(); v < vertices;
         v += heddle::pockets::threads_of_grid()) {
        if (active[v] == 0) continue;
        active[v] = 0;
        const unsigned own = cost[v];
        const unsigned first = offsets[v];
        const unsigned end = offsets[v + 1];
        const unsigned handed = heddle::pockets::hand_on<Mode>(
            pockets, end - first, sssp_edges, first, end - first, own, targets, weights, lower);
        for (unsigned edge = first + handed; edge < end; ++edge)
            relax(edge, own, targets, weights, lower);
    }
}
HEDDLE_ENTRIES(sssp_relax,
               (unsigned vertices, const unsigned* offsets, const unsigned* targets,
                const unsigned* weights, unsigned* active, const unsigned* cost, unsigned* lower,
                heddle::pockets::limits pockets),
               (vertices, offsets, targets, weights, active, cost, lower, pockets))

/// Vertices whose cost the round has lowered are active in the next one; sets *changed if there are
/// any.
__global__ void sssp_update(unsigned vertices, const unsigned* lower, unsigned* cost,
                            unsigned* active, unsigned* changed) {
    const unsigned v = heddle::pockets::thread_number();
    if (v >= vertices || lower[v] >= cost[v]) return;
    cost[v] = lower[v];
    active[v] = 1;
    *changed = 1;
}
