// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "heddle/intrinsics.h"
#include "heddle/qualifiers.h"

// Integers.
__forceinline__ int __popc(unsigned x) {
    return __builtin_popcount(x);
}
__forceinline__ int __clz(int x) {
    return x == 0 ? 32 : __builtin_clz(static_cast<unsigned>(x));
}
__forceinline__ int __ffs(int x) {
    return __builtin_ffs(x);
}
__forceinline__ unsigned __brev(unsigned x) {
    return __builtin_bitreverse32(x);
}
__forceinline__ unsigned __umulhi(unsigned a, unsigned b) {
    return static_cast<unsigned>((static_cast<unsigned long long>(a) * b) >> 32);
}
__forceinline__ int __mulhi(int a, int b) {
    return static_cast<int>((static_cast<long long>(a) * b) >> 32);
}
__forceinline__ int abs(int x) {
    return x < 0 ? -x : x;
}
__forceinline__ int min(int a, int b) {
    return a < b ? a : b;
}
__forceinline__ int max(int a, int b) {
    return a > b ? a : b;
}
__forceinline__ unsigned min(unsigned a, unsigned b) {
    return a < b ? a : b;
}
__forceinline__ unsigned max(unsigned a, unsigned b) {
    return a > b ? a : b;
}
__forceinline__ unsigned __float_as_uint(float x) {
    return __builtin_bit_cast(unsigned, x);
}
__forceinline__ int __float_as_int(float x) {
    return __builtin_bit_cast(int, x);
}
__forceinline__ float __uint_as_float(unsigned x) {
    return __builtin_bit_cast(float, x);
}
__forceinline__ float __int_as_float(int x) {
    return __builtin_bit_cast(float, x);
}

// Floats: one instruction or a short sequence, correctly rounded.
__forceinline__ float sqrtf(float x) {
    return __builtin_sqrtf(x);
}
__forceinline__ float fabsf(float x) {
    return __builtin_fabsf(x);
}
__forceinline__ float fmaf(float a, float b, float c) {
    return __builtin_fmaf(a, b, c);
}
__forceinline__ float fminf(float a, float b) {
    return __builtin_fminf(a, b);
}
__forceinline__ float fmaxf(float a, float b) {
    return __builtin_fmaxf(a, b);
}
__forceinline__ float min(float a, float b) {
    return __builtin_fminf(a, b);
}
__forceinline__ float max(float a, float b) {
    return __builtin_fmaxf(a, b);
}
__forceinline__ float copysignf(float x, float sign) {
    return __builtin_copysignf(x, sign);
}
__forceinline__ float floorf(float x) {
    return __builtin_floorf(x);
}
__forceinline__ float ceilf(float x) {
    return __builtin_ceilf(x);
}
__forceinline__ float truncf(float x) {
    return __builtin_truncf(x);
}
__forceinline__ float roundf(float x) {
    return __builtin_roundf(x);
}
__forceinline__ float rintf(float x) {
    return __builtin_rintf(x);
}
__forceinline__ bool isnan(float x) {
    return __builtin_isnan(x);
}
__forceinline__ bool isinf(float x) {
    return __builtin_isinf(x);
}

// Floats by the special-function unit: fast, not correctly rounded (errors: docs/isa.md). The
// precise library forms do not exist; the plain names are these.
__forceinline__ float __frcp(float x) {
    return HEDDLE_SPECIAL(RCP_S, x);
}
__forceinline__ float rsqrtf(float x) {
    return HEDDLE_SPECIAL(RSQ_S, x);
}
__forceinline__ float exp2f(float x) {
    return HEDDLE_SPECIAL(EX2_S, x);
}
__forceinline__ float __log2f(float x) {
    return HEDDLE_SPECIAL(LG2_S, x);
}
__forceinline__ float __sinf(float x) {
    return HEDDLE_SPECIAL(SIN_S, x);
}
__forceinline__ float __cosf(float x) {
    return HEDDLE_SPECIAL(COS_S, x);
}
__forceinline__ float __fdividef(float a, float b) {
    return a * __frcp(b);
}
__forceinline__ float __expf(float x) {
    return exp2f(x * 0x1.715476p+0f);
}  // log2(e)
__forceinline__ float __exp10f(float x) {
    return exp2f(x * 0x1.a934f0p+1f);
}  // log2(10)
__forceinline__ float __logf(float x) {
    return __log2f(x) * 0x1.62e430p-1f;
}  // ln(2)
__forceinline__ float __log10f(float x) {
    return __log2f(x) * 0x1.344136p-2f;
}  // log10(2)
__forceinline__ float __powf(float x, float y) {
    return exp2f(y * __log2f(x));
}  // x > 0
__forceinline__ float __tanf(float x) {
    return __fdividef(__sinf(x), __cosf(x));
}
__forceinline__ float expf(float x) {
    return __expf(x);
}
__forceinline__ float logf(float x) {
    return __logf(x);
}
__forceinline__ float log2f(float x) {
    return __log2f(x);
}
__forceinline__ float log10f(float x) {
    return __log10f(x);
}
__forceinline__ float powf(float x, float y) {
    return __powf(x, y);
}
__forceinline__ float sinf(float x) {
    return __sinf(x);
}
__forceinline__ float cosf(float x) {
    return __cosf(x);
}
__forceinline__ float tanf(float x) {
    return __tanf(x);
}
