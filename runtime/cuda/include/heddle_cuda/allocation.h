/* SPDX-License-Identifier: Apache-2.0
 * Copyright The Heddle authors
 *
 * malloc() and free() in kernels (heap.h): before the host's headers, of which clang's <new> calls
 * them. */
#ifndef HEDDLE_CUDA_ALLOCATION_H
#define HEDDLE_CUDA_ALLOCATION_H

extern "C" {
__device__ __inline__ void* malloc(__SIZE_TYPE__ bytes);
__device__ __inline__ void free(void* block);
}

#endif
