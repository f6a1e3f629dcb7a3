// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// The vector addition c = a + b with 4, 8 and 12 parameters. Those beyond the fourth are not used,
// so that the kernels do the same work. A kernel that was called would get them all the same.
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

__global__ void add_8(unsigned n, const unsigned* a, const unsigned* b, unsigned* c, unsigned,
                      unsigned, unsigned, unsigned) {
    const unsigned i = index();
    if (i < n) c[i] = a[i] + b[i];
}

__global__ void add_12(unsigned n, const unsigned* a, const unsigned* b, unsigned* c, unsigned,
                       unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned) {
    const unsigned i = index();
    if (i < n) c[i] = a[i] + b[i];
}
