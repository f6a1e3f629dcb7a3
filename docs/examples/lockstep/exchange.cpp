// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// What a warp gives the other one behind a barrier.
#include <heddle.h>

__global__ void exchange(unsigned* words) {
    __shared__ unsigned shared[64];
    shared[threadIdx.x] = threadIdx.x * 3;
    __syncthreads();
    words[threadIdx.x] = shared[63 - threadIdx.x];
}
