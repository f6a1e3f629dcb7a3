// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <heddle.h>

__shared__ unsigned partial[64];

__device__ unsigned weigh(unsigned value, unsigned i) {
    unsigned weight = i % 3;
    if (weight == 0) {
        weight = 5;
    } else {
        weight += 1;
    }
    return value * weight;
}

__global__ void sum(const unsigned* in, unsigned* out, unsigned n) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned mine = 0;
    if (i < n) mine = weigh(in[i], i);
    partial[threadIdx.x] = mine;
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned total = 0;
        for (unsigned k = 0; k < blockDim.x; ++k) total += partial[k];
        out[blockIdx.x] = total;
    }
}
