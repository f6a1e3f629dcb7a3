// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "check.h"

// Loads and stores: sizes, signs, offsets, bytes in little-endian order, neighbours untouched.
#define CHECK_LOAD(op, offset, base, value) \
    la t0, base;                            \
    op t2, offset(t0);                      \
    CHECK(t2, value);                       \
    op t0, offset(t0);                      \
    CHECK(t0, value)

#define CHECK_STORE(op, value, offset, base, word_address, word) \
    la t0, base;                                                 \
    li t1, value;                                                \
    op t1, offset(t0);                                           \
    la t0, word_address;                                         \
    lw t2, 0(t0);                                                \
    CHECK(t2, word)

BEGIN
    CHECK_LOAD(lb, 0, bytes, 0x01)
    CHECK_LOAD(lb, 1, bytes, 0xffffff82)
    CHECK_LOAD(lb, 3, bytes, 0xfffffff4)
    CHECK_LOAD(lb, -1, bytes_end, 0x7f)
    CHECK_LOAD(lbu, 0, bytes, 0x01)
    CHECK_LOAD(lbu, 1, bytes, 0x82)
    CHECK_LOAD(lbu, -1, bytes_end, 0x7f)
    CHECK_LOAD(lh, 0, bytes, 0xffff8201)
    CHECK_LOAD(lh, 2, bytes, 0xfffff473)
    CHECK_LOAD(lh, -2, bytes_end, 0x7f00)
    CHECK_LOAD(lhu, 0, bytes, 0x8201)
    CHECK_LOAD(lhu, -2, bytes_end, 0x7f00)
    CHECK_LOAD(lw, 0, bytes, 0xf4738201)
    CHECK_LOAD(lw, -4, bytes_end, 0x7f0080ff)
    CHECK_LOAD(lw, 2044, bytes - 2044, 0xf4738201)
    CHECK_LOAD(lw, -2048, bytes + 2048, 0xf4738201)
    la t0, bytes
    lw zero, 0(t0)
    CHECK(zero, 0)

    CHECK_STORE(sb, 0xabcdefaa, 0, word_0, word_0, 0xefefefaa)
    CHECK_STORE(sb, 0x00000055, -1, word_1, word_0, 0x55efefaa)
    CHECK_STORE(sh, 0xabcd1234, 2, word_0, word_0, 0x1234efaa)
    CHECK_STORE(sh, 0x8765, -4, word_1, word_0, 0x12348765)
    CHECK_STORE(sw, 0xdeadbeef, 0, word_0, word_0, 0xdeadbeef)
    CHECK_STORE(sw, 0x01020304, -2048, word_0 + 2048, word_0, 0x01020304)
    CHECK_STORE(sw, 0x0a0b0c0d, 2044, word_0 - 2044, word_0, 0x0a0b0c0d)
    la t0, word_1
    lw t2, 0(t0)
    CHECK(t2, 0xefefefef)
    lw t2, -8(t0)
    CHECK(t2, 0xefefefef)
    sw zero, 0(t0)
    lw t2, 0(t0)
    CHECK(t2, 0)

    // A store and a load of other sizes at the same address.
    li t1, 0x80c0
    sh t1, 0(t0)
    lb t2, 1(t0)
    CHECK(t2, 0xffffff80)
    lbu t2, 0(t0)
    CHECK(t2, 0xc0)
    PASS

    .data
    .balign 4
bytes:
    .byte 0x01, 0x82, 0x73, 0xf4, 0xff, 0x80, 0x00, 0x7f
bytes_end:
    .word 0xefefefef
word_0:
    .word 0xefefefef
word_1:
    .word 0xefefefef
