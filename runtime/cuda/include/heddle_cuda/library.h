/* SPDX-License-Identifier: Apache-2.0
 * Copyright The Heddle authors
 *
 * The functions of C's library that kernels have. */
#ifndef HEDDLE_CUDA_LIBRARY_H
#define HEDDLE_CUDA_LIBRARY_H

extern "C" {
/* The host prints the text when it has waited for the kernel (heddle/print.h). */
__device__ int printf(const char* format, ...) __attribute__((format(printf, 1, 2)));

/* What assert() calls. The fault's text has the name of the function: "in __assert_fail". */
__device__ __inline__ __attribute__((noinline, noreturn)) void __assert_fail(const char* condition,
                                                                             const char* file,
                                                                             unsigned int line,
                                                                             const char* function) {
    printf("%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n", file, line,
           function, blockIdx.x, blockIdx.y, blockIdx.z, threadIdx.x, threadIdx.y, threadIdx.z,
           condition);
    __trap();
}

__device__ void* memcpy(void* to, const void* from, size_t bytes);
__device__ void* memset(void* to, int value, size_t bytes);
__device__ void* memmove(void* to, const void* from, size_t bytes);
__device__ int memcmp(const void* left, const void* right, size_t bytes);
}

namespace std {
using ::free;
using ::malloc;
using ::memcmp;
using ::memcpy;
using ::memmove;
using ::memset;
using ::printf;
}  // namespace std

HEDDLE_DEVICE void __brkpt() {
    __asm__ __volatile__("ebreak" ::: "memory");
}
/* A hint, which the machine does not take. */
HEDDLE_DEVICE void __nanosleep(unsigned int) {}
HEDDLE_DEVICE void __prof_trigger(int) {}

#endif
