// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <heddle.h>

#include "models/workloads/microbenchmark_kernel.h"

// Latency microbenchmarks: one warp at work, which reads the SMX's clock before and after.

__forceinline__ unsigned follow(unsigned at) {
    return *reinterpret_cast<volatile const unsigned*>(at);
}

/// Follows pointers with `next`, 16 * `rounds` of them; the clocks go to *ticks.
template <class Next>
__forceinline__ unsigned follow_timed(unsigned at, unsigned rounds, unsigned* ticks, Next next) {
    arrived(at);
    const unsigned begin = clock();
    for (unsigned round = 0; round < rounds; ++round) {
#pragma clang loop unroll(full)
        for (unsigned hop = 0; hop < 16; ++hop) at = next(at);
    }
    arrived(at);
    const unsigned end = clock();
    if (threadIdx.x == 0) *ticks = end - begin;
    return at;
}

__forceinline__ unsigned follow_timed(unsigned at, unsigned rounds, unsigned* ticks) {
    return follow_timed(at, rounds, ticks, follow);
}

/// One thread and a chain in global memory, `before` hops of it untimed.
__global__ void latency_chase(unsigned start, unsigned before, unsigned rounds, unsigned* last,
                              unsigned* ticks) {
    unsigned at = start;
    for (unsigned hop = 0; hop < before; ++hop) at = follow(at);
    *last = follow_timed(at, rounds, ticks);
}

/// A warp and shared memory: lane i follows the pointer to itself in word i * `stride`.
__global__ void latency_shared(unsigned stride, unsigned rounds, unsigned* last, unsigned* ticks) {
    unsigned* const words = heddle::dynamic_shared<unsigned>();
    const unsigned base = reinterpret_cast<unsigned>(words);
    unsigned at = reinterpret_cast<unsigned>(words + threadIdx.x * stride);
    words[threadIdx.x * stride] = at;
    __syncthreads();
    last[threadIdx.x] = follow_timed(at, rounds, ticks) - base;
}

constexpr unsigned pointers = 15;  // of a chain; no divisor of 16, so that it ends elsewhere

/// Every lane follows a chain of pointers in its own private memory.
__global__ void latency_private(unsigned rounds, unsigned* last, unsigned* ticks) {
    volatile unsigned chain[pointers];
    const unsigned base = reinterpret_cast<unsigned>(chain);
    for (unsigned i = 0; i < pointers; ++i) chain[i] = base + (i + 1) % pointers * 4;
    unsigned at = base;
    for (unsigned hop = 0; hop < pointers; ++hop) at = follow(at);
    last[threadIdx.x] = follow_timed(at, rounds, ticks) - base;
}

struct pointer {
    const pointer* next;
};
/// Its address has no low part, so that a load can name it and get the whole address from memory.
__constant__ __attribute__((aligned(4096))) pointer constant_chain[pointers] = {
    {constant_chain + 1},  {constant_chain + 2},  {constant_chain + 3},  {constant_chain + 4},
    {constant_chain + 5},  {constant_chain + 6},  {constant_chain + 7},  {constant_chain + 8},
    {constant_chain + 9},  {constant_chain + 10}, {constant_chain + 11}, {constant_chain + 12},
    {constant_chain + 13}, {constant_chain + 14}, {constant_chain}};

/// The load names the constants: one through a pointer that memory gave is one of global memory.
__forceinline__ unsigned follow_constant(unsigned at) {
    unsigned next;
    asm volatile("lw %0, %%lo(%2)(%1)" : "=r"(next) : "r"(at), "i"(constant_chain));
    return next;
}

/// All lanes follow the same chain of pointers in constant memory.
__global__ void latency_constant(unsigned rounds, unsigned* last, unsigned* ticks) {
    const unsigned base = reinterpret_cast<unsigned>(constant_chain);
    unsigned at = base;
    for (unsigned hop = 0; hop < pointers; ++hop) at = follow_constant(at);
    last[threadIdx.x] = follow_timed(at, rounds, ticks, follow_constant) - base;
}

/// A warp and global memory, past L1: lane i reads word i * `stride`, again and again.
__global__ void latency_coalescing(const unsigned* words, unsigned stride, unsigned rounds,
                                   unsigned* last, unsigned* ticks) {
    const unsigned* const mine = words + threadIdx.x * stride;
    unsigned value = __ldcg(mine);
    arrived(value);
    const unsigned begin = clock();
    for (unsigned round = 0; round < rounds; ++round) {
        value = __ldcg(mine);
        arrived(value);
    }
    const unsigned end = clock();
    last[threadIdx.x] = value;
    if (threadIdx.x == 0) *ticks = end - begin;
}
