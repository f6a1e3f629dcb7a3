// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// The vector addition c = a + b with 4 and 8 parameters; those beyond the fourth are added,
// too.
#include <heddle.h>

namespace {
__device__ unsigned index() {
    return blockIdx.x * blockDim.x + threadIdx.x;
}
}  // namespace

__global__ void add_4(unsigned n, const unsigned* a, const unsigned* b, unsigned* c) {
    const unsigned i = index();
    if (i < n) c[i] = a[i] + b[i];
}

__global__ void add_8(unsigned n, const unsigned* a, const unsigned* b, unsigned* c, unsigned p,
                      unsigned q, unsigned r, unsigned s) {
    const unsigned i = index();
    if (i < n) c[i] = a[i] + b[i] + (p + q + r + s);
}
