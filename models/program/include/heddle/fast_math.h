// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "heddle/intrinsics.h"
#include "heddle/qualifiers.h"

// Floats by the special-function unit: fast, not correctly rounded (errors: docs/isa.md).
__forceinline__ float __frcp(float x) {
    return HEDDLE_SPECIAL(RCP_S, x);
}
__forceinline__ float __exp2f(float x) {
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
    return __exp2f(x * 0x1.715476p+0f);
}  // log2(e)
__forceinline__ float __exp10f(float x) {
    return __exp2f(x * 0x1.a934f0p+1f);
}  // log2(10)
__forceinline__ float __logf(float x) {
    return __log2f(x) * 0x1.62e430p-1f;
}  // ln(2)
__forceinline__ float __log10f(float x) {
    return __log2f(x) * 0x1.344136p-2f;
}  // log10(2)
__forceinline__ float __powf(float x, float y) {
    return __exp2f(y * __log2f(x));
}  // x > 0
__forceinline__ float __tanf(float x) {
    return __fdividef(__sinf(x), __cosf(x));
}
