// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "check.h"

// Zfinx: conversions, and frm.
BEGIN
    CHECK_ROUNDED_UNARY(fcvt.w.s, rne, 0x40200000, 2)  // 2.5
    CHECK_ROUNDED_UNARY(fcvt.w.s, rtz, 0x40200000, 2)
    CHECK_ROUNDED_UNARY(fcvt.w.s, rdn, 0x40200000, 2)
    CHECK_ROUNDED_UNARY(fcvt.w.s, rup, 0x40200000, 3)
    CHECK_ROUNDED_UNARY(fcvt.w.s, rmm, 0x40200000, 3)
    CHECK_ROUNDED_UNARY(fcvt.w.s, rne, 0xc0200000, -2)
    CHECK_ROUNDED_UNARY(fcvt.w.s, rdn, 0xc0200000, -3)
    CHECK_ROUNDED_UNARY(fcvt.w.s, rmm, 0xc0200000, -3)
    CHECK_ROUNDED_UNARY(fcvt.w.s, rtz, 0x4f000000, 0x7fffffff) // 2^31
    CHECK_ROUNDED_UNARY(fcvt.w.s, rtz, 0xcf000000, 0x80000000)
    CHECK_ROUNDED_UNARY(fcvt.w.s, rne, 0xff800000, 0x80000000)
    CHECK_ROUNDED_UNARY(fcvt.w.s, rtz, 0xffc00000, 0x7fffffff)
    CHECK_ROUNDED_UNARY(fcvt.wu.s, rtz, 0x4f7fffff, 0xffffff00)
    CHECK_ROUNDED_UNARY(fcvt.wu.s, rtz, 0x4f800000, 0xffffffff)
    CHECK_ROUNDED_UNARY(fcvt.wu.s, rtz, 0xbf7fffff, 0)
    CHECK_ROUNDED_UNARY(fcvt.wu.s, rdn, 0xbf000000, 0)
    CHECK_ROUNDED_UNARY(fcvt.wu.s, rne, 0xc0000000, 0)
    CHECK_ROUNDED_UNARY(fcvt.wu.s, rup, 0x7fc00000, 0xffffffff)
    CHECK_ROUNDED_UNARY(fcvt.wu.s, rup, 0x3f000001, 1)
    CHECK_ROUNDED_UNARY(fcvt.s.w, rne, 0x01000001, 0x4b800000) // 2^24 + 1, a tie
    CHECK_ROUNDED_UNARY(fcvt.s.w, rup, 0x01000001, 0x4b800001)
    CHECK_ROUNDED_UNARY(fcvt.s.w, rmm, 0x01000001, 0x4b800001)
    CHECK_ROUNDED_UNARY(fcvt.s.w, rne, 0xfeffffff, 0xcb800000)
    CHECK_ROUNDED_UNARY(fcvt.s.w, rdn, 0xfeffffff, 0xcb800001)
    CHECK_ROUNDED_UNARY(fcvt.s.w, rdn, 0, 0)
    CHECK_ROUNDED_UNARY(fcvt.s.wu, rne, 0xffffffff, 0x4f800000)
    CHECK_ROUNDED_UNARY(fcvt.s.wu, rtz, 0xffffffff, 0x4f7fffff)
    CHECK_ROUNDED_UNARY(fcvt.s.wu, rne, 0x80000080, 0x4f000000)
    CHECK_ROUNDED_UNARY(fcvt.s.wu, rne, 0x80000180, 0x4f000002)
    CHECK_UNARY(fcvt.s.w, -1, 0xbf800000)
    CHECK_UNARY(fcvt.s.wu, 3, 0x40400000)

    // frm decides where the instruction says dynamic; fflags reads 0.
    csrwi frm, 3
    csrr t2, frm
    CHECK(t2, 3)
    csrr t2, fcsr
    CHECK(t2, 0x60)
    CHECK_BINARY(fadd.s, 0x3f800000, 1, 0x3f800001)
    CHECK_ROUNDED(fadd.s, rne, 0x3f800000, 1, 0x3f800000)
    li t0, 0x20
    csrw fcsr, t0
    csrr t2, frm
    CHECK(t2, 1)
    CHECK_BINARY(fadd.s, 0x3f800000, 0xb3000000, 0x3f7fffff)
    csrr t2, fflags
    CHECK(t2, 0)

    // The six forms of CSR access.
    li t0, 2
    csrrw t2, frm, t0
    CHECK(t2, 1)
    li t0, 5
    csrrs t2, frm, t0
    CHECK(t2, 2)
    csrrc t2, frm, t0
    CHECK(t2, 7)
    csrrwi t2, frm, 4
    CHECK(t2, 2)
    csrrsi t2, frm, 3
    CHECK(t2, 4)
    csrrci t2, frm, 6
    CHECK(t2, 7)
    csrrs t2, frm, zero
    CHECK(t2, 1)
    PASS
