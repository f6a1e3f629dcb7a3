// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <heddle.h>

/// A mix of integer and float arithmetic in registers, without divergence and with next to no
/// memory traffic: what a simulator can do at most. Every thread advances an integer and a float
/// state `rounds` times and stores both. Each float operation is a statement of its own, so that no
/// compiler fuses two of them and the result is exact.
__global__ void compute_mix(unsigned n, unsigned rounds, const unsigned* __restrict__ seeds,
                            unsigned* __restrict__ integers, float* __restrict__ floats) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    unsigned state = seeds[i];
    float value = static_cast<float>(state & 0xffff) * 0x1p-16f;  // in [0, 1)
    for (unsigned round = 0; round < rounds; ++round) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        const float noise = static_cast<float>(state >> 16) * 0x1p-17f;  // in [0, 0.5)
        value = fmaf(value, 0.5f, noise);                                // stays in [0, 1)
        const float square = value * value;
        const float quarter = square * 0.25f;
        value = value - quarter;
        if (state & 0x100) state += round * 0x9e3779b9u;
    }
    integers[i] = state;
    floats[i] = value;
}
