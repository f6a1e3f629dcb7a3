// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <heddle.h>

// Blocked LU factorization without pivoting, as SPLASH-2's with contiguous tiles. Products and
// differences are rounded one by one, as on a machine without fused operations.
#pragma STDC FP_CONTRACT OFF

namespace {

// A tile has `n` rows of `n` floats.

/// tile = L U, with L's unit diagonal left out.
__forceinline__ void factor(float* tile, unsigned n) {
    for (unsigned k = 0; k < n; ++k) {
        for (unsigned i = k + 1; i < n; ++i) {
            const float factor = tile[i * n + k] /= tile[k * n + k];
            for (unsigned j = k + 1; j < n; ++j) tile[i * n + j] -= factor * tile[k * n + j];
        }
    }
}

/// Solves L X = tile for a tile to the right of the diagonal tile.
__forceinline__ void solve_lower(float* tile, const float* diagonal, unsigned n) {
    for (unsigned k = 0; k < n; ++k) {
        for (unsigned i = k + 1; i < n; ++i) {
            const float factor = diagonal[i * n + k];
            for (unsigned j = 0; j < n; ++j) tile[i * n + j] -= factor * tile[k * n + j];
        }
    }
}

/// Solves X U = tile for a tile below the diagonal tile.
__forceinline__ void solve_upper(float* tile, const float* diagonal, unsigned n) {
    for (unsigned k = 0; k < n; ++k) {
        for (unsigned i = 0; i < n; ++i) {
            const float factor = tile[i * n + k] /= diagonal[k * n + k];
            for (unsigned j = k + 1; j < n; ++j) tile[i * n + j] -= factor * diagonal[k * n + j];
        }
    }
}

/// tile -= left up.
__forceinline__ void subtract_product(float* tile, const float* left, const float* up, unsigned n) {
    for (unsigned k = 0; k < n; ++k) {
        for (unsigned i = 0; i < n; ++i) {
            const float factor = left[i * n + k];
            for (unsigned j = 0; j < n; ++j) tile[i * n + j] -= factor * up[k * n + j];
        }
    }
}

}  // namespace

/// Each block factors a matrix of tiles x tiles tiles, in place. A thread owns the tiles
/// threadIdx.x, threadIdx.x + blockDim.x, ... The block waits after each phase of a step.
__global__ void lu(unsigned tiles, unsigned n, float* matrices) {
    const unsigned count = tiles * tiles, words = n * n;
    float* const matrix = matrices + blockIdx.x * count * words;
    for (unsigned step = 0; step < tiles; ++step) {
        float* const diagonal = matrix + (step * tiles + step) * words;
        if (threadIdx.x == (step * tiles + step) % blockDim.x) factor(diagonal, n);
        __syncthreads();
        for (unsigned t = threadIdx.x; t < count; t += blockDim.x) {
            const unsigned row = t / tiles, column = t % tiles;
            if (row == step && column > step) {
                solve_lower(matrix + t * words, diagonal, n);
            } else if (column == step && row > step) {
                solve_upper(matrix + t * words, diagonal, n);
            }
        }
        __syncthreads();
        for (unsigned t = threadIdx.x; t < count; t += blockDim.x) {
            const unsigned row = t / tiles, column = t % tiles;
            if (row > step && column > step) {
                subtract_product(matrix + t * words, matrix + (row * tiles + step) * words,
                                 matrix + (step * tiles + column) * words, n);
            }
        }
        __syncthreads();
    }
}
