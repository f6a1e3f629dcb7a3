// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "check.h"

// Register-immediate integer instructions, lui and auipc.
BEGIN
    CHECK_IMMEDIATE(addi, 0, 0, 0)
    CHECK_IMMEDIATE(addi, 3, -4, -1)
    CHECK_IMMEDIATE(addi, 0x7fffffff, 2047, 0x800007fe)
    CHECK_IMMEDIATE(addi, 0x80000000, -2048, 0x7ffff800)
    CHECK_IMMEDIATE(slti, -1, 0, 1)
    CHECK_IMMEDIATE(slti, 0, -1, 0)
    CHECK_IMMEDIATE(slti, 0x80000000, 2047, 1)
    CHECK_IMMEDIATE(slti, 0x7fffffff, -2048, 0)
    // The immediate is sign-extended, then compared as unsigned.
    CHECK_IMMEDIATE(sltiu, 0, 1, 1)
    CHECK_IMMEDIATE(sltiu, 5, -1, 1)
    CHECK_IMMEDIATE(sltiu, -1, -1, 0)
    CHECK_IMMEDIATE(sltiu, 0xfffff7ff, -2048, 1)
    CHECK_IMMEDIATE(xori, 0x00ff0f00, -241, 0xff00f00f)
    CHECK_IMMEDIATE(xori, 0x12345678, -1, 0xedcba987)
    CHECK_IMMEDIATE(ori, 0xff00ff00, 0x0f0, 0xff00fff0)
    CHECK_IMMEDIATE(ori, 0xff00ff00, -241, 0xffffff0f)
    CHECK_IMMEDIATE(andi, 0xff00ff00, -241, 0xff00ff00)
    CHECK_IMMEDIATE(andi, 0x00ff00ff, 0x0f0, 0x000000f0)
    CHECK_IMMEDIATE(slli, 1, 0, 1)
    CHECK_IMMEDIATE(slli, 1, 31, 0x80000000)
    CHECK_IMMEDIATE(slli, 0x21212121, 7, 0x90909080)
    CHECK_IMMEDIATE(srli, 0x80000000, 31, 1)
    CHECK_IMMEDIATE(srli, 0x80000001, 7, 0x01000000)
    CHECK_IMMEDIATE(srai, 0x80000000, 31, -1)
    CHECK_IMMEDIATE(srai, 0x80000001, 7, 0xff000000)
    CHECK_IMMEDIATE(srai, 0x7fffffff, 30, 1)

    lui t2, 0
    CHECK(t2, 0)
    lui t2, 0xfffff
    CHECK(t2, 0xfffff000)
    lui t2, 0x7ffff
    CHECK(t2, 0x7ffff000)
    lui zero, 0x80000
    CHECK(zero, 0)

    // auipc adds to its own address.
here:
    auipc t0, 0
    la t1, here
    sub t0, t0, t1
    CHECK(t0, 0)
    .balign 4096
    nop
there:
    auipc t0, 0xffffe
    la t1, there
    sub t0, t0, t1
    CHECK(t0, -8192)
    PASS
