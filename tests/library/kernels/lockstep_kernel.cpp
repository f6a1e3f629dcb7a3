// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// What the tests of the lock-step run.
#include <heddle.h>

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

__device__ unsigned table[33] = {5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                                 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 6};

/// Lanes of a load in several lines of memory.
__global__ void gather(unsigned* words) {
    words[threadIdx.x + 4] = table[threadIdx.x % 2 * 32] + 7;
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

/// The even lanes wait for the odd ones.
__global__ void odd_only(unsigned* words) {
    unsigned value = threadIdx.x;
    if ((threadIdx.x & 1) != 0) {
        asm volatile("nop");  // a branch, and no selection
        value = value * 77 + words[1];
    }
    words[threadIdx.x] = value;
}

/// Warp 0 stores twice, warp 1 loads what is stored second.
__global__ void store_twice(unsigned* words) {
    if (threadIdx.x == 0) {
        words[0] = 1;
        words[1] = 1;
    } else if (threadIdx.x == 32) {
        words[2] = words[1];
    }
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

__global__ void out_of_range(unsigned* words) {
    words[1 << 20] = 1;
}

/// Two warps count in shared memory.
__global__ void count_shared(unsigned* words) {
    __shared__ unsigned count;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    if (threadIdx.x % 32 == 0) words[threadIdx.x / 32] = atomicAdd(&count, 1U);
}

/// Of an instruction some lanes load what the other warp has stored to shared memory, the others
/// what it has stored to global memory, long ago.
__device__ inline void load_both(unsigned* words, unsigned of_shared) {
    __shared__ unsigned shared[64];
    shared[63 - threadIdx.x] = 7;
    words[63 - threadIdx.x] = 7;
    __syncthreads();
    unsigned wait = table[threadIdx.x % 2];
    asm volatile("" : "+r"(wait));  // takes longer than the stores
    const unsigned at = threadIdx.x + wait / 100;
    const unsigned* const from = threadIdx.x % 2 == of_shared ? &shared[at] : &words[at];
    asm volatile("" : : "r"(*from));
}
__global__ void odd_lanes_of_shared(unsigned* words) {
    load_both(words, 1);
}
__global__ void even_lanes_of_shared(unsigned* words) {
    load_both(words, 0);
}

__global__ void jump_away(unsigned* words) {
    asm volatile("jr %0" : : "r"(words));
}
