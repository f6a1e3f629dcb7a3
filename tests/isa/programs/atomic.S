// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "check.h"

// A and amocas.w: old value in rd, new value in memory; lr and sc.
#define CHECK_AMO(op, old, operand, new) \
    la t0, word;                         \
    li t1, old;                          \
    sw t1, 0(t0);                        \
    li t1, operand;                      \
    op t2, t1, (t0);                     \
    CHECK(t2, old);                      \
    CHECK(t1, operand);                  \
    lw t2, 0(t0);                        \
    CHECK(t2, new);                      \
    li t2, old;                          \
    sw t2, 0(t0);                        \
    op t1, t1, (t0);                     \
    CHECK(t1, old);                      \
    lw t2, 0(t0);                        \
    CHECK(t2, new)

// amocas.w t2, t1, (t0): LLVM 19 assembles it as experimental only.
#define AMOCAS .insn r 0x2f, 2, 0x14, t2, t0, t1
#define AMOCAS_TO_ZERO .insn r 0x2f, 2, 0x14, zero, t0, t1

#define CHECK_CAS(old, expected, desired, new) \
    la t0, word;                               \
    li t1, old;                                \
    sw t1, 0(t0);                              \
    li t1, desired;                            \
    li t2, expected;                           \
    AMOCAS;                                    \
    CHECK(t2, old);                            \
    lw t2, 0(t0);                              \
    CHECK(t2, new)

BEGIN
    CHECK_AMO(amoswap.w, 0x80000000, 0x800, 0x800)
    CHECK_AMO(amoadd.w, 0x80000000, 0xfffff800, 0x7ffff800)
    CHECK_AMO(amoxor.w, 0x80000001, 0xc0000001, 0x40000000)
    CHECK_AMO(amoand.w, 0x80000001, 0xc0000003, 0x80000001)
    CHECK_AMO(amoor.w, 0x80000001, 0x00000002, 0x80000003)
    CHECK_AMO(amomin.w, 0x80000000, 5, 0x80000000)
    CHECK_AMO(amomin.w, 5, -1, -1)
    CHECK_AMO(amomax.w, 0x80000000, 5, 5)
    CHECK_AMO(amomax.w, 5, -1, 5)
    CHECK_AMO(amominu.w, 0x80000000, 5, 5)
    CHECK_AMO(amominu.w, 5, -1, 5)
    CHECK_AMO(amomaxu.w, 0x80000000, 5, 0x80000000)
    CHECK_AMO(amomaxu.w, 5, -1, -1)
    CHECK_AMO(amoadd.w.aqrl, 1, 2, 3)
    CHECK_CAS(7, 7, 9, 9)
    CHECK_CAS(7, 8, 9, 7)
    CHECK_CAS(0x80000000, 0x80000000, 0, 0)

    // With rd = x0, zero is compared.
    la t0, word
    sw zero, 0(t0)
    li t1, 5
    AMOCAS_TO_ZERO
    lw t2, 0(t0)
    CHECK(t2, 5)
    li t1, 6
    AMOCAS_TO_ZERO
    lw t2, 0(t0)
    CHECK(t2, 5)
    CHECK(zero, 0)

    // A reservation holds for one sc, and for its own address only.
    la t0, word
    li t1, 11
    sc.w t2, t1, (t0)
    CHECK(t2, 1)
    lr.w t2, (t0)
    CHECK(t2, 5)
    sc.w t2, t1, (t0)
    CHECK(t2, 0)
    lw t2, 0(t0)
    CHECK(t2, 11)
    sc.w t2, t1, (t0)
    CHECK(t2, 1)
    lr.w.aq t2, (t0)
    addi t0, t0, 4
    sc.w.rl t2, t1, (t0)
    CHECK(t2, 1)
    lw t2, 0(t0)
    CHECK(t2, 0x1234)

    // A loop of lr and sc adds up.
    la t0, word
    sw zero, 0(t0)
    li s0, 20
retry:
    lr.w t1, (t0)
    addi t1, t1, 3
    sc.w t2, t1, (t0)
    bnez t2, retry
    addi s0, s0, -1
    bnez s0, retry
    lw t2, 0(t0)
    CHECK(t2, 60)
    PASS

    .data
    .balign 4
word:
    .word 0
    .word 0x1234
