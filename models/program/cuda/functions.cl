// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// The functions that clang's headers for CUDA call in device code, by the names that they have there.
// They are OpenCL's built-ins (../opencl): libclc and the machine's special-function unit. What
// OpenCL lacks, or does not do as exactly as CUDA says, is here.
#include "models/program/include/heddle/intrinsics.h"

#define FLOAT_1(name, expression)  float __nv_##name##f(float x) { return expression; }
#define DOUBLE_1(name, expression) double __nv_##name(double x) { return expression; }
#define BOTH_1(name, expression)   FLOAT_1(name, expression) DOUBLE_1(name, expression)
#define BOTH_2(name, expression)                                          \
    float __nv_##name##f(float x, float y) { return expression; }         \
    double __nv_##name(double x, double y) { return expression; }
#define BOTH_3(name, expression)                                               \
    float __nv_##name##f(float x, float y, float z) { return expression; }     \
    double __nv_##name(double x, double y, double z) { return expression; }

// ---- As OpenCL has them -------------------------------------------------------------------------

BOTH_1(acos, acos(x))
BOTH_1(acosh, acosh(x))
BOTH_1(asin, asin(x))
BOTH_1(asinh, asinh(x))
BOTH_1(atan, atan(x))
BOTH_1(atanh, atanh(x))
BOTH_1(cbrt, cbrt(x))
BOTH_1(ceil, ceil(x))
BOTH_1(cos, cos(x))
BOTH_1(cosh, cosh(x))
BOTH_1(cospi, cospi(x))
BOTH_1(erf, erf(x))
BOTH_1(erfc, erfc(x))
BOTH_1(exp, exp(x))
BOTH_1(exp10, exp10(x))
BOTH_1(exp2, exp2(x))
BOTH_1(expm1, expm1(x))
BOTH_1(fabs, fabs(x))
BOTH_1(floor, floor(x))
BOTH_1(lgamma, lgamma(x))
BOTH_1(log, log(x))
BOTH_1(log10, log10(x))
BOTH_1(log1p, log1p(x))
BOTH_1(log2, log2(x))
BOTH_1(logb, logb(x))
BOTH_1(rint, rint(x))
BOTH_1(round, round(x))
BOTH_1(rsqrt, rsqrt(x))
BOTH_1(sin, sin(x))
BOTH_1(sinh, sinh(x))
BOTH_1(sinpi, sinpi(x))
BOTH_1(sqrt, sqrt(x))
BOTH_1(tan, tan(x))
BOTH_1(tanh, tanh(x))
BOTH_1(tgamma, tgamma(x))
BOTH_1(trunc, trunc(x))
BOTH_2(atan2, atan2(x, y))
BOTH_2(copysign, copysign(x, y))
BOTH_2(fdim, fdim(x, y))
BOTH_2(fmax, fmax(x, y))
BOTH_2(fmin, fmin(x, y))
BOTH_2(fmod, fmod(x, y))
BOTH_2(hypot, hypot(x, y))
BOTH_2(nextafter, nextafter(x, y))
BOTH_2(pow, pow(x, y))
BOTH_2(remainder, remainder(x, y))
BOTH_3(fma, fma(x, y, z))

// ---- Several results ----------------------------------------------------------------------------

#define OF_BOTH(type, suffix)                                                          \
    type __nv_frexp##suffix(type x, int* exponent) { return frexp(x, exponent); }      \
    type __nv_modf##suffix(type x, type* whole) { return modf(x, whole); }             \
    type __nv_remquo##suffix(type x, type y, int* quotient) { return remquo(x, y, quotient); } \
    type __nv_ldexp##suffix(type x, int exponent) { return ldexp(x, exponent); }       \
    type __nv_scalbn##suffix(type x, int exponent) { return ldexp(x, exponent); }      \
    int __nv_ilogb##suffix(type x) { return ilogb(x); }                                \
    void __nv_sincos##suffix(type x, type* sine, type* cosine) {                       \
        *sine = sin(x);                                                                \
        *cosine = cos(x);                                                              \
    }                                                                                  \
    void __nv_sincospi##suffix(type x, type* sine, type* cosine) {                     \
        *sine = sinpi(x);                                                              \
        *cosine = cospi(x);                                                            \
    }                                                                                  \
    long __nv_llrint##suffix(type x) { return (long)rint(x); }                         \
    long __nv_llround##suffix(type x) { return (long)round(x); }
OF_BOTH(float, f)
OF_BOTH(double, )

// ---- What OpenCL lacks --------------------------------------------------------------------------

BOTH_1(rcbrt, 1 / cbrt(x))
BOTH_2(rhypot, 1 / hypot(x, y))
BOTH_3(norm3d, hypot(hypot(x, y), z))
BOTH_3(rnorm3d, 1 / hypot(hypot(x, y), z))
float __nv_norm4df(float x, float y, float z, float w) { return hypot(hypot(x, y), hypot(z, w)); }
double __nv_norm4d(double x, double y, double z, double w) {
    return hypot(hypot(x, y), hypot(z, w));
}
float __nv_rnorm4df(float x, float y, float z, float w) { return 1 / __nv_norm4df(x, y, z, w); }
double __nv_rnorm4d(double x, double y, double z, double w) { return 1 / __nv_norm4d(x, y, z, w); }
#define NORM(type, suffix)                                            \
    type __nv_norm##suffix(int count, const type* of) {               \
        type sum = 0;                                                 \
        for (int i = 0; i < count; ++i) sum = hypot(sum, of[i]);      \
        return sum;                                                   \
    }                                                                 \
    type __nv_rnorm##suffix(int count, const type* of) {              \
        return 1 / __nv_norm##suffix(count, of);                      \
    }
NORM(float, f)
NORM(double, )
float __nv_powif(float x, int n) { return pown(x, n); }
double __nv_powi(double x, int n) { return pown(x, n); }
BOTH_1(normcdf, erfc(x * -0.707106781186547524401) * 0.5)
float __nv_saturatef(float x) { return fmin(fmax(x, 0.0f), 1.0f); }

// ---- By the special-function unit alone ---------------------------------------------------------

float __nv_fast_cosf(float x) { return native_cos(x); }
float __nv_fast_sinf(float x) { return native_sin(x); }
float __nv_fast_tanf(float x) { return native_tan(x); }
float __nv_fast_expf(float x) { return native_exp(x); }
float __nv_fast_exp10f(float x) { return native_exp10(x); }
float __nv_fast_logf(float x) { return native_log(x); }
float __nv_fast_log2f(float x) { return native_log2(x); }
float __nv_fast_log10f(float x) { return native_log10(x); }
float __nv_fast_powf(float x, float y) { return native_powr(x, y); }
float __nv_fast_fdividef(float x, float y) { return native_divide(x, y); }
void __nv_fast_sincosf(float x, float* sine, float* cosine) {
    *sine = native_sin(x);
    *cosine = native_cos(x);
}

// ---- Integers -----------------------------------------------------------------------------------

int __nv_abs(int x) { return x < 0 ? -x : x; }
long __nv_llabs(long x) { return x < 0 ? -x : x; }
#define INTEGERS(prefix, type)                                             \
    type __nv_##prefix##min(type x, type y) { return x < y ? x : y; }      \
    type __nv_##prefix##max(type x, type y) { return x > y ? x : y; }
INTEGERS(, int)
INTEGERS(u, uint)
INTEGERS(ll, long)
INTEGERS(ull, ulong)
