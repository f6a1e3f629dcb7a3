// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <heddle.h>

/// Points of a Sobol' sequence in the Gray code order of Antonov and Saleev: point i is the XOR of
/// the direction numbers v[k] whose bit k of i ^ (i >> 1) is set. out[d * points + i] = coordinate
/// d of point i in [0, 1]. blockIdx.y is the dimension. The grid's threads along x are a power of
/// two, at least 2: from a thread's point to its next, `2^shift` later, two bits of the Gray code
/// change, shift - 1 and the lowest zero bit of i >> shift, shifted back.
__global__ void sobolqrng(unsigned points, unsigned shift, const unsigned* __restrict__ directions,
                          float* __restrict__ out) {
    __shared__ unsigned v[32];

    const unsigned dimension = blockIdx.y;
    for (unsigned k = threadIdx.x; k < 32; k += blockDim.x) v[k] = directions[dimension * 32 + k];
    __syncthreads();

    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned x = 0;
    for (unsigned gray = i ^ (i >> 1), k = 0; gray != 0; gray >>= 1, ++k)
        if ((gray & 1) != 0) x ^= v[k];

    const unsigned v_low = v[shift - 1];
    float* const coordinates = out + dimension * points;
    for (; i < points; i += 1u << shift) {
        coordinates[i] = static_cast<float>(x) * 0x1p-32f;
        x ^= v_low ^ v[shift + __ffs(static_cast<int>(~(i >> shift))) - 1];
    }
}
