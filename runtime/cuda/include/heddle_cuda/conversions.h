/* SPDX-License-Identifier: Apache-2.0
 * Copyright The Heddle authors
 *
 * Conversions with a named rounding: rn to nearest even, rz towards zero, rd down, ru up. What is
 * too large becomes the nearest number there is; NaN becomes 0. */
#ifndef HEDDLE_CUDA_CONVERSIONS_H
#define HEDDLE_CUDA_CONVERSIONS_H

/* Bits. */
HEDDLE_DEVICE long long __double_as_longlong(double x) {
    return __builtin_bit_cast(long long, x);
}
HEDDLE_DEVICE double __longlong_as_double(long long x) {
    return __builtin_bit_cast(double, x);
}
HEDDLE_DEVICE int __double2hiint(double x) {
    return (int)(__double_as_longlong(x) >> 32);
}
HEDDLE_DEVICE int __double2loint(double x) {
    return (int)__double_as_longlong(x);
}
HEDDLE_DEVICE double __hiloint2double(int high, int low) {
    return __longlong_as_double(
        (long long)((unsigned long long)(unsigned)high << 32 | (unsigned)low));
}
HEDDLE_DEVICE float int_as_float(int x) {
    return __int_as_float(x);
}
HEDDLE_DEVICE int float_as_int(float x) {
    return __float_as_int(x);
}

/* One instruction each: the machine has a rounding mode in it. */
#define HEDDLE_FROM_FLOAT(mode, machine)                          \
    HEDDLE_DEVICE int __float2int_##mode(float x) {               \
        int y;                                                    \
        __asm__("fcvt.w.s %0, %1, " machine : "=r"(y) : "r"(x));  \
        return x == x ? y : 0;                                    \
    }                                                             \
    HEDDLE_DEVICE unsigned __float2uint_##mode(float x) {         \
        unsigned y;                                               \
        __asm__("fcvt.wu.s %0, %1, " machine : "=r"(y) : "r"(x)); \
        return x == x ? y : 0;                                    \
    }                                                             \
    HEDDLE_DEVICE float __int2float_##mode(int x) {               \
        float y;                                                  \
        __asm__("fcvt.s.w %0, %1, " machine : "=r"(y) : "r"(x));  \
        return y;                                                 \
    }                                                             \
    HEDDLE_DEVICE float __uint2float_##mode(unsigned x) {         \
        float y;                                                  \
        __asm__("fcvt.s.wu %0, %1, " machine : "=r"(y) : "r"(x)); \
        return y;                                                 \
    }
HEDDLE_FROM_FLOAT(rn, "rne")
HEDDLE_FROM_FLOAT(rz, "rtz")
HEDDLE_FROM_FLOAT(rd, "rdn")
HEDDLE_FROM_FLOAT(ru, "rup")
#undef HEDDLE_FROM_FLOAT

#endif
