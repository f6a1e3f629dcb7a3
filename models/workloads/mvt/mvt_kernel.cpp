// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/workloads/matrix_vector_kernel.h"

/// x1 += A y1
__global__ void mvt_rows(unsigned rows, unsigned columns, unsigned in_memory, const float* a,
                         const float* x, float* result) {
    add_rows(rows, columns, in_memory != 0, a, x, result);
}

/// x2 += A^T y2
__global__ void mvt_columns(unsigned rows, unsigned columns, unsigned in_memory, const float* a,
                            const float* x, float* result) {
    add_columns(rows, columns, in_memory != 0, a, x, result);
}
