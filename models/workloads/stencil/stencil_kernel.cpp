// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <heddle.h>

/// out = neighbours / 36 - centre / 6 at the inner points of an nx x ny x nz grid, x fastest, where
/// `neighbours` is the sum of the six. One thread a column of points, which it walks up with the
/// points below and above in registers; those beside come from the cache. The boundary of `out`
/// is not written.
__global__ void stencil(unsigned nx, unsigned ny, unsigned nz, const float* __restrict__ in,
                        float* __restrict__ out) {
    const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x == 0 || y == 0 || x + 1 >= nx || y + 1 >= ny || nz < 3) return;

    const unsigned size = nx * ny;
    unsigned i = y * nx + x;
    float below = in[i];
    float centre = in[i += size];
    for (unsigned z = 1; z + 1 < nz; ++z, i += size) {
        const float above = in[i + size];
        const float sum = in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx] + below + above;
        out[i] = fmaf(sum, 1.0f / 36.0f, centre * (-1.0f / 6.0f));
        below = centre;
        centre = above;
    }
}
