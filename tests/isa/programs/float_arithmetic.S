// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "check.h"

// Zfinx: arithmetic, rounding modes, NaNs, signs, comparison, classes.
#define ONE 0x3f800000
#define TWO 0x40000000
#define HALF_ULP 0x33800000 // 2^-24, half a unit in the last place of 1
#define SMALLEST 0x00000001
#define MAXIMUM 0x7f7fffff
#define INFINITY 0x7f800000
#define NEGATIVE 0x80000000
#define QUIET 0x7fc00000
#define SIGNALLING 0x7f800001

BEGIN
    CHECK_BINARY(fadd.s, ONE, ONE, TWO)
    CHECK_BINARY(fadd.s, ONE, 0xbf800000, 0)
    CHECK_BINARY(fadd.s, INFINITY, 0xff800000, QUIET)
    CHECK_BINARY(fadd.s, SIGNALLING, ONE, QUIET)
    CHECK_BINARY(fadd.s, 0xffc12345, ONE, QUIET)
    CHECK_BINARY(fadd.s, MAXIMUM, MAXIMUM, INFINITY)
    CHECK_ROUNDED(fadd.s, rne, ONE, HALF_ULP, ONE)
    CHECK_ROUNDED(fadd.s, rne, ONE + 1, HALF_ULP, ONE + 2)
    CHECK_ROUNDED(fadd.s, rtz, ONE, HALF_ULP, ONE)
    CHECK_ROUNDED(fadd.s, rdn, ONE, HALF_ULP, ONE)
    CHECK_ROUNDED(fadd.s, rup, ONE, HALF_ULP, ONE + 1)
    CHECK_ROUNDED(fadd.s, rmm, ONE, HALF_ULP, ONE + 1)
    CHECK_ROUNDED(fadd.s, rmm, ONE, HALF_ULP - 1, ONE)
    CHECK_ROUNDED(fadd.s, rdn, ONE, 0xbf800000, NEGATIVE)
    CHECK_ROUNDED(fadd.s, rtz, MAXIMUM, MAXIMUM, MAXIMUM)
    CHECK_ROUNDED(fadd.s, rup, ONE, SMALLEST, ONE + 1)
    CHECK_ROUNDED(fadd.s, rdn, 0xbf800000, NEGATIVE + 1, 0xbf800001)

    CHECK_BINARY(fsub.s, TWO, ONE, ONE)
    CHECK_BINARY(fsub.s, NEGATIVE, 0, NEGATIVE)
    CHECK_BINARY(fsub.s, INFINITY, INFINITY, QUIET)
    CHECK_ROUNDED(fsub.s, rup, ONE, SMALLEST, ONE)
    CHECK_ROUNDED(fsub.s, rtz, ONE, SMALLEST, ONE - 1)

    CHECK_BINARY(fmul.s, TWO, 0x40400000, 0x40c00000)
    CHECK_BINARY(fmul.s, 0, INFINITY, QUIET)
    CHECK_BINARY(fmul.s, NEGATIVE, ONE, NEGATIVE)
    CHECK_BINARY(fmul.s, SMALLEST, 0x3f000000, 0)
    CHECK_ROUNDED(fmul.s, rup, SMALLEST, SMALLEST, SMALLEST)
    CHECK_ROUNDED(fmul.s, rmm, SMALLEST, 0x3f000000, SMALLEST)

    CHECK_BINARY(fdiv.s, ONE, TWO, 0x3f000000)
    CHECK_BINARY(fdiv.s, ONE, 0, INFINITY)
    CHECK_BINARY(fdiv.s, 0, 0, QUIET)
    CHECK_ROUNDED(fdiv.s, rne, ONE, 0x40400000, 0x3eaaaaab)
    CHECK_ROUNDED(fdiv.s, rtz, ONE, 0x40400000, 0x3eaaaaaa)

    CHECK_UNARY(fsqrt.s, 0x40800000, TWO)
    CHECK_UNARY(fsqrt.s, NEGATIVE, NEGATIVE)
    CHECK_UNARY(fsqrt.s, 0xbf800000, QUIET)
    CHECK_ROUNDED_UNARY(fsqrt.s, rne, TWO, 0x3fb504f3)
    CHECK_ROUNDED_UNARY(fsqrt.s, rup, TWO, 0x3fb504f4)

    // (1 + 2^-23)^2 = 1 + 2^-22 + 2^-46: the last term survives in a fused operation only.
    CHECK_FUSED(fmadd.s, rne, ONE + 1, ONE + 1, 0xbf800002, 0x28800000)
    CHECK_FUSED(fmsub.s, rne, ONE + 1, ONE + 1, ONE + 2, 0x28800000)
    CHECK_FUSED(fnmsub.s, rne, ONE + 1, ONE + 1, ONE + 2, 0xa8800000)
    CHECK_FUSED(fnmadd.s, rne, ONE + 1, ONE + 1, 0xbf800002, 0xa8800000)
    CHECK_FUSED(fmadd.s, rup, ONE, ONE, SMALLEST, ONE + 1)
    CHECK_FUSED(fmadd.s, rne, 0, INFINITY, QUIET, QUIET)
    CHECK_FUSED(fnmadd.s, rne, ONE, 0, 0, NEGATIVE)
    CHECK_FUSED(fnmsub.s, rne, ONE, ONE, ONE, 0)
    CHECK_FUSED(fnmsub.s, rdn, ONE, ONE, ONE, NEGATIVE)

    CHECK_BINARY(fsgnj.s, ONE, NEGATIVE, 0xbf800000)
    CHECK_BINARY(fsgnjn.s, ONE, NEGATIVE, ONE)
    CHECK_BINARY(fsgnjx.s, 0xbf800000, NEGATIVE, ONE)
    CHECK_BINARY(fsgnj.s, SIGNALLING, NEGATIVE, 0xff800001)

    CHECK_BINARY(fmin.s, ONE, TWO, ONE)
    CHECK_BINARY(fmin.s, 0, NEGATIVE, NEGATIVE)
    CHECK_BINARY(fmin.s, QUIET, ONE, ONE)
    CHECK_BINARY(fmin.s, ONE, SIGNALLING, ONE)
    CHECK_BINARY(fmin.s, SIGNALLING, 0xffffffff, QUIET)
    CHECK_BINARY(fmax.s, ONE, TWO, TWO)
    CHECK_BINARY(fmax.s, NEGATIVE, 0, 0)
    CHECK_BINARY(fmax.s, 0xbf800000, QUIET, 0xbf800000)
    CHECK_BINARY(fmax.s, QUIET, 0xff800001, QUIET)

    CHECK_BINARY(feq.s, 0, NEGATIVE, 1)
    CHECK_BINARY(feq.s, QUIET, QUIET, 0)
    CHECK_BINARY(flt.s, 0xbf800000, ONE, 1)
    CHECK_BINARY(flt.s, NEGATIVE, 0, 0)
    CHECK_BINARY(flt.s, ONE, QUIET, 0)
    CHECK_BINARY(fle.s, ONE, ONE, 1)
    CHECK_BINARY(fle.s, TWO, ONE, 0)
    CHECK_BINARY(fle.s, QUIET, INFINITY, 0)

    CHECK_UNARY(fclass.s, 0xff800000, 1 << 0)
    CHECK_UNARY(fclass.s, 0xbf800000, 1 << 1)
    CHECK_UNARY(fclass.s, 0x807fffff, 1 << 2)
    CHECK_UNARY(fclass.s, NEGATIVE, 1 << 3)
    CHECK_UNARY(fclass.s, 0, 1 << 4)
    CHECK_UNARY(fclass.s, SMALLEST, 1 << 5)
    CHECK_UNARY(fclass.s, MAXIMUM, 1 << 6)
    CHECK_UNARY(fclass.s, INFINITY, 1 << 7)
    CHECK_UNARY(fclass.s, SIGNALLING, 1 << 8)
    CHECK_UNARY(fclass.s, 0xffc00000, 1 << 9)
    PASS
