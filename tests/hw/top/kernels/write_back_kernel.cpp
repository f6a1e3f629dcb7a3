// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Kernels that show whether stores are lost, late or overwritten where L1D keeps them.
#include <heddle.h>

namespace {
__device__ unsigned next(unsigned x) {
    return x * 1664525u + 1013904223u;
}
}  // namespace

/// Each thread owns the bytes t, t + threads, ...: neighbouring bytes belong to threads of
/// different blocks. It stores to them and checks them in random order, and counts what was not as
/// it had left it. `sums` gets additions of all threads.
__global__ void mixed_bytes(unsigned char* bytes, unsigned* sums, unsigned* wrong, unsigned steps,
                            unsigned seed) {
    constexpr unsigned own = 16;
    const unsigned threads = gridDim.x * blockDim.x;
    const unsigned t = threadIdx.x * gridDim.x + blockIdx.x;
    unsigned char expected[own];
    for (unsigned i = 0; i < own; ++i) expected[i] = 0;
    unsigned random = seed + 977 * t;
    unsigned bad = 0;
    for (unsigned step = 0; step < steps; ++step) {
        random = next(random);
        const unsigned which = random >> 8 & (own - 1);
        unsigned char* const byte = bytes + which * threads + t;
        const unsigned what = random >> 16 & 15;
        if (what < 8) {
            *byte = expected[which] = static_cast<unsigned char>(random >> 24);
        } else if (what < 12) {
            bad += *static_cast<volatile unsigned char*>(byte) != expected[which] ? 1 : 0;
        } else if (what < 13) {
            bad += __ldcg(byte) != expected[which] ? 1 : 0;
        } else if (what < 14) {
            atomicAdd(&sums[random >> 24 & 7], 1u);
        } else if (step % 16 == 0) {
            __threadfence();
        }
    }
    if (bad != 0) atomicAdd(wrong, bad);
    for (unsigned i = 0; i < own; ++i) bytes[i * threads + t] = expected[i];
}

/// Adds what the launch before it left: the bytes of a thread of another block.
__global__ void count_bytes(const unsigned char* bytes, unsigned* sum) {
    const unsigned threads = gridDim.x * blockDim.x;
    const unsigned other = threadIdx.x * gridDim.x + (blockIdx.x + 1) % gridDim.x;
    unsigned own = 0;
    for (unsigned i = 0; i < 16; ++i) own += bytes[i * threads + other];
    atomicAdd(sum, own);
}

/// Block 0 writes with all its threads. After the barrier, one thread passes it on to the other
/// blocks, which look past their L1. `wrong` counts words that were old.
__global__ void pass_on(unsigned* data, unsigned* flags, unsigned* wrong, unsigned rounds) {
    const unsigned words = blockDim.x;
    for (unsigned round = 1; round <= rounds; ++round) {
        if (blockIdx.x == 0) {
            data[threadIdx.x] = round + threadIdx.x;
            __syncthreads();
            if (threadIdx.x == 0) {
                __threadfence();
                atomicExch(&flags[0], round);
                while (atomicAdd(&flags[1], 0u) < round * (gridDim.x - 1)) {
                }
            }
        } else {
            if (threadIdx.x == 0) {
                while (atomicAdd(&flags[0], 0u) < round) {
                }
            }
            __syncthreads();
            const unsigned index = (threadIdx.x + 32) % words;  // another warp's
            if (__ldcg(&data[index]) != round + index) atomicAdd(wrong, 1u);
            __syncthreads();
            if (threadIdx.x == 0) atomicAdd(&flags[1], 1u);
        }
        __syncthreads();
    }
}
