// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// clang-format off
//
// Checks for the instruction programs. A failed check ends the program with the number of its source
// line as exit code; PASS ends it with 0. t0 to t2 and t6 are scratch, the operands go through them.
#pragma once

#define BEGIN .globl _start; _start:

#define PASS                \
    li a0, 0;               \
    fail:                   \
    li a7, 93;              \
    ecall

// The register holds the value.
#define CHECK(register, value) \
    li t6, value;              \
    beq register, t6, 1f;      \
    li a0, __LINE__;           \
    j fail;                    \
    1:

// Control must not come here.
#define UNREACHABLE  \
    li a0, __LINE__; \
    j fail

// rd = op(rs1, rs2), also with rd the same register as rs1, as rs2, and with x0 as destination.
#define CHECK_BINARY(op, a, b, value) \
    li t0, a;                         \
    li t1, b;                         \
    op t2, t0, t1;                    \
    CHECK(t2, value);                 \
    CHECK(t0, a);                     \
    CHECK(t1, b);                     \
    op zero, t0, t1;                  \
    CHECK(zero, 0);                   \
    op t1, t0, t1;                    \
    CHECK(t1, value);                 \
    li t1, b;                         \
    op t0, t0, t1;                    \
    CHECK(t0, value)

// rd = op(x, x) with one source register.
#define CHECK_SAME(op, a, value) \
    li t0, a;                    \
    op t2, t0, t0;               \
    CHECK(t2, value);            \
    op t0, t0, t0;               \
    CHECK(t0, value)

// rd = op(rs1, immediate).
#define CHECK_IMMEDIATE(op, a, immediate, value) \
    li t0, a;                                    \
    op t2, t0, immediate;                        \
    CHECK(t2, value);                            \
    CHECK(t0, a);                                \
    op zero, t0, immediate;                      \
    CHECK(zero, 0);                              \
    op t0, t0, immediate;                        \
    CHECK(t0, value)

// rd = op(rs1).
#define CHECK_UNARY(op, a, value) \
    li t0, a;                     \
    op t2, t0;                    \
    CHECK(t2, value);             \
    op t0, t0;                    \
    CHECK(t0, value)

// Rounded forms with a static mode.
#define CHECK_ROUNDED(op, mode, a, b, value) \
    li t0, a;                                \
    li t1, b;                                \
    op t2, t0, t1, mode;                     \
    CHECK(t2, value)

#define CHECK_ROUNDED_UNARY(op, mode, a, value) \
    li t0, a;                                   \
    op t2, t0, mode;                            \
    CHECK(t2, value)

// rd = op(rs1, rs2, rs3).
#define CHECK_FUSED(op, mode, a, b, c, value) \
    li t0, a;                                 \
    li t1, b;                                 \
    li t2, c;                                 \
    op t3, t0, t1, t2, mode;                  \
    CHECK(t3, value);                         \
    op t2, t0, t1, t2, mode;                  \
    CHECK(t2, value)
