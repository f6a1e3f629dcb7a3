// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <heddle.h>

/// Threads load words that others lower by atomics.
__global__ void lower_words(unsigned rounds, unsigned words, unsigned* word, unsigned* out) {
    unsigned x = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u + 12345u;
    unsigned sum = 0;
    const volatile unsigned* const seen = word;
    for (unsigned i = 0; i < rounds; ++i) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        const unsigned a = (x >> 8) % words;
        sum += seen[a];
        if ((x & 3) == 0) atomicMin(&word[(x >> 12) % words], seen[a] + (x & 31));
        sum += seen[a];
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

/// One instruction for threads that count in shared memory and for others, whose answers come one
/// after another.
__global__ void count_apart(unsigned rounds, unsigned words, unsigned* word, unsigned* out) {
    __shared__ unsigned cell[64];
    unsigned* const own =
        threadIdx.x % 3 == 0 ? &cell[threadIdx.x % 64] : &word[threadIdx.x * 32 % words];
    unsigned sum = 0;
    for (unsigned i = 0; i < rounds; ++i) sum = sum * 3 + atomicAdd(own, 1u);
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

/// Threads count in words that all of them load.
__global__ void count_up(unsigned rounds, unsigned words, unsigned* word, unsigned* out) {
    unsigned sum = 0;
    for (unsigned i = 0; i < rounds; ++i) {
        atomicAdd(&word[(threadIdx.x + i) % words], 1u);
        sum += *static_cast<volatile unsigned*>(&word[(threadIdx.x * 3 + i) % words]);
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
