// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/workloads/display_kernel.h"
#include "models/workloads/octree/octree_division_kernel.h"
#include "models/workloads/work_queues_kernel.h"

// Partition of points in an octree with work stealing. A task is a cell with more than `threshold`
// points: its block sorts them by octant into the other array and makes tasks of the octants.

using cell_queues = heddle::stealing::work_queues<cell>;

__forceinline__ void divide(const cell& whole, const cell_queues& queues,
                            const octree_points& points) {
    __shared__ division parts;
    __shared__ cell tasks[8];
    __shared__ unsigned made;
    divide_in_block(whole, points, parts, tasks, made);
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
