// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <heddle.h>

// C = A B, all row-major: A is rows x inner, B is inner x columns, C is rows x columns.
// Both kernels add the products in the same order.

/// One thread an element of C; every operand comes from global memory. An element is the first of
/// `words` words.
template <unsigned words>
__device__ __forceinline__ void multiply(unsigned rows, unsigned columns, unsigned inner,
                                         const float* __restrict__ a, const float* __restrict__ b,
                                         float* __restrict__ c) {
    const unsigned column = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || column >= columns) return;

    float sum = 0.0f;
    for (unsigned k = 0; k < inner; ++k) {
        sum += a[(row * inner + k) * words] * b[(k * columns + column) * words];
    }
    c[(row * columns + column) * words] = sum;
}

__global__ void matrix_naive(unsigned rows, unsigned columns, unsigned inner,
                             const float* __restrict__ a, const float* __restrict__ b,
                             float* __restrict__ c) {
    multiply<1>(rows, columns, inner, a, b, c);
}

/// Elements of eight bytes.
__global__ void matrix_naive_wide(unsigned rows, unsigned columns, unsigned inner,
                                  const float* __restrict__ a, const float* __restrict__ b,
                                  float* __restrict__ c) {
    multiply<2>(rows, columns, inner, a, b, c);
}

/// One block of tile x tile threads a tile of C; the block stages a tile of A and a tile of B in
/// shared memory, so that each operand is read from global memory once per block instead of once
/// per thread.
template <unsigned tile>
__device__ void multiply_tiled(unsigned rows, unsigned columns, unsigned inner,
                               const float* __restrict__ a, const float* __restrict__ b,
                               float* __restrict__ c) {
    __shared__ float a_tile[tile][tile];
    __shared__ float b_tile[tile][tile];

    const unsigned x = threadIdx.x, y = threadIdx.y;
    const unsigned column = blockIdx.x * tile + x;
    const unsigned row = blockIdx.y * tile + y;

    float sum = 0.0f;
    for (unsigned first = 0; first < inner; first += tile) {
        // Threads outside the matrices load zeros and take part in every barrier.
        const unsigned a_column = first + x, b_row = first + y;
        a_tile[y][x] = row < rows && a_column < inner ? a[row * inner + a_column] : 0.0f;
        b_tile[y][x] = b_row < inner && column < columns ? b[b_row * columns + column] : 0.0f;
        __syncthreads();
#pragma clang loop unroll(full)
        for (unsigned k = 0; k < tile; ++k) sum += a_tile[y][k] * b_tile[k][x];
        __syncthreads();  // nobody overwrites a tile that a neighbour still reads
    }
    if (row < rows && column < columns) c[row * columns + column] = sum;
}

__global__ void matrix_tiled(unsigned rows, unsigned columns, unsigned inner,
                             const float* __restrict__ a, const float* __restrict__ b,
                             float* __restrict__ c) {
    multiply_tiled<16>(rows, columns, inner, a, b, c);
}

__global__ void matrix_tiled_32(unsigned rows, unsigned columns, unsigned inner,
                                const float* __restrict__ a, const float* __restrict__ b,
                                float* __restrict__ c) {
    multiply_tiled<32>(rows, columns, inner, a, b, c);
}
