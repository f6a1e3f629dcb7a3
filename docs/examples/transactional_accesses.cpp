// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Accesses of each thread to a word of its own, in transactions of 16 or outside of them: the
// kernels of a pair differ in nothing else. For blocks of up to 64 threads. Words 64 to 127 lie in
// rows of the banks that do not hit in each other's signatures, so no thread loses.
#include <heddle.h>

__shared__ volatile unsigned words[128];

#define FOUR(x) \
    x;          \
    x;          \
    x;          \
    x
#define SIXTEEN(x) FOUR(FOUR(x))

__global__ void plain_loads(unsigned rounds) {
    for (unsigned r = 0; r < rounds; ++r) {
        SIXTEEN((void)words[64 + threadIdx.x]);
    }
}

__global__ void transactional_loads(unsigned rounds) {
    for (unsigned r = 0; r < rounds; ++r) {
        heddle::tx_begin();
        SIXTEEN((void)words[64 + threadIdx.x]);
        heddle::tx_commit();
    }
}

__global__ void plain_stores(unsigned rounds) {
    for (unsigned r = 0; r < rounds; ++r) {
        SIXTEEN(words[64 + threadIdx.x] = r);
    }
}

__global__ void transactional_stores(unsigned rounds) {
    for (unsigned r = 0; r < rounds; ++r) {
        heddle::tx_begin();
        SIXTEEN(words[64 + threadIdx.x] = r);
        heddle::tx_commit();
    }
}
