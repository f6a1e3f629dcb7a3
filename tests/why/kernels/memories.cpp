// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Kernels of planted.toml that keep one level of the memories busy.
#include <heddle.h>

/// Each thread reads a word of its own, 4 at a time: a stream.
__global__ void stream(unsigned rounds, const unsigned* words, unsigned* results) {
    const unsigned threads = gridDim.x * blockDim.x;
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned sum = 0;
    for (unsigned round = 0; round < rounds; ++round) {
        for (unsigned i = 0; i < 4; ++i) sum += words[(round * 4 + i) * threads + thread];
    }
    results[thread] = sum;
}

/// Each block reads the same `length` words again and again; `length` is a multiple of four blocks.
template <typename load>
__device__ void read_again(unsigned rounds, unsigned length, const unsigned* words,
                           unsigned* results, load read) {
    unsigned sum = 0;
    for (unsigned round = 0; round < rounds; ++round) {
        for (unsigned i = threadIdx.x; i < length; i += 4 * blockDim.x) {
#pragma clang loop unroll(full)
            for (unsigned j = 0; j < 4; ++j) sum += read(&words[i + j * blockDim.x]);
        }
    }
    results[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
__global__ void again(unsigned rounds, unsigned length, const unsigned* words, unsigned* results) {
    read_again(rounds, length, words, results, [](const unsigned* word) { return *word; });
}
__global__ void again_past_l1(unsigned rounds, unsigned length, const unsigned* words,
                              unsigned* results) {
    read_again(rounds, length, words, results, [](const unsigned* word) { return __ldcg(word); });
}

/// Neighbours read words that lie `stride` words apart, of `length` words.
__global__ void strided(unsigned rounds, unsigned stride, unsigned length, const unsigned* words,
                        unsigned* results) {
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned sum = 0;
#pragma clang loop unroll_count(4)
    for (unsigned round = 0; round < rounds; ++round) {
        sum += words[(thread * stride + round * 8) & (length - 1)];
    }
    results[thread] = sum;
}

/// Each word names the next one.
__global__ void follow(unsigned rounds, const unsigned* words, unsigned* results) {
    unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
    for (unsigned round = 0; round < rounds; ++round) at = words[at] + round % 2;
    results[blockIdx.x * blockDim.x + threadIdx.x] = at;
}
__global__ void follow_past_l1(unsigned rounds, const unsigned* words, unsigned* results) {
    unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
    for (unsigned round = 0; round < rounds; ++round) at = __ldcg(&words[at]) + round % 2;
    results[blockIdx.x * blockDim.x + threadIdx.x] = at;
}

/// A word of shared memory after the other, neighbours `stride` words apart.
__global__ void shared(unsigned rounds, unsigned stride, unsigned* results) {
    __shared__ unsigned words[2048];
    for (unsigned i = threadIdx.x; i < 2048; i += blockDim.x) words[i] = i;
    __syncthreads();
    unsigned sum = 0, at = threadIdx.x * stride;
    for (unsigned round = 0; round < rounds; ++round) {
        for (unsigned i = 0; i < 8; ++i) sum += words[(at + i * 32) & 2047];
    }
    results[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

/// Each word of shared memory names the next one.
__global__ void shared_chain(unsigned rounds, unsigned* results) {
    __shared__ unsigned words[1024];
    for (unsigned i = threadIdx.x; i < 1024; i += blockDim.x) words[i] = (i + 32) & 1023;
    __syncthreads();
    unsigned at = threadIdx.x;
    for (unsigned round = 0; round < rounds; ++round) at = words[at];
    results[blockIdx.x * blockDim.x + threadIdx.x] = at;
}

__global__ void shared_stores(unsigned rounds, unsigned* results) {
    __shared__ unsigned words[2048];
    for (unsigned round = 0; round < rounds; ++round) {
        for (unsigned i = 0; i < 8; ++i) words[(threadIdx.x + i * 32) & 2047] = round;
    }
    __syncthreads();
    results[blockIdx.x * blockDim.x + threadIdx.x] = words[threadIdx.x];
}

/// All threads add to one of `counters` words each.
__global__ void count(unsigned rounds, unsigned counters, unsigned* words) {
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    for (unsigned round = 0; round < rounds; ++round) atomicAdd(&words[thread % counters], 1);
}

__global__ void store(unsigned rounds, unsigned* results) {
    const unsigned threads = gridDim.x * blockDim.x;
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    for (unsigned round = 0; round < rounds; ++round) results[round * threads + thread] = round;
}

__constant__ unsigned table[1024];

/// Words of a table in constant memory, all threads the same one. `words` is a power of two.
__global__ void constants(unsigned rounds, unsigned words, unsigned step, unsigned* results) {
    unsigned sum = 0, at = 0;
    for (unsigned round = 0; round < rounds; ++round) {
#pragma clang loop unroll(full)
        for (unsigned i = 0; i < 4; ++i) sum += table[(at + i * step) & (words - 1)];
        at += 4 * step;
    }
    results[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

/// Each word of the table names the next one.
__global__ void constant_chain(unsigned rounds, unsigned* results) {
    unsigned at = 0;
    for (unsigned round = 0; round < rounds; ++round) at = table[at];
    results[blockIdx.x * blockDim.x + threadIdx.x] = at;
}
