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

/// Warp 0 stores 1, warp 1 stores 2, warp 2 loads. Lane 0 of each.
__global__ void race(unsigned* words) {
    if (threadIdx.x % 32 != 0) return;
    if (threadIdx.x == 0) {
        words[0] = 1;
    } else if (threadIdx.x == 32) {
        words[0] = 2;
    } else {
        words[1] = words[0];
    }
}

/// Lanes of a load in several lines of memory.
__global__ void gather(unsigned* words) {
    words[threadIdx.x + 4] = words[threadIdx.x % 2 * 32] + 7;
}

/// Two warps add 1 to a word that the host has left at 0.
__global__ void add_twice(unsigned* words) {
    if (threadIdx.x % 32 == 0) atomicAdd(words, 1U);
}

/// Odd lanes one way, even ones the other.
__global__ void odd_and_even(unsigned* words) {
    unsigned value = threadIdx.x;
    if ((threadIdx.x & 1) != 0) {
        asm volatile("nop");  // a branch, and no selection
        value = value * 77 + words[1];
    } else {
        asm volatile("nop\nnop");
        value = value * 55 + words[2];
    }
    words[threadIdx.x] = value;
}

/// What a warp gives the other one behind a barrier.
__global__ void exchange(unsigned* words) {
    __shared__ unsigned shared[64];
    shared[threadIdx.x] = threadIdx.x * 3;
    __syncthreads();
    words[threadIdx.x] = shared[63 - threadIdx.x];
}

/// When and where it runs.
__global__ void clocks(unsigned* words) {
    words[threadIdx.x] = static_cast<unsigned>(clock64()) + threadIdx.x;
}
