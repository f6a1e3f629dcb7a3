// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <heddle.h>

constexpr unsigned width = 32;  // of the block, one thread a column of points
constexpr unsigned height = 4;

/// One Jacobi iteration of Laplace's equation: out = the mean of the six neighbours in `in`, an
/// nx x ny x nz grid, x fastest; points of the boundary are copied. The block moves up plane by
/// plane. The neighbours within the plane come from shared memory, which holds the block's part of
/// it and a frame of one point; those above and below are the thread's own, in registers.
__global__ void lps(unsigned nx, unsigned ny, unsigned nz, const float* __restrict__ in,
                    float* __restrict__ out) {
    __shared__ float plane[height + 2][width + 2];

    const unsigned column = threadIdx.x + 1, row = threadIdx.y + 1;  // in `plane`
    const unsigned x = blockIdx.x * width + threadIdx.x;
    const unsigned y = blockIdx.y * height + threadIdx.y;
    const bool inside = x < nx && y < ny;
    const bool edge = x == 0 || y == 0 || x + 1 >= nx || y + 1 >= ny;
    const unsigned size = nx * ny;

    unsigned i = y * nx + x;
    float below = 0.0f, centre = 0.0f, above = inside ? in[i] : 0.0f;
    for (unsigned z = 0; z < nz; ++z, i += size) {
        below = centre;
        centre = above;
        if (inside) {
            if (z + 1 < nz) above = in[i + size];
            plane[row][column] = centre;
            if (column == 1 && x > 0) plane[row][0] = in[i - 1];
            if (column == width && x + 1 < nx) plane[row][width + 1] = in[i + 1];
            if (row == 1 && y > 0) plane[0][column] = in[i - nx];
            if (row == height && y + 1 < ny) plane[height + 1][column] = in[i + nx];
        }
        __syncthreads();
        if (inside) {
            const float sum = plane[row][column - 1] + plane[row][column + 1] +
                              plane[row - 1][column] + plane[row + 1][column] + below + above;
            out[i] = edge || z == 0 || z + 1 == nz ? centre : sum * (1.0f / 6.0f);
        }
        __syncthreads();  // nobody overwrites a plane that a neighbour still reads
    }
}
