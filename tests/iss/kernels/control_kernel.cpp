// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <heddle.h>

/// Reverses each block through shared memory; needs the barrier when a block has several warps.
__global__ void reverse(const unsigned* in, unsigned* out) {
    __shared__ unsigned values[1024];
    const unsigned base = blockIdx.x * blockDim.x;
    values[threadIdx.x] = in[base + threadIdx.x];
    __syncthreads();
    out[base + threadIdx.x] = values[blockDim.x - 1 - threadIdx.x];
}

/// Whole warps leave before the barrier; those that stay must not wait for them.
__global__ void early_exit_barrier(unsigned* out) {
    if (threadIdx.x >= 64) return;
    __syncthreads();
    out[threadIdx.x] = 1;
}

/// Half of a warp leaves, the other half meets at the barrier.
__global__ void half_warp_barrier(unsigned* out) {
    if (threadIdx.x % 2 == 0) heddle::exit();
    __syncthreads();
    out[threadIdx.x] = 1;
}

__global__ void divergent_barrier(unsigned* out) {
    if (threadIdx.x < 5) {
        __syncthreads();
        out[threadIdx.x] = 1;
    }
    out[threadIdx.x] += 1;
    __syncthreads();
}

/// Block b waits for block b + 1: makes progress only if later blocks get their turn.
__global__ void chain(volatile unsigned* flags) {
    if (threadIdx.x != 0) return;
    const unsigned next = blockIdx.x + 1;
    if (next < gridDim.x) {
        while (flags[next] == 0) {
        }
    }
    flags[blockIdx.x] = 1;
}

__global__ void wait_for_flag(volatile unsigned* flag) {
    while (flag[0] == 0) {
    }
    flag[1] = 1;
}

__global__ void set_flag(volatile unsigned* flag) {
    flag[0] = 1;
}

/// The textbook spin lock: under PDOM the lane that has the lock waits for those that spin.
__global__ void spin_lock(unsigned* lock) {
    while (atomicCAS(lock, 0u, 1u) != 0u) {
    }
    atomicExch(lock, 0u);
}

/// Spins with value-changing stores: that is progress, however useless.
__global__ void busy(volatile unsigned* counter, unsigned rounds) {
    for (unsigned i = 0; i < rounds; ++i) *counter = i;
}

/// The same on the own stack, where nobody else sees it: no progress. A word and a byte, whose
/// stores the simulator treats differently.
__global__ void busy_alone(unsigned* counter, unsigned rounds) {
    volatile unsigned word = 0;
    volatile unsigned char byte = 0;
    for (unsigned i = 0; i < rounds; ++i) {
        word = i;
        byte = static_cast<unsigned char>(i);
    }
    *counter = word + byte;
}

/// Rounding modes that differ from lane to lane.
__global__ void rounding(float* out) {
    const unsigned mode = threadIdx.x % 5;
    __asm__ __volatile__("csrw frm, %0" : : "r"(mode));
    float sum;
    __asm__ __volatile__("fadd.s %0, %1, %2" : "=r"(sum) : "r"(1.0f), "r"(0x1p-24f));
    out[threadIdx.x] = sum;
}

__global__ void bad_rounding(float* out) {
    __asm__ __volatile__("csrw frm, %0" : : "r"(threadIdx.x == 3 ? 5 : 0));
    float sum;
    __asm__ __volatile__("fadd.s %0, %1, %2" : "=r"(sum) : "r"(1.0f), "r"(2.0f));
    out[threadIdx.x] = sum;
}

/// clock() counts on; instret counts the warp's own instructions.
__global__ void clocks(unsigned* out) {
    const unsigned before = clock();
    unsigned retired;
    unsigned retired_later;
    __asm__ __volatile__("csrr %0, instret" : "=r"(retired));
    __asm__ __volatile__("csrr %0, instret" : "=r"(retired_later));
    const unsigned after = clock();
    if (threadIdx.x == 0) {
        out[2 * blockIdx.x] = after - before;
        out[2 * blockIdx.x + 1] = retired_later - retired;
    }
}

/// Ids of a three-dimensional launch.
__global__ void ids(unsigned* out) {
    const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const unsigned threads = blockDim.x * blockDim.y * blockDim.z;
    out[block * threads + thread] = 1 + block * threads + thread;
}
