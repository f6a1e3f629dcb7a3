// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <heddle.h>

// out[column][row] = in[row][column] for a row-major rows x columns matrix of 32-bit elements.
// The block is 32 x 8 threads and moves a 32 x 32 tile, four rows a thread.
constexpr unsigned tile = 32;

/// Reads along rows (coalesced) and writes along columns (one transaction a lane).
__global__ void transpose_naive(unsigned rows, unsigned columns, const unsigned* __restrict__ in,
                                unsigned* __restrict__ out) {
    const unsigned column = blockIdx.x * tile + threadIdx.x;
    for (unsigned y = threadIdx.y; y < tile; y += blockDim.y) {
        const unsigned row = blockIdx.y * tile + y;
        if (row < rows && column < columns) out[column * rows + row] = in[row * columns + column];
    }
}

/// Turns the tile in shared memory, so that reads and writes are both coalesced.
__global__ void transpose_padded(unsigned rows, unsigned columns, const unsigned* __restrict__ in,
                                 unsigned* __restrict__ out) {
    // The padding column puts a column's elements into different banks.
    __shared__ unsigned buffer[tile][tile + 1];

    const unsigned column = blockIdx.x * tile + threadIdx.x;
    for (unsigned y = threadIdx.y; y < tile; y += blockDim.y) {
        const unsigned row = blockIdx.y * tile + y;
        if (row < rows && column < columns) buffer[y][threadIdx.x] = in[row * columns + column];
    }
    __syncthreads();

    const unsigned out_column = blockIdx.y * tile + threadIdx.x;  // a row of the input
    for (unsigned y = threadIdx.y; y < tile; y += blockDim.y) {
        const unsigned out_row = blockIdx.x * tile + y;
        if (out_row < columns && out_column < rows)
            out[out_row * rows + out_column] = buffer[threadIdx.x][y];
    }
}
