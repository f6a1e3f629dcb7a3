// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "heddle/qualifiers.h"

// Bits of integers, and floats as bits.
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
