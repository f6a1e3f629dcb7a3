/* SPDX-License-Identifier: Apache-2.0
 * Copyright The Heddle authors
 *
 * CUDA's own functions of numbers in host code, where programs check their kernels with them. */
#ifndef HEDDLE_CUDA_HOST_MATH_H
#define HEDDLE_CUDA_HOST_MATH_H

#define HEDDLE_HOST static __host__ __inline__
HEDDLE_HOST float rsqrtf(float x) {
    return 1.0f / sqrtf(x);
}
HEDDLE_HOST double rsqrt(double x) {
    return 1.0 / sqrt(x);
}
HEDDLE_HOST float rcbrtf(float x) {
    return 1.0f / cbrtf(x);
}
HEDDLE_HOST double rcbrt(double x) {
    return 1.0 / cbrt(x);
}
HEDDLE_HOST float fdividef(float x, float y) {
    return x / y;
}
HEDDLE_HOST double fdivide(double x, double y) {
    return x / y;
}
HEDDLE_HOST float normcdff(float x) {
    return erfcf(x * -0.70710678f) * 0.5f;
}
HEDDLE_HOST double normcdf(double x) {
    return erfc(x * -0.7071067811865476) * 0.5;
}
HEDDLE_HOST double rhypot(double x, double y) {
    return 1.0 / hypot(x, y);
}
HEDDLE_HOST float rhypotf(float x, float y) {
    return 1.0f / hypotf(x, y);
}
HEDDLE_HOST double norm3d(double x, double y, double z) {
    return hypot(hypot(x, y), z);
}
HEDDLE_HOST float norm3df(float x, float y, float z) {
    return (float)norm3d(x, y, z);
}
HEDDLE_HOST double rnorm3d(double x, double y, double z) {
    return 1.0 / norm3d(x, y, z);
}
HEDDLE_HOST float rnorm3df(float x, float y, float z) {
    return (float)rnorm3d(x, y, z);
}
HEDDLE_HOST double norm4d(double x, double y, double z, double w) {
    return hypot(hypot(x, y), hypot(z, w));
}
HEDDLE_HOST float norm4df(float x, float y, float z, float w) {
    return (float)norm4d(x, y, z, w);
}

/* Of pi * x: x is taken modulo 2 first, so that whole and half numbers are exact. */
HEDDLE_HOST double sinpi(double x) {
    const double rest = remainder(x, 2.0),
                 half = fabs(rest) > 0.5 ? copysign(1.0, rest) - rest : rest;
    return half == 0 ? copysign(0.0, x) : sin(half * 3.14159265358979323846);
}
HEDDLE_HOST double cospi(double x) {
    const double rest = fabs(remainder(x, 2.0));
    return rest == 0.5 ? 0.0 : rest > 0.25 ? sinpi(0.5 - rest) : cos(rest * 3.14159265358979323846);
}
HEDDLE_HOST void sincospi(double x, double* sine, double* cosine) {
    *sine = sinpi(x);
    *cosine = cospi(x);
}
HEDDLE_HOST float sinpif(float x) {
    return (float)sinpi(x);
}
HEDDLE_HOST float cospif(float x) {
    return (float)cospi(x);
}
HEDDLE_HOST void sincospif(float x, float* sine, float* cosine) {
    *sine = sinpif(x);
    *cosine = cospif(x);
}

#define HEDDLE_HOST_ENDS(prefix, type)             \
    HEDDLE_HOST type prefix##min(type x, type y) { \
        return x < y ? x : y;                      \
    }                                              \
    HEDDLE_HOST type prefix##max(type x, type y) { \
        return x > y ? x : y;                      \
    }
HEDDLE_HOST_ENDS(u, unsigned int)
HEDDLE_HOST_ENDS(ll, long long)
HEDDLE_HOST_ENDS(ull, unsigned long long)
#undef HEDDLE_HOST_ENDS
#undef HEDDLE_HOST

#endif
