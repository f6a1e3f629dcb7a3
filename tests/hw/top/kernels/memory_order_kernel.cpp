// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Kernels whose result depends on where data lie: L1 lines, L2 lines, parameter buffers.
#include <heddle.h>

namespace {
__device__ void wait_for(const unsigned* flag, unsigned value) {
    while (__ldcg(flag) < value) {
    }
}
__device__ unsigned plain(const unsigned* word) {
    return *static_cast<const volatile unsigned*>(word);
}
}  // namespace

/// Parameters of many launches reuse one buffer.
__global__ void store_argument(unsigned* out, unsigned index, unsigned value) {
    out[index] = value;
}

/// Every thread loads the same word, plainly.
__global__ void spread(const unsigned* in, unsigned* out) {
    out[blockIdx.x * blockDim.x + threadIdx.x] = *in;
}

/// The same by way of the read-only cache, if there is one.
__global__ void spread_read_only(const unsigned* in, unsigned* out) {
    out[blockIdx.x * blockDim.x + threadIdx.x] = __ldg(in);
}

__constant__ unsigned constants[4] = {1, 2, 3, 4};

/// All lanes load one constant, then lanes load different ones.
__global__ void add_constants(unsigned* out) {
    out[blockIdx.x * blockDim.x + threadIdx.x] = constants[0] + 100 * constants[threadIdx.x % 4];
}

/// out[i] = 3 out[i] + k: launches of one stream must not change places.
__global__ void append(unsigned* out, unsigned index, unsigned k) {
    if (blockIdx.x == 0 && threadIdx.x == 0) out[index] = 3 * out[index] + k;
}

/// Block 0 loads a word; block 1, on another SMX, changes it; what does block 0 see then?
/// seen: before, plain load, __ldcg, plain load after a fence.
__global__ void stale_line(unsigned* word, unsigned* flags, unsigned* seen) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        seen[0] = plain(word);  // the store waits for the load, and what follows for the store
        atomicExch(&flags[0], 1u);
        wait_for(&flags[1], 1);
        seen[1] = plain(word);
        seen[2] = __ldcg(word);
        __threadfence();
        seen[3] = plain(word);
    } else {
        wait_for(&flags[0], 1);
        *static_cast<volatile unsigned*>(word) = 77;
        __threadfence();
        atomicExch(&flags[1], 1u);
    }
}

/// Block 0 writes, all others read what it wrote: a fence on both sides makes plain loads good.
/// Round r writes r + index; `old` counts the words that a reader found to be of another round.
__global__ void publish(unsigned* data, unsigned* flags, unsigned* old, unsigned rounds) {
    const unsigned words = blockDim.x;
    for (unsigned round = 1; round <= rounds; ++round) {
        if (blockIdx.x == 0) {
            data[threadIdx.x] = round + threadIdx.x;
            __threadfence();
            __syncthreads();
            if (threadIdx.x == 0) {
                atomicExch(&flags[0], round);
                wait_for(&flags[1], round * (gridDim.x - 1));
            }
        } else {
            if (threadIdx.x == 0) wait_for(&flags[0], round);
            __syncthreads();
            __threadfence();
            const unsigned other = (threadIdx.x + 1) % words;
            if (plain(&data[other]) != round + other) atomicAdd(old, 1u);
            __syncthreads();
            if (threadIdx.x == 0) atomicAdd(&flags[1], 1u);
        }
        __syncthreads();
    }
}

/// Every thread takes a ticket.
__global__ void tickets(unsigned* counter, unsigned* taken) {
    atomicAdd(&taken[atomicAdd(counter, 1u)], 1u);
}

/// Private arrays that don't fit a small L1D, rewritten in rounds.
__global__ void spills(unsigned* out, unsigned rounds) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    volatile unsigned words[48];
    for (unsigned k = 0; k < 48; ++k) words[k] = i + k;
    for (unsigned round = 0; round < rounds; ++round) {
        for (unsigned k = 0; k < 48; ++k) words[k] = words[k] + words[(k + i) % 48];
    }
    unsigned sum = 0;
    for (unsigned k = 0; k < 48; ++k) sum = 31 * sum + words[k];
    out[i] = sum;
}
