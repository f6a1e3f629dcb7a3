// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Functions that the special-function unit makes shorter than libclc's (its errors:
// models/isa/special_functions.h), within the errors that OpenCL 1.2 allows (section 7.4), and
// integer functions that libclc has for machines without a 32-bit multiplier, or not at all.
#include "models/program/include/heddle/intrinsics.h"
#include "models/program/opencl/overloads.h"

#define FLOAT_1(name, expression)                       \
    OVERLOAD float name(float x) { return expression; } \
    VECTORS_1(float, name)

#define FLOAT_2(name, expression)                                \
    OVERLOAD float name(float x, float y) { return expression; } \
    VECTORS_2(float, name)

// e^x and 10^x are 2^(x * factor). A large product is far from exact, so what its rounding has lost,
// times ln 2, corrects the result. `rest`: what `factor` lacks.
static float exponential(float x, float factor, float rest) {
    const float product = x * factor;
    const float lost = fma(x, rest, fma(x, factor, -product));
    const float power = HEDDLE_SPECIAL(EX2_S, product);
    // Beyond these the power is infinite or 0.
    const bool finite = product < 128.0f && product > -160.0f;
    return finite ? fma(power, lost * 0x1.62e430p-1f, power) : power;
}
FLOAT_1(rsqrt, HEDDLE_SPECIAL(RSQ_S, x))
FLOAT_1(exp2, HEDDLE_SPECIAL(EX2_S, x))
FLOAT_1(exp, exponential(x, 0x1.715476p+0f, 0x1.4ae0c0p-26f))
FLOAT_1(exp10, exponential(x, 0x1.a934f0p+1f, 0x1.2f346ep-24f))
FLOAT_1(log2, HEDDLE_SPECIAL(LG2_S, x))
FLOAT_1(log, log2(x) * 0x1.62e430p-1f)
FLOAT_1(log10, log2(x) * 0x1.344136p-2f)

// The unit is exact enough up to 2^20. Beyond, libclc's functions reduce the argument; the build
// gives them these names (retarget.sed).
OVERLOAD float reduced_sin(float x);
OVERLOAD float reduced_cos(float x);
OVERLOAD float reduced_tan(float x);
static bool fits_unit(float x) { return fabs(x) <= 0x1p20f; }
FLOAT_1(sin, fits_unit(x) ? HEDDLE_SPECIAL(SIN_S, x) : reduced_sin(x))
FLOAT_1(cos, fits_unit(x) ? HEDDLE_SPECIAL(COS_S, x) : reduced_cos(x))
FLOAT_1(tan, fits_unit(x) ? HEDDLE_SPECIAL(SIN_S, x) / HEDDLE_SPECIAL(COS_S, x) : reduced_tan(x))
#define SINCOS(type, space)                            \
    OVERLOAD type sincos(type x, space type* cosine) { \
        *cosine = cos(x);                              \
        return sin(x);                                 \
    }
#define SINCOS_SPACES(type)  \
    SINCOS(type, __private)  \
    SINCOS(type, __local)    \
    SINCOS(type, __global)
SINCOS_SPACES(float)
SINCOS_SPACES(float2)
SINCOS_SPACES(float3)
SINCOS_SPACES(float4)
SINCOS_SPACES(float8)
SINCOS_SPACES(float16)

// Of the native_ functions the error is the machine's own, of the half_ functions up to 8192 units
// in the last place.
#define FAST_1(name, expression)     \
    FLOAT_1(native_##name, expression) \
    FLOAT_1(half_##name, expression)
#define FAST_2(name, expression)     \
    FLOAT_2(native_##name, expression) \
    FLOAT_2(half_##name, expression)
FAST_1(cos, HEDDLE_SPECIAL(COS_S, x))
FAST_1(exp, HEDDLE_SPECIAL(EX2_S, x * 0x1.715476p+0f))
FAST_1(exp2, HEDDLE_SPECIAL(EX2_S, x))
FAST_1(exp10, HEDDLE_SPECIAL(EX2_S, x * 0x1.a934f0p+1f))
FAST_1(log, HEDDLE_SPECIAL(LG2_S, x) * 0x1.62e430p-1f)
FAST_1(log2, HEDDLE_SPECIAL(LG2_S, x))
FAST_1(log10, HEDDLE_SPECIAL(LG2_S, x) * 0x1.344136p-2f)
FAST_1(recip, HEDDLE_SPECIAL(RCP_S, x))
FAST_1(rsqrt, HEDDLE_SPECIAL(RSQ_S, x))
FAST_1(sin, HEDDLE_SPECIAL(SIN_S, x))
FAST_1(sqrt, __builtin_sqrtf(x))
FAST_1(tan, HEDDLE_SPECIAL(SIN_S, x) * HEDDLE_SPECIAL(RCP_S, HEDDLE_SPECIAL(COS_S, x)))
FAST_2(divide, x * HEDDLE_SPECIAL(RCP_S, y))
FAST_2(powr, HEDDLE_SPECIAL(EX2_S, y * HEDDLE_SPECIAL(LG2_S, x)))

// The products of factors of 24 bits; others are undefined.
#define INTEGERS(type)                                                \
    OVERLOAD type mul24(type x, type y) { return x * y; }             \
    VECTORS_2(type, mul24)                                            \
    OVERLOAD type mad24(type x, type y, type z) { return x * y + z; } \
    VECTORS_3(type, mad24)                                            \
    OVERLOAD type rotate(type x, type by) {                           \
        return (type)(((uint)x << (by & 31)) | ((uint)x >> (-by & 31))); \
    }                                                                 \
    VECTORS_2(type, rotate)
INTEGERS(int)
INTEGERS(uint)

// libclc negates the least integer.
#define SUB_SAT(type)                                                                      \
    OVERLOAD type sub_sat(type x, type y) { return __builtin_elementwise_sub_sat(x, y); }  \
    VECTORS_2(type, sub_sat)
SUB_SAT(int)
SUB_SAT(long)

// libclc's is wrong where x * y is 0 or -1 times the least integer.
OVERLOAD long mad_sat(long x, long y, long z) {
    const ulong product = (ulong)x * (ulong)y, low = product + (ulong)z;
    const long high = mul_hi(x, y) + (z < 0 ? -1 : 0) + (low < product ? 1 : 0);
    return high == (long)low >> 63 ? (long)low : high < 0 ? LONG_MIN : LONG_MAX;
}
VECTORS_3(long, mad_sat)

// libclc lacks it.
#define MAD_HI(type)                                                             \
    OVERLOAD type mad_hi(type x, type y, type z) { return mul_hi(x, y) + z; }    \
    VECTORS_3(type, mad_hi)
MAD_HI(char)
MAD_HI(uchar)
MAD_HI(short)
MAD_HI(ushort)
MAD_HI(int)
MAD_HI(uint)
MAD_HI(long)
MAD_HI(ulong)

// libclc lacks those whose edges are no vectors.
#define SMOOTHSTEP(n)                                                          \
    __attribute__((overloadable)) double##n smoothstep(double##n, double##n, double##n); \
    OVERLOAD double##n smoothstep(double from, double to, double##n x) {       \
        return smoothstep((double##n)(from), (double##n)(to), x);              \
    }
SMOOTHSTEP(2)
SMOOTHSTEP(3)
SMOOTHSTEP(4)
SMOOTHSTEP(8)
SMOOTHSTEP(16)
