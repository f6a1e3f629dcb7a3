// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <heddle.h>

/// Values that only shared memory sees change, for longer than the watchdog waits.
__global__ void shared_work(unsigned* out, unsigned rounds) {
    __shared__ volatile unsigned value;
    for (unsigned i = 0; i < rounds; ++i) value = i;
    out[0] = value;
}

/// Likewise by atomics.
__global__ void atomic_work(unsigned* out, unsigned rounds) {
    for (unsigned i = 0; i < rounds; ++i) atomicAdd(out, 1u);
}

/// Only private memory changes, which nobody waits for.
__global__ void private_work(unsigned* out, unsigned rounds) {
    volatile unsigned value[2] = {0, 0};
    for (unsigned i = 0; i < rounds; ++i) value[i % 2] = i;
    out[0] = value[0];
}

/// Barriers only.
__global__ void barriers(unsigned* out, unsigned rounds) {
    for (unsigned i = 0; i < rounds; ++i) __syncthreads();
    out[threadIdx.x] = rounds;
}

/// Stores and atomics of every kind for ever, none of which changes a value.
__global__ void same_values(volatile unsigned* word, unsigned value) {
    __shared__ volatile unsigned shared_word;
    __shared__ volatile unsigned char shared_byte;
    __shared__ unsigned shared_sum;
    for (;;) {
        word[1] = value;
        atomicMax(const_cast<unsigned*>(word), 0u);
        shared_word = value;
        shared_byte = 1;
        atomicAdd(&shared_sum, 0u);
        if (word[0] != 0) break;
    }
    word[2] = 1;
}

/// The last warp waits for ever; the others wait for it at the barrier.
__global__ void last_warp_late(volatile unsigned* flag) {
    if (threadIdx.x + 32 >= blockDim.x) {
        while (flag[0] == 0) {
        }
    }
    __syncthreads();
    flag[1] = 1;
}

/// Warp 0 waits for ever; the others wait for it at the barrier.
__global__ void one_warp_late(volatile unsigned* flag) {
    if (threadIdx.x < 32) {
        while (flag[0] == 0) {
        }
    }
    __syncthreads();
    flag[1] = 1;
}

/// Waits for ever. In each round the lanes with even numbers wait for the others.
__global__ void wait_in_turns(volatile unsigned* flag) {
    while (flag[0] == 0) {
        if (threadIdx.x % 2 == 0) continue;
        for (unsigned i = 0; i < 200; ++i) (void)flag[1];
    }
    flag[1] = 1;
}

/// One lane launches, and the others wait for it.
__global__ void launched(unsigned*) {}
__global__ void one_lane_launches(unsigned* out) {
    if (threadIdx.x == 0) out[0] = heddle::launch(launched, {dim3(1), dim3(1)}, 0u, out);
    __syncthreads();
    out[1] = 1;
}

/// An atomic for ever that changes nothing: something is on the way to L2 or back all the time.
__global__ void same_atomic(unsigned* word) {
    while (atomicMax(word, 0u) == 0u) {
    }
}
