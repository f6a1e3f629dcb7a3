// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <heddle.h>

// Data that only the holder of a lock may touch, with threads of the same warp contending. The
// data is read with __ldcg: another SMX may have written it, and the L1 caches are not coherent.

/// Every thread adds 1 to `rounds` of the counters, without atomics.
__global__ void locked_counters(unsigned n, unsigned rounds, unsigned counters, unsigned* locks,
                                unsigned* counts) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    for (unsigned round = 0; round < rounds; ++round) {
        const unsigned c = (i / 4 + 7 * round) % counters;  // four neighbours contend
        heddle::warp_lock(&locks[c], [&] { counts[c] = __ldcg(&counts[c]) + 1; });
    }
}

/// Thread i inserts item i into the list of its key, keys[i] % lists, ordered by item number: the
/// final lists don't depend on the order in which the threads took the locks.
/// heads[list] and next[item] are item numbers; `n` ends a list.
__global__ void locked_lists(unsigned n, unsigned lists, const unsigned* __restrict__ keys,
                             unsigned* locks, unsigned* heads, unsigned* next) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const unsigned list = keys[i] % lists;
    heddle::warp_lock(&locks[list], [&] {
        unsigned* link = &heads[list];
        unsigned item = __ldcg(link);
        while (item < i) {
            link = &next[item];
            item = __ldcg(link);
        }
        next[i] = item;
        *link = i;
    });
}
