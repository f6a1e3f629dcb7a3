// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// One warp that does a bit of everything: exact_statistics.py derives what the run counts.
#include <heddle.h>

__global__ void one_warp(unsigned* data, unsigned* sum) {
    __shared__ unsigned words[64];
    unsigned private_words[4];
    const unsigned i = threadIdx.x;
    volatile unsigned* own = private_words;
    for (unsigned k = 0; k < 4; ++k) own[k] = i + k;
    unsigned value = data[i];
    words[2 * i] = value;
    __syncthreads();
    value += words[2 * (31 - i)];
    if (i < 8) value = value / (i + 1);
    data[i + 32] = value * 3 + own[2];
    __threadfence();
    value += data[i];
    atomicAdd(&words[0], value);
    if (i % 4 == 0) atomicAdd(sum, value);
}
