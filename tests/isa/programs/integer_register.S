// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "check.h"

// Register-register integer instructions.
BEGIN
    CHECK_BINARY(add, 0, 0, 0)
    CHECK_BINARY(add, 3, 7, 10)
    CHECK_BINARY(add, 0x7fffffff, 1, 0x80000000)
    CHECK_BINARY(add, 0x80000000, 0x80000000, 0)
    CHECK_BINARY(add, -1, 1, 0)
    CHECK_BINARY(add, 0xffff8000, 0x7fff, -1)
    CHECK_SAME(add, 0x40000001, 0x80000002)

    CHECK_BINARY(sub, 0, 0, 0)
    CHECK_BINARY(sub, 3, 7, -4)
    CHECK_BINARY(sub, 0x80000000, 1, 0x7fffffff)
    CHECK_BINARY(sub, 0, 0x80000000, 0x80000000)
    CHECK_BINARY(sub, 0, 0xffff8000, 0x8000)
    CHECK_SAME(sub, 0x12345678, 0)

    CHECK_BINARY(and, 0xff00ff00, 0x0f0f0f0f, 0x0f000f00)
    CHECK_BINARY(and, 0x00ff00ff, 0xf0f0f0f0, 0x00f000f0)
    CHECK_SAME(and, 0xa5a5a5a5, 0xa5a5a5a5)
    CHECK_BINARY(or, 0xff00ff00, 0x0f0f0f0f, 0xff0fff0f)
    CHECK_BINARY(or, 0, 0x80000001, 0x80000001)
    CHECK_SAME(or, 0xa5a5a5a5, 0xa5a5a5a5)
    CHECK_BINARY(xor, 0xff00ff00, 0x0f0f0f0f, 0xf00ff00f)
    CHECK_BINARY(xor, -1, 0x12345678, 0xedcba987)
    CHECK_SAME(xor, 0xa5a5a5a5, 0)

    CHECK_BINARY(slt, 0, 0, 0)
    CHECK_BINARY(slt, -1, 0, 1)
    CHECK_BINARY(slt, 0, -1, 0)
    CHECK_BINARY(slt, 0x80000000, 0x7fffffff, 1)
    CHECK_BINARY(slt, 0x7fffffff, 0x80000000, 0)
    CHECK_SAME(slt, 5, 0)
    CHECK_BINARY(sltu, 0, 0, 0)
    CHECK_BINARY(sltu, -1, 0, 0)
    CHECK_BINARY(sltu, 0, -1, 1)
    CHECK_BINARY(sltu, 0x80000000, 0x7fffffff, 0)
    CHECK_BINARY(sltu, 0x7fffffff, 0x80000000, 1)
    CHECK_SAME(sltu, -1, 0)

    // Shifts take the low five bits of rs2.
    CHECK_BINARY(sll, 1, 0, 1)
    CHECK_BINARY(sll, 1, 31, 0x80000000)
    CHECK_BINARY(sll, 0x21212121, 14, 0x48484000)
    CHECK_BINARY(sll, 0x21212121, 0xffffffe7, 0x90909080)
    CHECK_SAME(sll, 3, 24)
    CHECK_BINARY(srl, 0x80000000, 0, 0x80000000)
    CHECK_BINARY(srl, 0x80000000, 31, 1)
    CHECK_BINARY(srl, 0xffffffff, 7, 0x01ffffff)
    CHECK_BINARY(srl, 0x21212121, 0xffffffc0, 0x21212121)
    CHECK_SAME(srl, 0x84, 8)
    CHECK_BINARY(sra, 0x80000000, 0, 0x80000000)
    CHECK_BINARY(sra, 0x80000000, 31, -1)
    CHECK_BINARY(sra, 0x7fffffff, 31, 0)
    CHECK_BINARY(sra, 0x81818181, 0xffffffee, 0xfffe0606)
    CHECK_SAME(sra, 0x84, 8)
    PASS
