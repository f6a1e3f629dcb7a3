// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "heddle/bits.h"
#include "heddle/fast_math.h"

// Integers.
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

// The precise library forms do not exist: these are the fast ones.
__forceinline__ float rsqrtf(float x) {
    return HEDDLE_SPECIAL(RSQ_S, x);
}
__forceinline__ float exp2f(float x) {
    return __exp2f(x);
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
