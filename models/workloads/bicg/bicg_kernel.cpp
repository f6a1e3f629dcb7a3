// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/workloads/matrix_vector_kernel.h"

/// q += A p
__global__ void bicg_rows(unsigned rows, unsigned columns, unsigned in_memory, const float* a,
                          const float* x, float* result) {
    add_rows(rows, columns, in_memory != 0, a, x, result);
}

/// s += A^T r
__global__ void bicg_columns(unsigned rows, unsigned columns, unsigned in_memory, const float* a,
                             const float* x, float* result) {
    add_columns(rows, columns, in_memory != 0, a, x, result);
}
