// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <heddle.h>

__shared__ unsigned words[256];
__shared__ volatile unsigned apart[2];

/// Thread i reads word i and writes word i ^ 1.
__global__ void neighbours(unsigned* values) {
    const unsigned i = threadIdx.x;
    words[i] = values[i];
    __syncthreads();
    heddle::tx_begin();
    words[i ^ 1] = words[i] + 1;
    heddle::tx_commit();
    __syncthreads();
    values[i] = words[i];
}

/// Every thread takes the next number of one counter.
__global__ void take_numbers(unsigned* numbers) {
    heddle::tx_begin();
    const unsigned mine = words[0];
    words[0] = mine + 1;
    heddle::tx_commit();
    numbers[threadIdx.x] = mine;
}

/// The first half of the block counts in one word, and has to run alone again and again. The other
/// half counts in words of its own, and is always about to issue.
__global__ void others_are_busy(unsigned rounds, unsigned* counts) {
    const unsigned i = threadIdx.x;
    volatile unsigned& word = *static_cast<volatile unsigned*>(&words[i < blockDim.x / 2 ? 0 : i]);
    for (unsigned round = 0; round < rounds; ++round) {
        heddle::tx_begin();
        const unsigned before = word;
        for (unsigned k = 0; k < 32; ++k) asm volatile("nop");
        word = before + 1;
        heddle::tx_commit();
    }
    __syncthreads();
    counts[i] = words[i];
}

/// Thread 0 has a transaction of many turns, and something to do after it. Which warp takes the
/// first number?
__global__ void long_transaction(unsigned* next, unsigned* order) {
    if (threadIdx.x == 0) {
        heddle::tx_begin();
        for (unsigned k = 0; k < 64; ++k) asm volatile("nop");
        heddle::tx_commit();
        for (unsigned k = 0; k < 64; ++k) asm volatile("nop");
    }
    if (threadIdx.x % 32 == 0) order[threadIdx.x / 32] = atomicAdd(next, 1u);
}

/// Branches, a loop, a call and private memory inside a transaction, for some of the lanes.
__noinline__ __device__ unsigned mixed(unsigned x) {
    return x % 3 == 0 ? x * 5 : x + 7;
}
__global__ void control_flow(unsigned* values) {
    const unsigned i = threadIdx.x;
    words[i] = values[i];
    __syncthreads();
    if (i % 2 == 1) {
        volatile unsigned own[4];
        heddle::tx_begin();
        for (unsigned k = 0; k < i % 5; ++k) {
            own[k % 4] = mixed(words[i] + k);
            words[i - 1] += own[k % 4];
        }
        heddle::tx_commit();
    }
    __syncthreads();
    values[i] = words[i];
}

/// Two words that transactions keep equal, with many instructions between the writes.
__global__ void kept_equal(unsigned rounds, unsigned* differences) {
    unsigned different = 0;
    for (unsigned round = 0; round < rounds; ++round) {
        heddle::tx_begin();
        different += apart[0] != apart[1] ? 1 : 0;
        apart[0] = apart[0] + 1;
        for (volatile unsigned wait = 0; wait < 8; wait = wait + 1) {
        }
        apart[1] = apart[1] + 1;
        heddle::tx_commit();
    }
    differences[threadIdx.x] = different;
}

/// Thread i reads word i and adds to words i ^ 1, i ^ 2 and 64 + i, with a loop, a branch and
/// private memory inside. All other accesses are plain ones.
__global__ void undone() {
    const unsigned i = threadIdx.x;
    volatile unsigned own[2];
    own[0] = i;
    own[1] = 100 * i;
    words[i] = 10 * (i + 1);
    __syncthreads();
    unsigned sum = 0;
    heddle::tx_begin();
    words[64 + i] = words[64 + i] + 1;
    for (unsigned k = 0; k <= i % 3; ++k) {
        own[0] = own[0] + words[i];
        if (i % 2 == 1) own[1] = own[1] + k;
        words[i ^ 1] = words[i ^ 1] + own[0];
        words[i ^ 2] = words[i ^ 2] + 1;
        sum += own[1];
    }
    heddle::tx_commit();
    __syncthreads();
    words[i] += sum + own[0];
}

/// The first half of the block counts in word 0, in transactions; the other half reads it.
__global__ void watched(unsigned* seen) {
    unsigned last = 0;
    const bool counts = threadIdx.x < blockDim.x / 2;
    for (unsigned round = counts ? 190 : 0; round < 200; ++round) {
        if (counts) {
            heddle::tx_begin();
            apart[0] = apart[0] + 1;
            for (volatile unsigned wait = 0; wait < 4; wait = wait + 1) {
            }
            heddle::tx_commit();
        } else {
            last = apart[0];
        }
    }
    seen[threadIdx.x] = last;
}

__global__ void global_store(unsigned* out) {
    heddle::tx_begin();
    out[threadIdx.x] = 1;  // mark: global_store
    heddle::tx_commit();
}

__global__ void atomic() {
    heddle::tx_begin();
    atomicAdd(&words[0], 1u);  // mark: atomic
    heddle::tx_commit();
}

__global__ void barrier() {
    heddle::tx_begin();
    __syncthreads();  // mark: barrier
    heddle::tx_commit();
}

__global__ void ends_inside() {
    heddle::tx_begin();
    __asm__ __volatile__(".insn r 0x0b, 0, 2, x0, x0, x0");  // mark: ends_inside
    heddle::tx_commit();
}

__global__ void nested() {
    heddle::tx_begin();
    heddle::tx_begin();  // mark: nested
    heddle::tx_commit();
    heddle::tx_commit();
}

__global__ void launches() {
    heddle::tx_begin();
    heddle::device_synchronize();  // mark: launches
    heddle::tx_commit();
}

__global__ void offers() {
    heddle::tx_begin();
    __asm__ __volatile__(".insn r 0x0b, 6, 0, x0, x0, x0");  // mark: offers
    heddle::tx_commit();
}

__noinline__ __device__ void commit_here() {
    heddle::tx_commit();  // mark: commit_in_callee
}
__global__ void commit_in_callee() {
    heddle::tx_begin();
    ++words[threadIdx.x];
    commit_here();
}

__noinline__ __device__ void begin_here() {
    heddle::tx_begin();
}
__global__ void begin_in_callee() {
    begin_here();
    ++words[threadIdx.x];
    heddle::tx_commit();
}

__global__ void two_commits() {
    heddle::tx_begin();
    if (threadIdx.x % 2 == 0) {
        heddle::tx_commit();
        ++words[threadIdx.x];
    } else {
        words[threadIdx.x] = 2;
        heddle::tx_commit();
    }
}

__global__ void commit_alone() {
    heddle::tx_commit();  // mark: commit_alone
}

__global__ void endless() {
    heddle::tx_begin();
    for (;;) apart[0] = apart[0] + 1;
    heddle::tx_commit();
}

/// Threads come to their transactions one after another, and in groups of several warps: each takes
/// the next number of one counter, and counts in private memory how often it has tried. What the
/// threads of its warp vote inside has its own vote in it.
__global__ void stragglers(unsigned rounds, unsigned* numbers, unsigned* wrong) {
    const unsigned i = threadIdx.x;
    for (unsigned round = 0; round < rounds; ++round) {
        volatile unsigned own[2];
        own[0] = i;
        for (unsigned k = 0; k < (i * 7 + round * 3) % 11; ++k) asm volatile("nop");
        heddle::tx_begin();
        own[0] = own[0] + 1;
        const unsigned mine = words[0];
        if (mine % 2 == 0) own[1] = mine;
        const unsigned votes = __ballot_sync(~0u, i % 2 == 0);
        words[0] = mine + 1;
        words[1 + i] = own[0];
        heddle::tx_commit();
        numbers[round * blockDim.x + i] = mine;
        const bool voted = (votes >> i % warpSize & 1) == (i % 2 == 0 ? 1u : 0u);
        const bool undone = own[0] == i + 1 && words[1 + i] == i + 1;
        if (!voted || !undone) wrong[i] = 1;
    }
}

/// Who reads 0 stores to private memory that is in no cache, and loses at once: the old words are
/// still on their way then. The next attempt stores nothing there.
__global__ void late_log(unsigned* wrong) {
    volatile unsigned own[96];
    for (unsigned k = 0; k < 96; ++k) own[k] = k + 5;
    __syncthreads();
    heddle::tx_begin();
    const unsigned mine = words[0];
    if (mine == 0) own[0] = 1000;
    words[0] = mine + 1;
    heddle::tx_commit();
    if (own[0] != (mine == 0 ? 1000u : 5u)) wrong[threadIdx.x] = 1;
}
