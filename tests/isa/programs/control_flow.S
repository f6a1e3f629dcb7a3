// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "check.h"

// Branches forwards and backwards, jal, jalr.
#define CHECK_TAKEN(op, a, b) \
    li t0, a;                 \
    li t1, b;                 \
    op t0, t1, 3f;            \
    2:                        \
    UNREACHABLE;              \
    4:                        \
    j 5f;                     \
    3:                        \
    op t0, t1, 4b;            \
    UNREACHABLE;              \
    5:

#define CHECK_NOT_TAKEN(op, a, b) \
    li t0, a;                     \
    li t1, b;                     \
    op t0, t1, 3f;                \
    j 4f;                         \
    3:                            \
    UNREACHABLE;                  \
    4:

BEGIN
    CHECK_TAKEN(beq, 0, 0)
    CHECK_TAKEN(beq, -1, -1)
    CHECK_NOT_TAKEN(beq, 0, 1)
    CHECK_NOT_TAKEN(beq, 0x80000000, 0)
    CHECK_TAKEN(bne, 0, 1)
    CHECK_TAKEN(bne, 0x80000000, 0)
    CHECK_NOT_TAKEN(bne, 7, 7)
    CHECK_TAKEN(blt, -2, -1)
    CHECK_TAKEN(blt, 0x80000000, 0x7fffffff)
    CHECK_NOT_TAKEN(blt, 1, 1)
    CHECK_NOT_TAKEN(blt, 1, -1)
    CHECK_TAKEN(bge, 1, 1)
    CHECK_TAKEN(bge, 0x7fffffff, 0x80000000)
    CHECK_NOT_TAKEN(bge, -2, -1)
    CHECK_NOT_TAKEN(bge, 0x80000000, 0)
    CHECK_TAKEN(bltu, 1, 2)
    CHECK_TAKEN(bltu, 0x7fffffff, 0x80000000)
    CHECK_NOT_TAKEN(bltu, -1, 1)
    CHECK_NOT_TAKEN(bltu, 5, 5)
    CHECK_TAKEN(bgeu, 5, 5)
    CHECK_TAKEN(bgeu, -1, 1)
    CHECK_NOT_TAKEN(bgeu, 0x7fffffff, 0x80000000)

    // A counted loop.
    li s0, 0
    li s1, 10
loop:
    addi s0, s0, 3
    addi s1, s1, -1
    bnez s1, loop
    CHECK(s0, 30)

    jal s0, after_jal
link_of_jal:
    UNREACHABLE
after_jal:
    la t1, link_of_jal
    sub s0, s0, t1
    CHECK(s0, 0)

    // jalr clears bit 0 of the target and adds its offset.
    la t0, jalr_target
    addi t0, t0, 9
    jalr s0, -8(t0)
link_of_jalr:
    UNREACHABLE
jalr_target:
    la t1, link_of_jalr
    sub s0, s0, t1
    CHECK(s0, 0)

    // The target is read before the link is written.
    la t0, same_register
    jalr t0, 0(t0)
link_of_same:
    UNREACHABLE
same_register:
    la t1, link_of_same
    sub t0, t0, t1
    CHECK(t0, 0)

    la t0, no_link
    jalr zero, 0(t0)
    UNREACHABLE
no_link:
    CHECK(zero, 0)

    call add_four_twice
    CHECK(a1, 8)
    PASS

add_four_twice:
    mv t5, ra
    li a1, 0
    call add_four
    call add_four
    jr t5
add_four:
    addi a1, a1, 4
    ret
