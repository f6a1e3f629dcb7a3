// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <heddle.h>

/// One Jacobi iteration of Laplace's equation, as lps: out = the mean of the six neighbours in
/// `in`, an nx x ny x nz grid, x fastest; points of the boundary are copied. One thread computes
/// one point, and all that it reads comes from global memory.
__global__ void laplace(unsigned nx, unsigned ny, unsigned nz, const float* __restrict__ in,
                        float* __restrict__ out) {
    const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
    const unsigned z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x >= nx || y >= ny || z >= nz) return;

    const unsigned size = nx * ny;
    const unsigned i = z * size + y * nx + x;
    if (x == 0 || y == 0 || z == 0 || x + 1 == nx || y + 1 == ny || z + 1 == nz) {
        out[i] = in[i];
    } else {
        const float sum =
            in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx] + in[i - size] + in[i + size];
        out[i] = sum * (1.0f / 6.0f);
    }
}
