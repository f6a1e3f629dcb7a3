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
BOTH_1(erf, erf(x))
BOTH_1(exp, exp(x))
BOTH_1(exp10, exp10(x))
BOTH_1(exp2, exp2(x))
BOTH_1(expm1, expm1(x))
BOTH_1(fabs, fabs(x))
BOTH_1(floor, floor(x))
BOTH_1(lgamma, lgamma(x))
BOTH_1(log10, log10(x))
BOTH_1(log1p, log1p(x))
BOTH_1(log2, log2(x))
BOTH_1(logb, logb(x))
BOTH_1(rint, rint(x))
BOTH_1(round, round(x))
BOTH_1(sin, sin(x))
BOTH_1(sinh, sinh(x))
FLOAT_1(sqrt, __builtin_sqrtf(x))  // the machine knows what the root of a negative number is
DOUBLE_1(sqrt, sqrt(x))
BOTH_1(tan, tan(x))
BOTH_1(trunc, trunc(x))
BOTH_2(atan2, atan2(x, y))
BOTH_2(copysign, copysign(x, y))
BOTH_2(fdim, fdim(x, y))
BOTH_2(fmax, fmax(x, y))
BOTH_2(fmin, fmin(x, y))
BOTH_2(hypot, hypot(x, y))
BOTH_2(nextafter, nextafter(x, y))
BOTH_2(pow, pow(x, y))
BOTH_3(fma, fma(x, y, z))

// ---- More exactly than OpenCL's -----------------------------------------------------------------

// log(1 + f) = 2 atanh(s) with s = f / (2 + f), by its series: f - s (f - R) with R = 2/3 s^2 + ...
// The argument is 2^n (1 + f), with 1 + f from sqrt(1/2) to sqrt(2).
#define SERIES(n) 2.0f / (n)
float __nv_logf(float x) {
    if (!(x > 0.0f && x < INFINITY)) return log(x);
    int n = 0;
    if (x < 0x1p-126f) x *= 0x1p24f, n = -24;
    const int above = (as_int(x) - as_int(0x1.6a09e6p-1f)) >> 23;
    n += above;
    const float f = as_float(as_int(x) - (above << 23)) - 1.0f;
    const float s = f / (2.0f + f), z = s * s;
    float r = SERIES(13);
    r = fma(r, z, SERIES(11));
    r = fma(r, z, SERIES(9));
    r = fma(r, z, SERIES(7));
    r = fma(r, z, SERIES(5));
    r = fma(r, z, SERIES(3)) * z;
    return fma((float)n, 0x1.62e400p-1f, f - fma((float)n, -0x1.7f7d1cp-20f, s * (f - r)));
}
#undef SERIES
#define SERIES(n) 2.0 / (n)
double __nv_log(double x) {
    if (!(x > 0.0 && x < INFINITY)) return log(x);
    int n = 0;
    if (x < 0x1p-1022) x *= 0x1p54, n = -54;
    const int above = (as_int2(x).y - 0x3fe6a09e) >> 20;
    n += above;
    const double f = as_double(as_long(x) - ((long)above << 52)) - 1.0;
    const double s = f / (2.0 + f), z = s * s;
    double r = SERIES(25);
    for (int i = 23; i >= 3; i -= 2) r = r * z + SERIES(i);
    return n * 0x1.62e42feep-1 - ((s * (f - r * z) - n * 0x1.a39ef35793c76p-33) - f);
}

// 1 / sqrt(x) and 1 / cbrt(x): one step of Newton's iteration with an exact residue.
#define PRODUCT(high, low, x, y) const real high = (x) * (y), low = fma(x, y, -high)
#define real double
double __nv_rsqrt(double x) {
    const double up = x < 0x1p-900 ? 0x1p200 : x > 0x1p900 ? 0x1p-200 : 1.0;
    const double back = x < 0x1p-900 ? 0x1p100 : x > 0x1p900 ? 0x1p-100 : 1.0;
    x *= up;
    const double y = 1.0 / sqrt(x);
    PRODUCT(square, low, y, y);
    PRODUCT(one, rest, x, square);
    const double error = (1.0 - one) - (rest + x * low);
    return error == error ? (y + y * (0.5 * error)) * back : y;
}
#undef real
float __nv_rsqrtf(float x) { return rsqrt(x); }
#define RCBRT(suffix)                                                          \
    real __nv_rcbrt##suffix(real x) {                                          \
        const real y = 1 / cbrt(x);                                            \
        PRODUCT(square, square_low, y, y);                                     \
        PRODUCT(other, other_low, x, y);                                       \
        PRODUCT(one, rest, square, other);                                     \
        const real error = (1 - one) - (rest + square * other_low + other * square_low); \
        return error == error ? y + y * (error / 3) : y;                       \
    }
#define real float
RCBRT(f)
#undef real
#define real double
RCBRT()
#undef real

// Of half turns: the nearest quarter is taken off first, which is exact.
static float quarter(float x, int n) {
    const float turned = x * 0x1.921fb6p+1f;
    const float lost = fma(x, 0x1.921fb6p+1f, -turned) - x * 0x1.777a5cp-24f;
    const float sine = HEDDLE_SPECIAL(SIN_S, turned), cosine = HEDDLE_SPECIAL(COS_S, turned);
    const float value = (n & 1) == 0 ? fma(lost, cosine, sine) : fma(-lost, sine, cosine);
    return (n & 2) == 0 ? value : -value;
}
float __nv_sinpif(float x) {
    if (!(fabs(x) < 0x1p24f)) return x * 0.0f;
    const float n = rint(2.0f * x);
    const float value = quarter(x - 0.5f * n, (int)n);
    return value == 0.0f ? copysign(0.0f, x) : value;
}
float __nv_cospif(float x) {
    if (!(fabs(x) < 0x1p24f)) return fabs(x) < INFINITY ? 1.0f : NAN;
    const float n = rint(2.0f * x);
    return quarter(x - 0.5f * n, (int)n + 1) + 0.0f;
}
double __nv_sinpi(double x) { return sinpi(x); }
double __nv_cospi(double x) { return cospi(x); }

#include "models/program/cuda/float_error_functions.h"
double __nv_erfc(double x) { return erfc(x); }
float __nv_ldexpf(float x, int exponent) {
    return (float)ldexp((double)x, clamp(exponent, -400, 400));
}
double __nv_ldexp(double x, int exponent) { return ldexp(x, exponent); }
float __nv_scalbnf(float x, int exponent) { return __nv_ldexpf(x, exponent); }
double __nv_scalbn(double x, int exponent) { return ldexp(x, exponent); }

// libclc's functions of floats take what is subnormal for zero. The rest of a division of floats is
// the same in double.
static bool may_flush(float x, float y) { return fabs(x) < 0x1p-102f || fabs(y) < 0x1p-102f; }
float __nv_fmodf(float x, float y) {
    return may_flush(x, y) ? (float)fmod((double)x, (double)y) : fmod(x, y);
}
float __nv_remainderf(float x, float y) {
    return may_flush(x, y) ? (float)remainder((double)x, (double)y) : remainder(x, y);
}
float __nv_remquof(float x, float y, int* quotient) {
    return may_flush(x, y) ? (float)remquo((double)x, (double)y, quotient) : remquo(x, y, quotient);
}
double __nv_fmod(double x, double y) { return fmod(x, y); }
double __nv_remainder(double x, double y) { return remainder(x, y); }
double __nv_remquo(double x, double y, int* quotient) { return remquo(x, y, quotient); }

// libclc's is hundreds of units off for large arguments: Stirling's series; and infinite far below
// zero: -pi / (x sin(pi x) gamma(-x)) is not.
struct stirling {
    double root, rest;  // the function is root * rest * root, which may be too large
};
static struct stirling stirling(double x) {
    const double z = 1.0 / x, w = z * z;
    const double series =
        z * (1.0 / 12 -
             w * (1.0 / 360 -
                  w * (1.0 / 1260 -
                       w * (1.0 / 1680 -
                            w * (1.0 / 1188 - w * (691.0 / 360360 - w * (1.0 / 156)))))));
    return (struct stirling){pow(x, 0.5 * x - 0.25),
                             0x1.40d931ff62706p+1 * exp(-x) * exp(series)};
}
double __nv_tgamma(double x) {
    if (fabs(x) < 0x1p-60) return 1 / x;
    if (x >= 12.0) {
        const struct stirling g = stirling(fmin(x, 200.0));
        return g.root * g.rest * g.root;
    }
    if (x >= 3.0) {
        double product = 1.0;
        while (x >= 3.0) product *= x -= 1.0;
        return product * tgamma(x);
    }
    if (fabs(x) < 0.5) return tgamma(1.0 + x) / x;
    if (!(x < -0.5)) return tgamma(x);
    if (x == floor(x)) return NAN;
    const double numerator = -0x1.921fb54442d18p+1 / (x * sinpi(x));
    if (x > -12.0) return numerator / __nv_tgamma(-x);
    const struct stirling g = stirling(fmin(-x, 200.0));
    return numerator / g.root / g.rest / g.root;
}
float __nv_tgammaf(float x) {
    return !(x > 0.5f && x < 3.0f) ? (float)__nv_tgamma((double)x) : tgamma(x);
}
float __nv_tanhf(float x) { return tanh(x); }
double __nv_tanh(double x) {
    if (!(fabs(x) > 0.55 && fabs(x) < 22.0)) return tanh(x);
    const double m = expm1(2.0 * fabs(x)), sum = m + 2.0, lost = m - (sum - 2.0);
    const double q = 2.0 / sum, rest = (fma(-q, sum, 2.0) - q * lost) / sum;
    const double high = 1.0 - q;
    return copysign(high + (((1.0 - high) - q) - rest), x);
}

// erfc(-x / sqrt(2)) / 2; what the product has lost counts where erfc is steep.
float __nv_normcdff(float x) {
    const float t = x * -0x1.6a09e6p-1f;
    const float lost = fma(x, -0x1.6a09e6p-1f, -t) - x * 0x1.9fcef4p-27f;
    return t > 14.0f   ? 0.0f
           : t < -14.0f ? 1.0f
                     : 0.5f * fma(-0x1.20dd76p+0f * lost, exp(-t * t), __nv_erfcf(t));
}
double __nv_normcdf(double x) {
    const double t = x * -0x1.6a09e667f3bcdp-1;
    const double lost = fma(x, -0x1.6a09e667f3bcdp-1, -t) + x * 0x1.bdd3413b26456p-55;
    return t > 40.0 ? 0.0 : t < -40.0 ? 1.0 : 0.5 * (erfc(t) - 0x1.20dd750429b6dp+0 * lost * exp(-t * t));
}

// hypot() may be too large where its reciprocal is not too small.
float __nv_rhypotf(float x, float y) {
    const float by = fmax(fabs(x), fabs(y)) > 0x1p100f ? 0x1p-30f : 1;
    return 1 / hypot(x * by, y * by) * by;
}
#define real double
double __nv_rhypot(double x, double y) {
    const double largest = fmax(fabs(x), fabs(y));
    if (isinf(largest)) return 0;
    const double by = largest > 0x1p400 ? 0x1p-600 : largest < 0x1p-400 ? 0x1p600 : 1;
    x *= by;
    y *= by;
    PRODUCT(a, a_low, x, x);
    PRODUCT(b, b_low, y, y);
    const double sum = a + b, low = (a > b ? (a - sum) + b : (b - sum) + a) + (a_low + b_low);
    const double r = __nv_rsqrt(sum);
    return (low == low && r < INFINITY ? r - r * (0.5 * low * (r * r)) : r) * by;
}
#undef real

// ---- Several results ----------------------------------------------------------------------------

#define OF_BOTH(type, suffix)                                                          \
    type __nv_frexp##suffix(type x, int* exponent) { return frexp(x, exponent); }      \
    type __nv_modf##suffix(type x, type* whole) { return modf(x, whole); }             \
    int __nv_ilogb##suffix(type x) { return ilogb(x); }                                \
    void __nv_sincos##suffix(type x, type* sine, type* cosine) {                       \
        *sine = sin(x);                                                                \
        *cosine = cos(x);                                                              \
    }                                                                                  \
    void __nv_sincospi##suffix(type x, type* sine, type* cosine) {                     \
        *sine = __nv_sinpi##suffix(x);                                                 \
        *cosine = __nv_cospi##suffix(x);                                               \
    }                                                                                  \
    long __nv_llrint##suffix(type x) { return (long)rint(x); }                         \
    long __nv_llround##suffix(type x) { return (long)round(x); }
OF_BOTH(float, f)
OF_BOTH(double, )

// ---- What OpenCL lacks --------------------------------------------------------------------------

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
float __nv_saturatef(float x) { return fmin(fmax(x, 0.0f), 1.0f); }

// ---- Inverses of error functions ----------------------------------------------------------------

// Halley's iteration for erfc(x) = p with 0 < p <= 1, from the rational approximation 26.2.23 of
// Abramowitz and Stegun, "Handbook of Mathematical Functions".
static double erfc_inverse(double p) {
    const double t = sqrt(-2.0 * log(0.5 * p));
    double x = (t - (2.515517 + t * (0.802853 + t * 0.010328)) /
                        (1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308)))) *
               M_SQRT1_2;
    for (int i = 0; i < 3; ++i) {
        const double off = erfc(x) - p, slope = -M_2_SQRTPI * exp(-x * x);
        x -= off / (slope + x * off);
    }
    return x;
}
static double erf_inverse(double y) {
    double x = y / M_2_SQRTPI;
    for (int i = 0; i < 4; ++i) {
        const double off = erf(x) - y, slope = M_2_SQRTPI * exp(-x * x);
        x -= off / (slope + x * off);
    }
    return y == 0.0 ? y : x;
}
double __nv_erfcinv(double p) {
    if (!(p > 0.0 && p < 2.0)) return p == 0.0 ? INFINITY : p == 2.0 ? -INFINITY : NAN;
    if (p > 0.5 && p < 1.5) return erf_inverse(1.0 - p);
    return p < 1.0 ? erfc_inverse(p) : -erfc_inverse(2.0 - p);
}
double __nv_erfinv(double y) {
    return fabs(y) < 0.5 ? erf_inverse(y) : copysign(__nv_erfcinv(1.0 - fabs(y)), y);
}
double __nv_normcdfinv(double p) { return -M_SQRT2 * __nv_erfcinv(2.0 * p); }
double __nv_erfcx(double x) {
    if (x < 10.0) {
        const double square = x * x;
        return exp(square) * erfc(x) * (1.0 + fma(x, x, -square));
    }
    const double z = 1.0 / (2.0 * x * x);
    double series = 1.0;  // asymptotic: 1 - z (1 - 3 z (1 - 5 z ...
    for (int n = 29; n > 0; n -= 2) series = 1.0 - n * z * series;
    return (0.5 * M_2_SQRTPI) / x * series;
}

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

#include "models/program/cuda/bessel.h"
