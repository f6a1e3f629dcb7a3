// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <heddle.h>

// The loop of figure 3.3 of Fung's thesis (2008): threads with an even number take the body in one
// iteration, those with an odd number in the next one. It is written in assembly, so that the body
// has exactly `ratio` times the instructions of the rest of the loop.

/// The rest of the loop has five instructions: two for the test, three for the loop.
#define HEDDLE_CONTRIVED(ratio)                                                                   \
    __global__ void contrived_##ratio(unsigned n, unsigned iterations, unsigned* results) {       \
        const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;                            \
        if (thread >= n) return;                                                                  \
        unsigned turn = thread, left = iterations, result = 0, takes;                             \
        __asm__ __volatile__(                                                                     \
            "1: andi %[takes], %[turn], 1\n"                                                      \
            "beqz %[takes], 2f\n"                                                                 \
            ".rept 5 * " #ratio                                                                   \
            "\n"                                                                                  \
            "addi %[result], %[result], 1\n"                                                      \
            ".endr\n"                                                                             \
            "2: addi %[turn], %[turn], 1\n"                                                       \
            "addi %[left], %[left], -1\n"                                                         \
            "bnez %[left], 1b\n"                                                                  \
            : [turn] "+r"(turn), [left] "+r"(left), [result] "+r"(result), [takes] "=&r"(takes)); \
        results[thread] = result;                                                                 \
    }

HEDDLE_CONTRIVED(1)
HEDDLE_CONTRIVED(8)
HEDDLE_CONTRIVED(23)
