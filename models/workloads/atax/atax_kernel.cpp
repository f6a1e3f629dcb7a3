// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/workloads/matrix_vector_kernel.h"

/// product += A x
__global__ void atax_rows(unsigned rows, unsigned columns, unsigned in_memory, const float* a,
                          const float* x, float* result) {
    add_rows(rows, columns, in_memory != 0, a, x, result);
}

/// y += A^T product
__global__ void atax_columns(unsigned rows, unsigned columns, unsigned in_memory, const float* a,
                             const float* x, float* result) {
    add_columns(rows, columns, in_memory != 0, a, x, result);
}
