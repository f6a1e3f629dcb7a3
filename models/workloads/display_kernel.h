// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <heddle.h>

// The task that wants blocks while a cooperative kernel runs (cooperative_run.h): a product of
// matrices C = A B, tile after tile. It stands for the drawing of a display.

constexpr unsigned display_tile = 16;   ///< width and height of a tile
constexpr unsigned display_inner = 16;  ///< columns of A, rows of B
constexpr unsigned display_wide = 16;   ///< tiles from left to right; B has no more columns

/// Blocks of display_tile x display_tile threads share `tiles` tiles of C, row of tiles after row.
__global__ void display(unsigned tiles, const float* __restrict__ a, const float* __restrict__ b,
                        float* __restrict__ c) {
    __shared__ float a_tile[display_tile][display_tile];
    __shared__ float b_tile[display_tile][display_tile];
    constexpr unsigned columns = display_wide * display_tile;
    const unsigned x = threadIdx.x, y = threadIdx.y;

    for (unsigned tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        const unsigned row = tile / display_wide * display_tile + y;
        const unsigned column = tile % display_wide * display_tile + x;
        float sum = 0.0f;
        for (unsigned first = 0; first < display_inner; first += display_tile) {
            a_tile[y][x] = a[row * display_inner + first + x];
            b_tile[y][x] = b[(first + y) * columns + column];
            __syncthreads();
#pragma clang loop unroll(full)
            for (unsigned k = 0; k < display_tile; ++k) sum += a_tile[y][k] * b_tile[k][x];
            __syncthreads();  // nobody overwrites a tile that a neighbour still reads
        }
        c[row * columns + column] = sum;
    }
}
