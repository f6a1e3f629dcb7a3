// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/workloads/child_launch_kernel.h"

/// The launch that holds its places until `until` others have been made.
inline constexpr unsigned holding = 0xffffffff;

/// Each block adds its number to the sum of its launch.
__global__ void children_block(unsigned number, unsigned* sums, unsigned* made, unsigned until) {
    if (threadIdx.x != 0) return;
    if (number != holding) {
        atomicAdd(&sums[number], blockIdx.x + 1);
    } else {
        while (atomicAdd(made, 0U) < until) {
        }
    }
}

/// Each thread makes `each` of the launches, of `shape`. A launch that is refused is done here.
/// With `waits` the block then waits for its children, and each thread adds up what its own left.
template <class Mode>
__forceinline__ void children_parent(unsigned launches, unsigned each, unsigned blocks,
                                     unsigned shared_bytes, unsigned waits, unsigned* sums,
                                     unsigned* made, unsigned* totals) {
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned first = thread * each;
    const unsigned end = first + each < launches ? first + each : launches;
    const heddle::launch_shape shape{dim3(blocks), dim3(32), shared_bytes};
    for (unsigned i = first; i < end; ++i) {
        if (Mode::launch(children_block, shape, i, sums, made, 0U) != heddle::no_error) {
            atomicAdd(&sums[i], blocks * (blocks + 1) / 2);
        }
        atomicAdd(made, 1U);
    }
    if (!waits) return;
    if (Mode::launches) heddle::device_synchronize();
    unsigned total = 0;
    for (unsigned i = first; i < end; ++i) total += __ldcg(&sums[i]);
    totals[thread] = total;
}
HEDDLE_ENTRIES(children_parent,
               (unsigned launches, unsigned each, unsigned blocks, unsigned shared_bytes,
                unsigned waits, unsigned* sums, unsigned* made, unsigned* totals),
               (launches, each, blocks, shared_bytes, waits, sums, made, totals))
