// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <heddle.h>

#include "models/workloads/microbenchmark_kernel.h"

// Bandwidth microbenchmarks. All blocks move over the arrays side by side, `batches` times, with 4
// words of each thread at a time. Each block does so `rounds` times. All but strided and
// triad do with the registers that a function need not save, so that private memory is left alone.

constexpr unsigned words = 4;  // of a thread at a time: independent accesses in flight
constexpr unsigned step = 64;  // words from one of them to the next: the widest warp's lanes

/// First word of the calling thread, which is of the `block`th block. 64 threads share 256 words.
__forceinline__ unsigned first_word(unsigned block) {
    return block * blockDim.x * words + threadIdx.x / step * (step * words) + threadIdx.x % step;
}

/// Words from one of a thread's batches to the next.
__forceinline__ unsigned words_of_grid() {
    return gridDim.x * blockDim.x * words;
}

/// The loads above are issued before anything waits for one of their values.
template <typename word>
__forceinline__ void all_issued(word (&v)[words]) {
    static_assert(words == 4);
    asm volatile("" : "+r"(v[0]), "+r"(v[1]), "+r"(v[2]), "+r"(v[3])::"memory");
}

/// A thread's words of a batch; `load` takes one.
template <typename word, typename loader>
__forceinline__ void load_words(word (&v)[words], const word* at, loader load) {
#pragma clang loop unroll(full)
    for (unsigned k = 0; k < words; ++k) v[k] = load(at + k * step);
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

/// Adds up what the thread reads, into sums[thread]. Its batches are `next` words apart.
template <typename loader>
__forceinline__ void read_all(const unsigned* in, unsigned next, unsigned batches, unsigned rounds,
                              unsigned* sums, unsigned* clocks, loader load) {
    const unsigned begin = clock();
    const unsigned* const behind = in + next * batches;
    unsigned sum = 0;
    for (; rounds > 0; --rounds) {
        const unsigned* at = in;
        do {
            unsigned v[words];
            load_words(v, at, load);
            sum += v[0] + v[1] + v[2] + v[3];
            at += next;
        } while (at != behind);
    }
    arrived(sum);
    store_clocks(begin, clock(), clocks);
    sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void bandwidth_read(const unsigned* in, unsigned batches, unsigned rounds,
                               unsigned* sums, unsigned* clocks) {
    read_all(in + first_word(blockIdx.x), words_of_grid(), batches, rounds, sums, clocks,
             plain_load());
}

__global__ void bandwidth_read_past_l1(const unsigned* in, unsigned batches, unsigned rounds,
                                       unsigned* sums, unsigned* clocks) {
    read_all(in + first_word(blockIdx.x), words_of_grid(), batches, rounds, sums, clocks,
             load_past_l1());
}

/// Each thread reads `batches` times 16 consecutive words; threads lie `stride` words apart.
__global__ void bandwidth_strided(const unsigned* in, unsigned stride, unsigned batches,
                                  unsigned rounds, unsigned* sums, unsigned* clocks) {
    constexpr unsigned words_of_line = 16;
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned begin = clock();
    const unsigned* const first = in + thread * stride;
    const unsigned* const behind = first + batches * words_of_line;
    unsigned sum = 0;
    for (; rounds > 0; --rounds) {
        for (const unsigned* at = first; at != behind; at += words_of_line) {
            unsigned v[words_of_line];
#pragma clang loop unroll(full)
            for (unsigned k = 0; k < words_of_line; ++k) v[k] = at[k];
            asm volatile("" ::: "memory");  // all loads are issued before the first sum
#pragma clang loop unroll(full)
            for (unsigned k = 0; k < words_of_line; ++k) sum += v[k];
        }
    }
    arrived(sum);
    store_clocks(begin, clock(), clocks);
    sums[thread] = sum;
}

/// Each block reads its piece of `in` from shared memory.
__global__ void bandwidth_shared(const unsigned* in, unsigned batches, unsigned rounds,
                                 unsigned* sums, unsigned* clocks) {
    unsigned* const window = heddle::dynamic_shared<unsigned>();
    const unsigned piece = blockDim.x * words * batches;
    for (unsigned i = threadIdx.x; i < piece; i += blockDim.x) {
        window[i] = in[blockIdx.x * piece + i];
    }
    __syncthreads();
    read_all(window + first_word(0), blockDim.x * words, batches, rounds, sums, clocks,
             plain_load());
}

/// Calls store_batch(i) for the first word of each batch, and notes the clocks.
template <typename function>
__forceinline__ void store_all(unsigned batches, unsigned rounds, unsigned* clocks,
                               function store_batch) {
    const unsigned begin = clock();
    const unsigned next = words_of_grid();
    const unsigned first = first_word(blockIdx.x);
    const unsigned behind = first + next * batches;
    for (; rounds > 0; --rounds) {
        unsigned i = first;
        do {
            store_batch(i);
            i += next;
        } while (i != behind);
        asm volatile("" ::: "memory");  // each round stores
    }
    __threadfence();
    store_clocks(begin, clock(), clocks);
}

/// out[i] = i.
__global__ void bandwidth_write(unsigned batches, unsigned rounds, unsigned* out,
                                unsigned* clocks) {
    store_all(batches, rounds, clocks, [&](unsigned i) {
#pragma clang loop unroll(full)
        for (unsigned k = 0; k < words; ++k) out[i + k * step] = i + k * step;
    });
}

/// a[i] = b[i].
__global__ void bandwidth_copy(const float* b, unsigned batches, unsigned rounds, float* a,
                               unsigned* clocks) {
    store_all(batches, rounds, clocks, [&](unsigned i) {
        float v[words];
        load_words(v, b + i, plain_load());
#pragma clang loop unroll(full)
        for (unsigned k = 0; k < words; ++k) a[i + k * step] = v[k];
    });
}

/// a[i] = b[i] + factor c[i], rounded once.
__global__ void bandwidth_triad(const float* b, const float* c, float factor, unsigned batches,
                                unsigned rounds, float* a, unsigned* clocks) {
    store_all(batches, rounds, clocks, [&](unsigned i) {
        float v[words];
        float w[words];
        load_words(v, b + i, plain_load());
        load_words(w, c + i, plain_load());
#pragma clang loop unroll(full)
        for (unsigned k = 0; k < words; ++k) a[i + k * step] = fmaf(factor, w[k], v[k]);
    });
}
