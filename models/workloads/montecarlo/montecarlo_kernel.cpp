// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <heddle.h>

/// One block an option of European calls: the sum of the payoffs max(end - strike, 0) over all
/// paths, and of their squares. A path ends at spot exp(drift + deviation z), where z is its
/// standard normal number, the same for all options. `options` has {spot, strike, drift, deviation}
/// of each, `sums` {payoff, its square}. blockDim.x is a power of two; the launch gives
/// 2 blockDim.x words of dynamic shared memory.
__global__ void montecarlo(unsigned paths, const float* __restrict__ options,
                           const float* __restrict__ normal, float* __restrict__ sums) {
    const unsigned thread = threadIdx.x, threads = blockDim.x;
    float* const payoffs = heddle::dynamic_shared<float>();
    float* const squares = payoffs + threads;

    options += blockIdx.x * 4;
    const float spot = options[0], strike = options[1];
    const float drift = options[2], deviation = options[3];
    float sum = 0.0f, square = 0.0f;
    for (unsigned path = thread; path < paths; path += threads) {
        const float end = spot * expf(fmaf(deviation, normal[path], drift));
        const float payoff = fmaxf(end - strike, 0.0f);
        sum += payoff;
        square = fmaf(payoff, payoff, square);
    }
    payoffs[thread] = sum;
    squares[thread] = square;
    __syncthreads();

    for (unsigned half = threads / 2; half > 0; half /= 2) {
        if (thread < half) {
            payoffs[thread] += payoffs[thread + half];
            squares[thread] += squares[thread + half];
        }
        __syncthreads();  // outside the branch: every thread of the block arrives
    }
    if (thread == 0) {
        sums[blockIdx.x * 2] = payoffs[0];
        sums[blockIdx.x * 2 + 1] = squares[0];
    }
}
