// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/workloads/display_kernel.h"
#include "models/workloads/work_queues_kernel.h"

// Partition of points in an octree with work stealing. A task is a cell with more than `threshold`
// points: its block sorts them by octant into the other array and makes tasks of the octants.

/// A point has three coordinates of `levels` bits in one word.
constexpr unsigned levels = 10;

struct cell {
    unsigned first;  ///< its points in the array of its depth
    unsigned count;
    unsigned depth;
};
using cell_queues = heddle::stealing::work_queues<cell>;

/// Where the points are, and where leaves go.
struct octree_points {
    unsigned* array[2];   ///< points of cells of even and of odd depth
    unsigned* sorted;     ///< points of leaves
    unsigned* leaf_size;  ///< by the leaf's first point
    unsigned* leaf_depth;
    unsigned threshold;  ///< most points of a leaf, unless it can't be divided
};

/// The octant of a point in a cell at `depth`.
__forceinline__ unsigned octant_of(unsigned point, unsigned depth) {
    const unsigned bit = levels - 1 - depth;
    return ((point >> bit) & 1) | ((point >> (levels + bit)) & 1) << 1 |
           ((point >> (2 * levels + bit)) & 1) << 2;
}

/// What a block keeps of the cell that it divides.
struct division {
    unsigned count[8];
    unsigned next[8];  ///< where the octant's next point goes
    unsigned is_leaf[8];
};

/// One thread: places the octants and writes down those that are leaves. The others are tasks.
__forceinline__ unsigned place_octants(const cell& whole, division& parts,
                                       const octree_points& points, cell (&tasks)[8]) {
    unsigned first = whole.first;
    unsigned made = 0;
    for (unsigned octant = 0; octant < 8; ++octant) {
        const unsigned count = parts.count[octant];
        const bool leaf = count <= points.threshold || whole.depth + 1 == levels;
        parts.next[octant] = first;
        parts.is_leaf[octant] = leaf;
        if (leaf && count != 0) {
            points.leaf_size[first] = count;
            points.leaf_depth[first] = whole.depth + 1;
        }
        if (!leaf) tasks[made++] = {first, count, whole.depth + 1};
        first += count;
    }
    return made;
}

__forceinline__ void divide(const cell& whole, const cell_queues& queues,
                            const octree_points& points) {
    __shared__ division parts;
    __shared__ cell tasks[8];
    __shared__ unsigned made;
    const unsigned* const from = points.array[whole.depth % 2] + whole.first;
    unsigned* const to = points.array[1 - whole.depth % 2];

    if (threadIdx.x < 8) parts.count[threadIdx.x] = 0;
    __syncthreads();
    for (unsigned i = threadIdx.x; i < whole.count; i += blockDim.x)
        atomicAdd(&parts.count[octant_of(__ldcg(&from[i]), whole.depth)], 1u);
    __syncthreads();
    if (threadIdx.x == 0) made = place_octants(whole, parts, points, tasks);
    __syncthreads();
    for (unsigned i = threadIdx.x; i < whole.count; i += blockDim.x) {
        const unsigned point = __ldcg(&from[i]);
        const unsigned octant = octant_of(point, whole.depth);
        unsigned* const target = parts.is_leaf[octant] != 0 ? points.sorted : to;
        target[atomicAdd(&parts.next[octant], 1u)] = point;
    }
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        if (made != 0) queues.push(blockIdx.x, tasks, made);
        atomicSub(queues.unfinished, 1u);
    }
}

/// A block's loop; new blocks start it. They need no state.
template <class Way>
void octree(unsigned, unsigned* words, cell_queues queues, octree_points points) {
    __shared__ cell task;
    __shared__ unsigned nearest;
    __shared__ unsigned unfinished;
    do {
        if (!Way::template between_tasks<octree<Way>>(0u, words)) return;
        if (heddle::stealing::find_task(queues, task, nearest)) divide(task, queues, points);
        if (threadIdx.x == 0) unfinished = __ldcg(queues.unfinished);
        __syncthreads();
    } while (unfinished != 0);
}
HEDDLE_COOPERATIVE_ENTRIES(octree, 0u,
                           (unsigned* arrivals, cell_queues queues, octree_points points), arrivals,
                           queues, points)
