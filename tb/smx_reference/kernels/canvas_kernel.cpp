// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Kernels that a random program is painted over (tb/smx_reference/random_program.h), and the memory
// that it uses.
#include <heddle.h>

unsigned canvas_data[16384];
__constant__ unsigned canvas_constants[2048];
extern const unsigned canvas_table[1024] __attribute__((used, section(".rodata"))) = {1, 2, 3};
__shared__ unsigned canvas_shared[2048];

/// Room for 800 instructions. They use registers that need not be kept, and find the addresses of
/// the constants and of the table in s0 and s1, as a compiler would form them.
#define CANVAS_KERNEL(name)                                                                       \
    __global__ void name() {                                                                      \
        asm volatile(                                                                             \
            "lui s0, %%hi(canvas_constants)\n addi s0, s0, %%lo(canvas_constants)\n"              \
            "lui s1, %%hi(canvas_table)\n addi s1, s1, %%lo(canvas_table)\n"                      \
            ".rept 800\n nop\n .endr" ::                                                          \
                : "s0", "s1", "t0", "t1", "t2", "t3", "t4", "t5", "t6", "a0", "a1", "a2", "a3",   \
                  "a4", "a5", "a6", "a7", "memory");                                              \
        canvas_shared[threadIdx.x] =                                                              \
            canvas_data[threadIdx.x] + canvas_constants[threadIdx.x] + canvas_table[threadIdx.x]; \
    }

CANVAS_KERNEL(random_0)
CANVAS_KERNEL(random_1)
CANVAS_KERNEL(random_2)
CANVAS_KERNEL(random_3)
