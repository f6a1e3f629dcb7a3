// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// A part of functions.cl: error functions of floats and their inverses. The polynomials have the
// least relative error (Remez' algorithm), below 1e-8 but where a comment says more.
#pragma once

// a[n - 1] + t (a[n - 2] + t (...
static float polynomial(float t, __constant const float* a, int n) {
    float sum = a[0];
#pragma unroll
    for (int i = 1; i < n; ++i) sum = fma(sum, t, a[i]);
    return sum;
}

static __constant const float erfc_parts[] = {
    0x1.d75ebap-14f, -0x1.040ebcp-12f, -0x1.70f44ap-11f, 0x1.4cfec2p-8f,  -0x1.0a0456p-6f,
    0x1.30439ep-5f,  -0x1.0fa15cp-4f,  0x1.7ff534p-4f,   -0x1.9dddd6p-4f, 0x1.16ec1cp-4f,
    0x1.f7f756p-7f,  -0x1.1df1aap-3f,  0x1.3ba592p+0f};

// exp(x * x) erfc(x) for 0 <= x, by the variable of Shepherd and Laframboise, "Chebyshev
// approximation of (1 + 2x) exp(x^2) erfc x", 1981.
static float scaled_erfc(float x) {
    if (x > 0x1p24f) return 0x1.20dd76p-1f / x;
    return polynomial((x - 4.0f) / (x + 4.0f), erfc_parts, 13) / fma(2.0f, x, 1.0f);
}

// Beyond its middle libclc's is 16 units off.
float __nv_erfcf(float x) {
    if (!(x > 0.5f)) return erfc(x);
    if (x > 10.06f) return 0.0f;
    const float square = x * x, lost = fma(x, x, -square), power = exp(-square);
    return fma(-lost, power, power) * scaled_erfc(x);
}
float __nv_erfcxf(float x) {
    const float of_size = scaled_erfc(fabs(x));
    if (x >= 0.0f) return of_size;
    if (x < -9.4f) return INFINITY;
    const float square = x * x, lost = fma(x, x, -square), power = exp(square);
    return fma(2.0f, fma(lost, power, power), -of_size);
}

static __constant const float inverse_low[] = {
    -0x1.2e0ea4p-27f, 0x1.30c0a0p-23f, -0x1.19b166p-21f, -0x1.27629ap-18f, 0x1.40b026p-15f,
    0x1.a49c40p-14f,  -0x1.377c30p-9f, 0x1.1691f4p-8f,   0x1.fb8fd0p-3f,   0x1.209b9cp+0f};
static __constant const float inverse_middle[] = {
    0x1.fcdfecp-14f, -0x1.493fb8p-12f, -0x1.111d88p-14f, 0x1.86b3b2p-10f, -0x1.d6f172p-9f,
    0x1.74932ep-8f,  -0x1.f493c0p-8f,  0x1.358292p-7f,   0x1.006dc6p+0f,  0x1.6a9efcp+1f};
static __constant const float inverse_high[] = {  // up to 4e-8
    0x1.15cb70p-26f, -0x1.95f344p-24f, 0x1.f2c306p-23f, -0x1.5c17b2p-20f, 0x1.af1c8cp-18f,
    0x1.69d50ap-18f, -0x1.0d193cp-11f, 0x1.02335ep+0f,  0x1.b79e06p+2f};

// erfinv(y) for w = -log(1 - y * y): y by a function of w.
static float inverse_of(float y, float w) {
    if (w < 5.0f) return y * polynomial(w - 1.0f, inverse_low, 10);
    const float root = sqrt(w);
    return y * (root < 4.0f ? polynomial(root - 3.0f, inverse_middle, 10)
                            : polynomial(root - 7.0f, inverse_high, 9));
}
float __nv_erfinvf(float y) {
    return inverse_of(y, -log(fma(-y, y, 1.0f)));
}
float __nv_erfcinvf(float p) {
    return inverse_of(1.0f - p, -log(fma(-p, p, 2.0f * p)));
}
float __nv_normcdfinvf(float p) {
    return -M_SQRT2_F * __nv_erfcinvf(2.0f * p);
}
