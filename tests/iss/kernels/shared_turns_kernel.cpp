// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <heddle.h>

// What blocks learn of each other, as tests/iss/shared_turns_test.cpp lets threads run them.

namespace {
/// Work that differs from block to block.
__device__ __noinline__ unsigned busy(unsigned steps) {
    volatile unsigned value = 1;
    for (unsigned i = 0; i < steps; ++i) value = value * 5 + 1;
    return value;
}
}  // namespace

/// Each block writes down when its turn comes, and the clock.
__global__ void take_tickets(unsigned* next, unsigned* order, unsigned* clocks, unsigned rounds) {
    for (unsigned round = 0; round < rounds; ++round) {
        (void)busy((blockIdx.x * 7 + round) % 13 * 20);
        if (threadIdx.x == 0) {
            const unsigned ticket = atomicAdd(next, 1u);
            order[ticket] = blockIdx.x;
            clocks[ticket] = static_cast<unsigned>(clock());
        }
        __syncthreads();
    }
}

/// A block waits until the one before it has passed, and counts how often it looks.
__global__ void relay(unsigned* turn, unsigned* looks) {
    if (threadIdx.x != 0) return;
    unsigned count = 0;
    while (__ldcg(turn) != blockIdx.x) ++count;
    looks[blockIdx.x] = count;
    *static_cast<volatile unsigned*>(turn) = blockIdx.x + 1;
}

/// Every block counts up its own word of shared memory, by atomics.
__global__ void count_in_shared(unsigned* out) {
    __shared__ unsigned count;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    for (unsigned i = 0; i < 20; ++i) atomicAdd(&count, 1u);
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = count;
}

/// Block `culprit` and those behind it fault, between two atomics.
__global__ void fault_among_atomics(unsigned* counter, unsigned culprit) {
    (void)busy(blockIdx.x < culprit ? 4 : 0);
    atomicAdd(counter, 1u);
    if (blockIdx.x >= culprit) *reinterpret_cast<volatile unsigned*>(4) = 1;
    atomicAdd(counter, 1u);
}

/// Block 0 faults after that much work, block 1 at once.
__global__ void fault_late(unsigned steps) {
    if (blockIdx.x == 0) (void)busy(steps);
    if (blockIdx.x < 2) *reinterpret_cast<volatile unsigned*>(4) = 1;
}
