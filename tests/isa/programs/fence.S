// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "check.h"

// fence in its forms; fence.i makes a written instruction visible.
BEGIN
    fence
    fence rw, w
    fence.tso
    .word 0x0100000f  // pause, a hint
    la t0, patched
    la t1, replacement
    lw t2, 0(t1)
    li a1, 0
    jal s0, patched_function
    CHECK(a1, 1)
    sw t2, 0(t0)
    fence.i
    jal s0, patched_function
    CHECK(a1, 43)
    PASS

    .section .text.patched, "awx", @progbits
patched_function:
patched:
    addi a1, a1, 1
    jr s0
replacement:
    addi a1, a1, 42
