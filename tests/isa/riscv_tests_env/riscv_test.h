// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// clang-format off
//
// Environment header for the published riscv-tests: a bare thread without traps or privilege modes.
// A test ends by exit(0), or by exit(2 * case + 1) at its first failed case (gp holds the case).
#pragma once

#define RVTEST_RV32U
#define RVTEST_RV64U

#define TESTNUM gp

#define RVTEST_CODE_BEGIN \
    .text;                \
    .globl _start;        \
    _start:               \
    li TESTNUM, 0;

#define RVTEST_CODE_END unimp

#define RVTEST_PASS \
    li a0, 0;       \
    li a7, 93;      \
    ecall

#define RVTEST_FAIL       \
    slli a0, TESTNUM, 1;  \
    ori a0, a0, 1;        \
    li a7, 93;            \
    ecall

#define EXTRA_DATA

#define RVTEST_DATA_BEGIN    \
    EXTRA_DATA;              \
    .balign 16;              \
    .globl begin_signature;  \
    begin_signature:

#define RVTEST_DATA_END     \
    .balign 16;             \
    .globl end_signature;   \
    end_signature:
