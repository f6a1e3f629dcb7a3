/* SPDX-License-Identifier: Apache-2.0
 * Copyright The Heddle authors
 *
 * The functions of math.h in device code: clang's own headers for CUDA declare them, in std, too,
 * and call __nv_..., which are Heddle's (models/program/cuda). */
#ifndef HEDDLE_CUDA_MATH_H
#define HEDDLE_CUDA_MATH_H

#include <__clang_cuda_libdevice_declares.h>

#if defined(__USE_FAST_MATH__)
/* clang does the same with sinf, cosf, logf, log2f and sincosf. */
#define __nv_expf __nv_fast_expf
#define __nv_exp10f __nv_fast_exp10f
#define __nv_log10f __nv_fast_log10f
#define __nv_powf __nv_fast_powf
#define __nv_tanf __nv_fast_tanf
#endif
/* The headers ask for it, and for these. */
#pragma push_macro("CUDA_VERSION")
#undef CUDA_VERSION
#define CUDA_VERSION 12050
HEDDLE_DEVICE int __isinf(double x) {
    return __builtin_isinf(x);
}
HEDDLE_DEVICE int __isnan(double x) {
    return __builtin_isnan(x);
}
HEDDLE_DEVICE int __isfinited(double x) {
    return __builtin_isfinite(x);
}
HEDDLE_DEVICE int __isinfd(double x) {
    return __builtin_isinf(x);
}
HEDDLE_DEVICE int __isnand(double x) {
    return __builtin_isnan(x);
}
HEDDLE_DEVICE int __signbitd(double x) {
    return __builtin_signbit(x);
}
HEDDLE_DEVICE int __finitef(float x) {
    return __builtin_isfinite(x);
}
HEDDLE_DEVICE int __isinff(float x) {
    return __builtin_isinf(x);
}
HEDDLE_DEVICE int __isnanf(float x) {
    return __builtin_isnan(x);
}
HEDDLE_DEVICE int __signbitf(float x) {
    return __builtin_signbit(x);
}
HEDDLE_DEVICE int finite(double x) {
    return __builtin_isfinite(x);
}
HEDDLE_DEVICE int finitef(float x) {
    return __builtin_isfinite(x);
}
HEDDLE_DEVICE float nanf(const char*) {
    return __builtin_nanf("");
}
HEDDLE_DEVICE double nan(const char*) {
    return __builtin_nan("");
}
#include <__clang_cuda_math.h>

/* Needs the one above. */
#include <__clang_cuda_cmath.h>
#pragma pop_macro("CUDA_VERSION")
#include <__clang_cuda_complex_builtins.h>
#if defined(__USE_FAST_MATH__)
#undef __nv_expf
#undef __nv_exp10f
#undef __nv_log10f
#undef __nv_powf
#undef __nv_tanf
#endif

/* Of floats by the names without f. clang's headers declare them, and leave them to the vendor's.
 */
#define HEDDLE_FLOAT(type, name)       \
    HEDDLE_DEVICE type name(float x) { \
        return name##f(x);             \
    }
HEDDLE_FLOAT(float, acosh)
HEDDLE_FLOAT(float, asinh)
HEDDLE_FLOAT(float, atanh)
HEDDLE_FLOAT(float, cbrt)
HEDDLE_FLOAT(float, erf)
HEDDLE_FLOAT(float, erfc)
HEDDLE_FLOAT(float, exp2)
HEDDLE_FLOAT(float, expm1)
HEDDLE_FLOAT(float, lgamma)
HEDDLE_FLOAT(float, log1p)
HEDDLE_FLOAT(float, log2)
HEDDLE_FLOAT(float, logb)
HEDDLE_FLOAT(float, rint)
HEDDLE_FLOAT(float, round)
HEDDLE_FLOAT(float, tgamma)
HEDDLE_FLOAT(float, trunc)
HEDDLE_FLOAT(int, ilogb)
HEDDLE_FLOAT(long, lrint)
HEDDLE_FLOAT(long, lround)
HEDDLE_FLOAT(long long, llrint)
HEDDLE_FLOAT(long long, llround)
#undef HEDDLE_FLOAT
#define HEDDLE_FLOATS(name)                      \
    HEDDLE_DEVICE float name(float x, float y) { \
        return name##f(x, y);                    \
    }
HEDDLE_FLOATS(copysign)
HEDDLE_FLOATS(fdim)
HEDDLE_FLOATS(fmax)
HEDDLE_FLOATS(fmin)
HEDDLE_FLOATS(hypot)
HEDDLE_FLOATS(nextafter)
HEDDLE_FLOATS(remainder)
#undef HEDDLE_FLOATS
HEDDLE_DEVICE float nearbyint(float x) {
    return rintf(x);
}
HEDDLE_DEVICE float fma(float x, float y, float z) {
    return fmaf(x, y, z);
}
HEDDLE_DEVICE float scalbn(float x, int n) {
    return scalbnf(x, n);
}
HEDDLE_DEVICE float scalbln(float x, long n) {
    return scalbnf(x, (int)n);
}
HEDDLE_DEVICE float remquo(float x, float y, int* quotient) {
    return remquof(x, y, quotient);
}

#include "heddle_cuda/host_math.h"

HEDDLE_DEVICE float rsqrt(float x) {
    return rsqrtf(x);
}
HEDDLE_DEVICE float rcbrt(float x) {
    return rcbrtf(x);
}
HEDDLE_DEVICE float exp10(float x) {
    return exp10f(x);
}
HEDDLE_DEVICE float sinpi(float x) {
    return sinpif(x);
}
HEDDLE_DEVICE float cospi(float x) {
    return cospif(x);
}
HEDDLE_DEVICE float normcdf(float x) {
    return normcdff(x);
}
HEDDLE_DEVICE float rhypot(float x, float y) {
    return rhypotf(x, y);
}
HEDDLE_DEVICE void sincos(float x, float* sine, float* cosine) {
    sincosf(x, sine, cosine);
}
HEDDLE_DEVICE void sincospi(float x, float* sine, float* cosine) {
    sincospif(x, sine, cosine);
}

HEDDLE_DEVICE float __saturatef(float x) {
    return __nv_saturatef(x);
}
HEDDLE_DEVICE void __sincosf(float x, float* sine, float* cosine) {
    *sine = __sinf(x);
    *cosine = __cosf(x);
}
HEDDLE_DEVICE float __tanhf(float x) {
    return tanhf(x);
}

#endif
