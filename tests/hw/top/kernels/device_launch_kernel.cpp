// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <heddle.h>

// Kernels of tests/hw/top/device_launch_test.cpp.

/// A tree of launches of one kernel: each block counts its threads at its level, and its first
/// `fan` threads launch a child each. Children see what their parents have stored before.
template <class Launch>
__forceinline__ void spread(unsigned* counts, unsigned* marks, unsigned level, unsigned fan,
                            unsigned mark, Launch launch) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&counts[level], 1u);
    // The parent has left its mark with a plain store.
    if (__ldcg(&marks[mark]) != mark + 1) atomicAdd(&counts[15], 1u);
    if (level == 0 || i >= fan) return;
    const unsigned own = mark * fan + i + 1;
    marks[own] = own + 1;
    if (launch(own) != heddle::no_error) atomicAdd(&counts[14], 1u);
}

__global__ void spread_groups(unsigned* counts, unsigned* marks, unsigned level, unsigned fan,
                              unsigned mark) {
    spread(counts, marks, level, fan, mark, [&](unsigned own) {
        return heddle::launch_group(spread_groups, {dim3(2), dim3(40)}, counts, marks, level - 1,
                                    fan, own);
    });
}

__global__ void spread_kernels(unsigned* counts, unsigned* marks, unsigned level, unsigned fan,
                               unsigned mark) {
    spread(counts, marks, level, fan, mark, [&](unsigned own) {
        return heddle::launch(spread_kernels, {dim3(2), dim3(40)}, heddle::create_stream(), counts,
                              marks, level - 1, fan, own);
    });
}

/// Groups of blocks of another size find no kernel.
__global__ void spread_unmatched(unsigned* counts, unsigned* marks, unsigned level, unsigned fan,
                                 unsigned mark) {
    spread(counts, marks, level, fan, mark, [&](unsigned own) {
        return heddle::launch_group(spread_unmatched, {dim3(1), dim3(80 - blockDim.x)}, counts,
                                    marks, level - 1, fan, own);
    });
}

__global__ void nothing() {}

/// Cycles that each call takes when the first `threads` threads of a warp call.
__global__ void time_calls(unsigned* cycles, unsigned threads) {
    if (threadIdx.x >= threads) return;
    const unsigned start = clock();
    const heddle::stream own = heddle::create_stream();
    const unsigned created = clock();
    void* const parameters = cudaGetParameterBuffer(4, 4);
    const unsigned allocated = clock();
    cudaLaunchDevice(reinterpret_cast<void*>(nothing), parameters, dim3(1), dim3(1), 0, own);
    const unsigned launched = clock();
    if (threadIdx.x != 0) return;
    cycles[0] = created - start;
    cycles[1] = allocated - created;
    cycles[2] = launched - allocated;
}
