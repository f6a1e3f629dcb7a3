// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <heddle.h>

#include "models/workloads/microbenchmark_kernel.h"

/// Reads the clock around `rounds` barriers of a block, one by one. ticks[warp] = the sum. Then
/// thread i takes what thread i + 1 has put into shared memory, to results[i].
__global__ void barrier(unsigned rounds, unsigned* ticks, unsigned* results) {
    unsigned* const words = heddle::dynamic_shared<unsigned>();
    const unsigned thread = threadIdx.x;
    unsigned sum = 0;
    // The first round brings the instructions into the cache.
    for (unsigned round = 0; round <= rounds; ++round) {
        const unsigned begin = clock();
        __syncthreads();
        const unsigned end = clock();
        if (round > 0) sum += end - begin;
    }
    if (heddle::lane_id() == 0) ticks[heddle::warp_id()] = sum;
    words[thread] = thread * thread;
    __syncthreads();
    results[thread] = words[thread + 1 == blockDim.x ? 0 : thread + 1];
}
