// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/workloads/pocket_kernel.h"

// One level of a breadth-first search, as bfs_kernel.cpp's bfs_queue, but vertices with many edges
// are pockets of parallelism.
constexpr unsigned unreached = 0xffffffff;

/// Reaches `target`. The thread that reaches a vertex first appends it to the next frontier.
__forceinline__ void visit(unsigned target, unsigned level, unsigned* distance,
                           unsigned* next_frontier, unsigned* next_size) {
    // The plain load may be stale, which only costs a compare-and-swap that fails.
    if (distance[target] == unreached &&
        atomicCAS(&distance[target], unreached, level + 1) == unreached)
        next_frontier[atomicAdd(next_size, 1u)] = target;
}

/// A thread an edge, of `count` edges from `first` on that leave one vertex.
__global__ void bfs_edges(unsigned first, unsigned count, unsigned level, const unsigned* targets,
                          unsigned* distance, unsigned* next_frontier, unsigned* next_size) {
    const unsigned i = heddle::pockets::thread_number();
    if (i < count) visit(targets[first + i], level, distance, next_frontier, next_size);
}

constexpr unsigned nobody = 0xffffffff;
constexpr unsigned most_warps = 1024 / 8;

/// Edges that a block or a warp visits together: `owner` is the thread or lane they come from.
struct shared_edges {
    unsigned owner, first, end;
};

/// The block visits the edges of those of its threads that have at least as many as the block has
/// threads, one such thread after the other (Merrill, Garland, Grimshaw, "Scalable GPU Graph
/// Traversal", PPoPP 2012). `first` is `end` for these threads afterwards.
template <typename Visit>
__forceinline__ void visit_by_block(unsigned& first, unsigned end, Visit visit_edge) {
    __shared__ shared_edges of_block;
    for (;;) {
        if (threadIdx.x == 0) of_block.owner = nobody;
        __syncthreads();
        if (end - first >= blockDim.x) atomicMin(&of_block.owner, threadIdx.x);
        __syncthreads();
        if (of_block.owner == nobody) return;
        if (of_block.owner == threadIdx.x) {
            of_block.first = first;
            of_block.end = end;
            first = end;
        }
        __syncthreads();
        for (unsigned edge = of_block.first + threadIdx.x; edge < of_block.end; edge += blockDim.x)
            visit_edge(edge);
        __syncthreads();
    }
}

/// The same for a warp and the edges of its lanes.
template <typename Visit>
__forceinline__ void visit_by_warp(unsigned& first, unsigned end, Visit visit_edge) {
    __shared__ shared_edges of_warp[most_warps];
    const unsigned width = static_cast<unsigned>(static_cast<int>(warpSize));
    const unsigned lane = heddle::lane_id();
    shared_edges& own = of_warp[heddle::warp_id()];
    while (__any_sync(0xffffffffu, end - first >= width)) {
        own.owner = nobody;
        __syncwarp();
        if (end - first >= width) atomicMin(&own.owner, lane);
        __syncwarp();
        if (own.owner == lane) {
            own.first = first;
            own.end = end;
            first = end;
        }
        __syncwarp();
        for (unsigned edge = own.first + lane; edge < own.end; edge += width) visit_edge(edge);
        __syncwarp();
    }
}

/// One thread a vertex of the frontier. Vertices with many edges are pockets: the block or the warp
/// visits them together, or a child does.
template <class Mode>
__forceinline__ void bfs_pockets(unsigned frontier_size, unsigned level, const unsigned* frontier,
                                 const unsigned* offsets, const unsigned* targets,
                                 unsigned* distance, unsigned* next_frontier, unsigned* next_size,
                                 heddle::pockets::limits pockets) {
    const auto visit_edge = [&](unsigned edge) {
        visit(targets[edge], level, distance, next_frontier, next_size);
    };
    // All threads of a block take the same number of steps, as they meet at its barriers.
    for (unsigned base = blockIdx.x * blockDim.x; base < frontier_size;
         base += gridDim.x * blockDim.x) {
        const unsigned i = base + threadIdx.x;
        unsigned first = 0;
        unsigned end = 0;
        if (i < frontier_size) {
            const unsigned v = frontier[i];
            first = offsets[v];
            end = offsets[v + 1];
        }
        if constexpr (Mode::launches) {
            first +=
                heddle::pockets::hand_on<Mode>(pockets, end - first, bfs_edges, first, end - first,
                                               level, targets, distance, next_frontier, next_size);
        } else {
            visit_by_block(first, end, visit_edge);
            visit_by_warp(first, end, visit_edge);
        }
        for (; first < end; ++first) visit_edge(first);
    }
}
HEDDLE_ENTRIES(bfs_pockets,
               (unsigned frontier_size, unsigned level, const unsigned* frontier,
                const unsigned* offsets, const unsigned* targets, unsigned* distance,
                unsigned* next_frontier, unsigned* next_size, heddle::pockets::limits pockets),
               (frontier_size, level, frontier, offsets, targets, distance, next_frontier,
                next_size, pockets))
