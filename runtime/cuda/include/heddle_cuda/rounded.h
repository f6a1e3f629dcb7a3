/* SPDX-License-Identifier: Apache-2.0
 * Copyright The Heddle authors
 *
 * Arithmetic with a named rounding. The compiler contracts none of it to fused operations. */
#ifndef HEDDLE_CUDA_ROUNDED_H
#define HEDDLE_CUDA_ROUNDED_H

#define HEDDLE_FLOAT_1(name, instruction, mode, machine)             \
    HEDDLE_DEVICE float name##_##mode(float x) {                     \
        float y;                                                     \
        __asm__(instruction " %0, %1, " machine : "=r"(y) : "r"(x)); \
        return y;                                                    \
    }
#define HEDDLE_FLOAT_2(name, instruction, mode, machine)                         \
    HEDDLE_DEVICE float name##_##mode(float x, float y) {                        \
        float z;                                                                 \
        __asm__(instruction " %0, %1, %2, " machine : "=r"(z) : "r"(x), "r"(y)); \
        return z;                                                                \
    }
#define HEDDLE_ROUNDED(mode, machine)                                                   \
    HEDDLE_FLOAT_2(__fadd, "fadd.s", mode, machine)                                     \
    HEDDLE_FLOAT_2(__fsub, "fsub.s", mode, machine)                                     \
    HEDDLE_FLOAT_2(__fmul, "fmul.s", mode, machine)                                     \
    HEDDLE_FLOAT_2(__fdiv, "fdiv.s", mode, machine)                                     \
    HEDDLE_FLOAT_1(__fsqrt, "fsqrt.s", mode, machine)                                   \
    HEDDLE_DEVICE float __frcp_##mode(float x) {                                        \
        return __fdiv_##mode(1.0f, x);                                                  \
    }                                                                                   \
    HEDDLE_DEVICE float __fmaf_##mode(float x, float y, float z) {                      \
        float w;                                                                        \
        __asm__("fmadd.s %0, %1, %2, %3, " machine : "=r"(w) : "r"(x), "r"(y), "r"(z)); \
        return w;                                                                       \
    }
HEDDLE_ROUNDED(rn, "rne")
HEDDLE_ROUNDED(rz, "rtz")
HEDDLE_ROUNDED(rd, "rdn")
HEDDLE_ROUNDED(ru, "rup")
#undef HEDDLE_ROUNDED
#undef HEDDLE_FLOAT_1
#undef HEDDLE_FLOAT_2
HEDDLE_DEVICE float __frsqrt_rn(float x) {
    return (float)(1.0 / __nv_sqrt(x));
}

/* Double precision to nearest; calls, which nothing contracts. */
HEDDLE_DEVICE double __dadd_rn(double x, double y) {
#pragma clang fp contract(off)
    return x + y;
}
HEDDLE_DEVICE double __dsub_rn(double x, double y) {
#pragma clang fp contract(off)
    return x - y;
}
HEDDLE_DEVICE double __dmul_rn(double x, double y) {
#pragma clang fp contract(off)
    return x * y;
}
HEDDLE_DEVICE double __ddiv_rn(double x, double y) {
    return x / y;
}
HEDDLE_DEVICE double __drcp_rn(double x) {
    return 1.0 / x;
}
HEDDLE_DEVICE double __dsqrt_rn(double x) {
    return __nv_sqrt(x);
}
HEDDLE_DEVICE double __fma_rn(double x, double y, double z) {
    return __nv_fma(x, y, z);
}

#endif
