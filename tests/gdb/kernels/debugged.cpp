// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// What the sessions of tests/gdb debug. Lines are found by their marks.
#include <heddle.h>

__shared__ unsigned partial[64];
__device__ unsigned written;
__device__ unsigned char bytes[64];

__device__ __attribute__((noinline)) unsigned weigh(unsigned value, unsigned i) {
    unsigned weight = i % 3;  // mark: weigh
    if (weight == 0) {
        weight = 5;  // mark: five
    } else {
        weight += 1;  // mark: other
    }
    return value * weight;  // mark: weighed
}

__global__ void sum(const unsigned* in, unsigned* out, unsigned n) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned mine = 0;
    if (i < n) mine = weigh(in[i], i);
    partial[threadIdx.x] = mine;  // mark: partial
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned total = 0;
        for (unsigned k = 0; k < blockDim.x; ++k) total += partial[k];
        out[blockIdx.x] = total;  // mark: total
    }
}

__global__ void fault(unsigned* out, unsigned n) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned* where = out + i;
    if (i == 37) where = nullptr;
    *where = i + n;  // mark: fault
}

__global__ void adds(unsigned* out, unsigned n) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned old = atomicAdd(out, n);  // mark: add
    out[i + 1] = old;
}

__global__ void race(unsigned* out) {
    __shared__ unsigned mine;
    mine = threadIdx.x;  // mark: race
    out[threadIdx.x] = mine;
}

__global__ void spin(volatile unsigned* out) {
    while (*out == 0) {  // mark: spin
    }
    out[1] = 7;
}

__global__ void writes(unsigned* out, unsigned n) {
    for (unsigned k = 0; k < n; ++k) {
        if (threadIdx.x == k) {
            written = 10 * k;  // mark: write
            bytes[k] = static_cast<unsigned char>(k + 1);
        }
    }
    out[threadIdx.x] = written;  // mark: result
}

// Optimized, the atomic has no register for its result. In the other program one more kernel would
// move the others, and change their cycles.
#ifdef __OPTIMIZE__
__global__ void maximum(unsigned* out, unsigned n) {
    atomicMax(out, n);  // mark: maximum
    if (threadIdx.x == 0) *out = 9;
}
#endif
