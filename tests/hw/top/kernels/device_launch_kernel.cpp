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

__global__ void tell_start(unsigned* cycles) {
    const unsigned started = clock();
    cycles[2] = started;
}

/// When one thread begins its calls, when it has made them, and when what it launches starts.
__global__ void time_launch(unsigned* cycles) {
    const unsigned start = clock();
    const heddle::stream own = heddle::create_stream();
    heddle::launch(tell_start, {dim3(1), dim3(1)}, own, cycles);
    const unsigned launched = clock();
    cycles[0] = start;
    cycles[1] = launched;
}

/// Cycles that each call takes when the first `threads` threads of a warp call. The second round
/// counts: in the first one instructions come from memory.
__global__ void time_calls(unsigned* cycles, unsigned threads) {
    if (threadIdx.x >= threads) return;
#pragma clang loop unroll(disable)
    for (unsigned round = 0; round < 2; ++round) {
        const unsigned start = clock();
        const heddle::stream own = heddle::create_stream();
        const unsigned created = clock();
        void* const parameters = cudaGetParameterBuffer(4, 4);
        const unsigned allocated = clock();
        cudaLaunchDevice(reinterpret_cast<void*>(nothing), parameters, dim3(1), dim3(1), 0, own);
        const unsigned launched = clock();
        if (threadIdx.x != 0) continue;
        cycles[0] = created - start;
        cycles[1] = allocated - created;
        cycles[2] = launched - allocated;
    }
}

/// Cycles of the launch of a group that finds its kernel in the first entry of the Kernel
/// Distributor, and of one that finds none. The second round counts: in the first one instructions
/// come from memory.
__global__ void time_groups(unsigned* cycles) {
    if (cycles == nullptr) return;
#pragma clang loop unroll(disable)
    for (unsigned n = 0; n < 4; ++n) {
        const unsigned block = n % 2 == 0 ? 1 : 2 + n;
        void* const parameters = cudaGetParameterBuffer(4, 4);
        *static_cast<unsigned**>(parameters) = nullptr;
        __threadfence();
        const unsigned start = clock();
        cudaLaunchAggGroup(reinterpret_cast<void*>(time_groups), parameters, dim3(1), dim3(block),
                           0);
        cycles[n % 2] = clock() - start;
    }
}

/// Each block counts the words that it does not find as launch_for_all has left them.
__global__ void look_at_all(const unsigned* words, unsigned* counts) {
    if (words[threadIdx.x] != threadIdx.x + 1) atomicAdd(&counts[1], 1u);
    atomicAdd(&counts[0], 1u);
}

/// All warps store, and one launches. The block runs until its launch has ended.
__global__ void launch_for_all(unsigned* words, unsigned* counts, unsigned blocks) {
    words[threadIdx.x] = threadIdx.x + 1;
    __syncthreads();
    if (threadIdx.x == 0) {
        heddle::launch(look_at_all, {dim3(blocks), dim3(blockDim.x)}, 0U, words, counts);
    }
    while (atomicAdd(&counts[0], 0u) != blocks * blockDim.x) {
    }
}

/// Cycles that each warp's stream takes. They begin one after another.
__global__ void time_streams(unsigned* cycles) {
    const unsigned warp = threadIdx.x / warpSize;
    const unsigned begin = clock();
    while (clock() - begin < 500 * warp) {
    }
    const unsigned start = clock();
    (void)heddle::create_stream();
    cycles[warp] = clock() - start;
}

/// One thread of each warp launches a group, and no block of a group ends before all have joined.
__global__ void launch_from_each_warp(unsigned* count, bool launches) {
    if (launches && threadIdx.x % warpSize == 0) {
        heddle::launch_group(launch_from_each_warp, {dim3(1), dim3(blockDim.x)}, count, false);
        atomicAdd(count, 1u);
    }
    while (atomicAdd(count, 0u) != blockDim.x / warpSize) {
    }
}
