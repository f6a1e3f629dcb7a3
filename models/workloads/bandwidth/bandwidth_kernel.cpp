// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <heddle.h>

#include "models/workloads/microbenchmark_kernel.h"

// Bandwidth microbenchmarks. A block has a piece of each array: `batches` parts, of which each
// thread has 8 words. It passes over its piece `rounds` times.

constexpr unsigned words = 8;  // of a thread in a part: independent accesses in flight
constexpr unsigned step = 64;  // words from one of them to the next: the widest warp's lanes

/// First word of the calling thread in its block's first part. 64 threads share 512 words.
__forceinline__ unsigned first_word(unsigned batches) {
    return blockIdx.x * blockDim.x * words * batches + threadIdx.x / step * (step * words) +
           threadIdx.x % step;
}

/// The loads above are issued before anything waits for one of their values.
template <typename word>
__forceinline__ void all_issued(word (&v)[words]) {
    static_assert(words == 8);
    asm volatile(""
                 : "+r"(v[0]), "+r"(v[1]), "+r"(v[2]), "+r"(v[3]), "+r"(v[4]), "+r"(v[5]),
                   "+r"(v[6]), "+r"(v[7])::"memory");
}

/// A thread's words of a part, `distance` words apart; `load` takes one.
template <unsigned distance, typename word, typename loader>
__forceinline__ void load_words(word (&v)[words], const word* at, loader load) {
#pragma clang loop unroll(full)
    for (unsigned k = 0; k < words; ++k) v[k] = load(at + k * distance);
    all_issued(v);
}

struct plain_load {
    template <typename word>
    __forceinline__ word operator()(const word* at) const {
        return *at;
    }
};
struct load_past_l1 {
    __forceinline__ unsigned operator()(const unsigned* at) const { return __ldcg(at); }
};

/// Adds up what the thread reads, into sums[thread]. Parts are `part` words apart.
template <unsigned distance, typename loader>
__device__ void read_all(const unsigned* in, unsigned part, unsigned batches, unsigned rounds,
                         unsigned* sums, unsigned* clocks, loader load) {
    const unsigned begin = clock();
    unsigned sum = 0;
    for (unsigned round = 0; round < rounds; ++round) {
        const unsigned* at = in;
        for (unsigned batch = 0; batch < batches; ++batch, at += part) {
            unsigned v[words];
            load_words<distance>(v, at, load);
#pragma clang loop unroll(full)
            for (unsigned k = 0; k < words; ++k) sum += v[k];
        }
    }
    arrived(sum);
    store_clocks(begin, clock(), clocks);
    sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void bandwidth_read(const unsigned* in, unsigned batches, unsigned rounds,
                               unsigned* sums, unsigned* clocks) {
    read_all<step>(in + first_word(batches), blockDim.x * words, batches, rounds, sums, clocks,
                   plain_load());
}

__global__ void bandwidth_read_past_l1(const unsigned* in, unsigned batches, unsigned rounds,
                                       unsigned* sums, unsigned* clocks) {
    read_all<step>(in + first_word(batches), blockDim.x * words, batches, rounds, sums, clocks,
                   load_past_l1());
}

/// Each thread reads consecutive words, so that the lanes of a load lie 8 * `batches` words apart.
__global__ void bandwidth_strided(const unsigned* in, unsigned batches, unsigned rounds,
                                  unsigned* sums, unsigned* clocks) {
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    read_all<1>(in + thread * words * batches, words, batches, rounds, sums, clocks, plain_load());
}

/// All blocks read a copy of `in` in their shared memory.
__global__ void bandwidth_shared(const unsigned* in, unsigned batches, unsigned rounds,
                                 unsigned* sums, unsigned* clocks) {
    unsigned* const window = heddle::dynamic_shared<unsigned>();
    const unsigned piece = blockDim.x * words * batches;
    for (unsigned i = threadIdx.x; i < piece; i += blockDim.x) {
        window[i] = in[blockIdx.x * piece + i];
    }
    __syncthreads();
    read_all<step>(window + first_word(batches) - blockIdx.x * piece, blockDim.x * words, batches,
                   rounds, sums, clocks, plain_load());
}

/// out[i] = i.
__global__ void bandwidth_write(unsigned batches, unsigned rounds, unsigned* out,
                                unsigned* clocks) {
    const unsigned begin = clock();
    const unsigned part = blockDim.x * words;
    for (unsigned round = 0; round < rounds; ++round) {
        unsigned first = first_word(batches);
        for (unsigned batch = 0; batch < batches; ++batch, first += part) {
            unsigned* const at = out + first;
#pragma clang loop unroll(full)
            for (unsigned k = 0; k < words; ++k) at[k * step] = first + k * step;
        }
        asm volatile("" ::: "memory");  // each round stores
    }
    __threadfence();
    store_clocks(begin, clock(), clocks);
}

/// a[i] = b[i].
__global__ void bandwidth_copy(const float* b, unsigned batches, unsigned rounds, float* a,
                               unsigned* clocks) {
    const unsigned begin = clock();
    const unsigned part = blockDim.x * words;
    for (unsigned round = 0; round < rounds; ++round) {
        unsigned first = first_word(batches);
        for (unsigned batch = 0; batch < batches; ++batch, first += part) {
            float v[words];
            load_words<step>(v, b + first, plain_load());
#pragma clang loop unroll(full)
            for (unsigned k = 0; k < words; ++k) a[first + k * step] = v[k];
        }
    }
    __threadfence();
    store_clocks(begin, clock(), clocks);
}

/// a[i] = b[i] + factor c[i], rounded once.
__global__ void bandwidth_triad(const float* b, const float* c, float factor, unsigned batches,
                                unsigned rounds, float* a, unsigned* clocks) {
    const unsigned begin = clock();
    const unsigned part = blockDim.x * words;
    for (unsigned round = 0; round < rounds; ++round) {
        unsigned first = first_word(batches);
        for (unsigned batch = 0; batch < batches; ++batch, first += part) {
            float v[words];
            float w[words];
            load_words<step>(v, b + first, plain_load());
            load_words<step>(w, c + first, plain_load());
#pragma clang loop unroll(full)
            for (unsigned k = 0; k < words; ++k) a[first + k * step] = fmaf(factor, w[k], v[k]);
        }
    }
    __threadfence();
    store_clocks(begin, clock(), clocks);
}
