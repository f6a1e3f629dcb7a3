// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <heddle.h>

// Products of a row-major rows x columns matrix with a vector, for the kernels of atax, bicg and
// mvt. No pointer is __restrict__: with `in_memory` every step of a sum has to be stored, since the
// next operand might be the same element.

/// result += A x, one thread a row: the lanes of a warp walk along 32 rows side by side, each in a
/// line of its own, which serves the following steps if the cache can keep it so long.
__device__ inline void add_rows(unsigned rows, unsigned columns, bool in_memory, const float* a,
                                const float* x, float* result) {
    const unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    a += row * columns;
    if (in_memory) {
        for (unsigned j = 0; j < columns; ++j) result[row] = fmaf(a[j], x[j], result[row]);
    } else {
        float sum = result[row];
        for (unsigned j = 0; j < columns; ++j) sum = fmaf(a[j], x[j], sum);
        result[row] = sum;
    }
}

/// result += A^T x, one thread a column: the lanes of a warp read neighbours of one row.
__device__ inline void add_columns(unsigned rows, unsigned columns, bool in_memory, const float* a,
                                   const float* x, float* result) {
    const unsigned column = blockIdx.x * blockDim.x + threadIdx.x;
    if (column >= columns) return;
    a += column;
    if (in_memory) {
        for (unsigned i = 0; i < rows; ++i)
            result[column] = fmaf(a[i * columns], x[i], result[column]);
    } else {
        float sum = result[column];
        for (unsigned i = 0; i < rows; ++i) sum = fmaf(a[i * columns], x[i], sum);
        result[column] = sum;
    }
}
