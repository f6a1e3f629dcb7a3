// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// What the tests of the library run.
#include <heddle.h>
#include <stdint.h>

__device__ unsigned counter = 5;

__global__ void add(const unsigned* a, const unsigned* b, unsigned* sum, unsigned n) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) sum[i] = a[i] + b[i];
}

struct pair {
    unsigned first;
    unsigned second;
};

/// Every argument, widened.
__global__ void widths(int8_t a, uint8_t b, int16_t c, uint64_t d, int64_t e, float f, double g,
                       pair h, int64_t* to) {
    to[0] = a;
    to[1] = b;
    to[2] = c;
    to[3] = static_cast<int64_t>(d);
    to[4] = e;
    to[5] = static_cast<int64_t>(f * 8);
    to[6] = static_cast<int64_t>(g * 8);
    to[7] = h.first;
    to[8] = h.second;
}

/// Which block and thread this is; a grid and a block of three dimensions.
__global__ void places(unsigned* count) {
    atomicAdd(count, 1U);
    if (blockIdx.z == gridDim.z - 1 && threadIdx.y == blockDim.y - 1) atomicAdd(count + 1, 1U);
}

__global__ void count_up() {
    atomicAdd(&counter, 1U);
}

/// Takes long, ends, and makes progress.
__global__ void turn(unsigned turns, unsigned* to) {
    unsigned value = threadIdx.x;
    for (unsigned i = 0; i < turns; ++i) {
        value = value * 1664525U + 1013904223U;
        if (i % 64 == 0) to[threadIdx.x] = value;
    }
    to[threadIdx.x] = value;
}

/// The lanes of a warp want 10, 11, 12, ... in the place of 5; one of them gets it.
__global__ void swap_once() {
    atomicCAS(&counter, 5U, 10 + threadIdx.x);
}

__global__ void far_away(unsigned* a) {
    a[1 << 20] = 1;
}
