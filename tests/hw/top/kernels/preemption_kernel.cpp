// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <heddle.h>

// Kernels of tests/hw/top/preemption_test.cpp: blocks that are taken away while they run.

/// All that a block has is in use: registers, private and shared memory, lanes that have ended,
/// divergent loops, barriers, loads and stores of its own words.
__global__ void work(unsigned* out, unsigned rounds) {
    __shared__ unsigned table[96];
    const unsigned t = threadIdx.x;
    const unsigned i = blockIdx.x * blockDim.x + t;
    unsigned own[8];
    for (unsigned k = 0; k < 8; ++k) own[k] = 7 * k + t;
    if (t % 11 == 5) return;
    unsigned sum = blockIdx.x;
    for (unsigned r = 0; r < rounds; ++r) {
        table[t] = sum + r;
        __syncthreads();
        const unsigned neighbour = (t + 1) % 11 == 5 ? t + 2 : t + 1;
        sum = 3 * sum + table[neighbour < blockDim.x ? neighbour : 0];
        __syncthreads();
        if (t % 3 == r % 3) {
            for (unsigned k = 0; k < t % 5 + 1; ++k) sum += own[(k + r) % 8];
        }
        own[sum % 8] ^= r;
        out[i] += sum;
        sum += out[i] % 2;
    }
}

/// Rounds in which all blocks wait for each other. Each sees what another has stored before.
__global__ void meet(unsigned rounds, unsigned* values, unsigned* wrong) {
    __shared__ unsigned base;
    const unsigned active = heddle::get_num_groups();
    for (unsigned r = 1; r <= rounds; ++r) {
        if (threadIdx.x == 0) base = 1000 * r;
        __syncthreads();
        values[blockIdx.x * blockDim.x + threadIdx.x] = base + blockIdx.x;
        heddle::global_barrier();
        const unsigned other = (blockIdx.x + r) % active;
        if (values[other * blockDim.x + threadIdx.x] != base + other) atomicAdd(wrong, 1u);
        heddle::global_barrier();
    }
}

/// Threads that wait for each other in a transaction's shared word, and divergent ones outside.
__global__ void count_in_transactions(unsigned* out, unsigned rounds) {
    __shared__ unsigned counter;
    if (threadIdx.x == 0) counter = 0;
    __syncthreads();
    unsigned sum = 0;
    for (unsigned r = 0; r < rounds; ++r) {
        heddle::tx_begin();
        counter = counter + 1;
        heddle::tx_commit();
        for (unsigned k = 0; k < threadIdx.x % 3; ++k) sum += k;
    }
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = counter + (sum == ~0U ? 1 : 0);
}

/// Looks again and again at rounding modes that differ from lane to lane, and at 67 shared bytes,
/// three of which are behind the last whole word. wrong: modes, bytes.
__global__ void rarely_used(unsigned* wrong, unsigned rounds) {
    __shared__ volatile unsigned char bytes[67];
    const unsigned mode = threadIdx.x % 5;
    __asm__ __volatile__("csrw frm, %0" : : "r"(mode));
    if (threadIdx.x < 67) bytes[threadIdx.x] = 100 + threadIdx.x;
    __syncthreads();
    for (unsigned r = 0; r < rounds; ++r) {
        unsigned now = 0;
        __asm__ __volatile__("csrr %0, frm" : "=r"(now));
        if (now != mode) atomicAdd(&wrong[0], 1u);
        if (threadIdx.x < 67 && bytes[threadIdx.x] != 100 + threadIdx.x) atomicAdd(&wrong[1], 1u);
    }
}

/// Each block stores words of its own and loads those of all blocks.
__global__ void own_words(volatile unsigned* values, unsigned* wrong, unsigned rounds) {
    volatile unsigned* const own = values + blockIdx.x * blockDim.x + threadIdx.x;
    unsigned sum = 0;
    for (unsigned r = 1; r <= rounds; ++r) {
        *own = r;
        for (unsigned b = 0; b < gridDim.x; ++b) sum += values[b * blockDim.x + threadIdx.x];
        if (*own != r) atomicAdd(wrong, 1u);
    }
    if (sum == ~0U) *wrong = sum;
}

/// Little but branches, or little but barriers.
__global__ void turn(unsigned* out, unsigned rounds) {
    unsigned sum = threadIdx.x;
    for (unsigned r = 0; r < rounds; ++r) __asm__ __volatile__("" : "+r"(sum));
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
__global__ void wait_at_barriers(unsigned* out, unsigned rounds) {
    for (unsigned r = 0; r < rounds; ++r) __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x;
}

/// A parent that goes on after its launch, and waits later.
__global__ void child(unsigned* count, unsigned rounds) {
    unsigned value = threadIdx.x;
    for (unsigned k = 0; k < rounds; ++k) value += __ldcg(&count[1]);
    atomicAdd(count, value == ~0U ? 2u : 1u);
}
__global__ void parent(unsigned* out, unsigned* counts, unsigned rounds) {
    unsigned* const count = counts + 2 * blockIdx.x;
    if (threadIdx.x == 0) heddle::launch(child, {dim3(2), dim3(32)}, 0U, count, rounds);
    __syncthreads();
    unsigned value = 0;
    for (unsigned k = 0; k < rounds; ++k) value += __ldcg(&count[1]);
    heddle::device_synchronize();
    out[blockIdx.x * blockDim.x + threadIdx.x] = __ldcg(count) + value;
}

/// A launch that waits for one of lower priority.
__global__ void wait_for_word(unsigned* word) {
    while (__ldcg(word) != ~0U) {
    }
}

/// The task that wants room: each block adds 1.
__global__ void task(unsigned* done, unsigned rounds) {
    __shared__ unsigned room[64];
    room[threadIdx.x % 64] = threadIdx.x;
    __syncthreads();
    for (unsigned k = 0; k < rounds; ++k) room[(threadIdx.x + k) % 64] += k;
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(done, room[0] == ~0U ? 2u : 1u);
}
