/* SPDX-License-Identifier: Apache-2.0
 * Copyright The Heddle authors
 *
 * malloc() and free() in kernels: before the host's headers, of which clang's <new> calls them. */
#ifndef HEDDLE_CUDA_ALLOCATION_H
#define HEDDLE_CUDA_ALLOCATION_H

extern "C" {
/* Kernels can't allocate: an error at the line that does. */
__device__ void* malloc(__SIZE_TYPE__ bytes)
    __attribute__((error("malloc() and new in a kernel: Heddle's device has no heap for kernels; "
                         "allocate on the host (cudaMalloc)")));
/* For destructors that nobody calls. */
__device__ __inline__ void free(void*) {}
}

#endif
