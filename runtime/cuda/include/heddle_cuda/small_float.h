/* SPDX-License-Identifier: Apache-2.0
 * Copyright The Heddle authors
 *
 * What numbers of 16 bits have in common: __half (cuda_fp16.h) and __nv_bfloat16 (cuda_bf16.h). The
 * machine has none of them: an operation converts to float, computes, and rounds once. Host code
 * has all but the functions of math.h and the atomics. */
#ifndef HEDDLE_CUDA_SMALL_FLOAT_H
#define HEDDLE_CUDA_SMALL_FLOAT_H

#include "cuda_runtime.h"

#define HEDDLE_SMALL static __host__ __device__ __inline__

namespace heddle {
namespace detail {

enum rounding { nearest_even, towards_zero, downwards, upwards };

/* `kept`, or the next larger number: `rest` of 2 * `half` is lost. */
HEDDLE_SMALL unsigned rounded(unsigned kept, unsigned rest, unsigned half, bool negative,
                              rounding way) {
    if (rest == 0 || way == towards_zero) return kept;
    if (way == nearest_even) return kept + (rest > half || (rest == half && (kept & 1) != 0));
    return kept + ((way == downwards) == negative);
}

/* 10 bits behind the point, exponents of 5 bits. */
struct half_format {
    static __host__ __device__ __inline__ unsigned short from(float x, rounding way) {
        const unsigned bits = __builtin_bit_cast(unsigned, x), sign = bits >> 16 & 0x8000u;
        const unsigned size = bits & 0x7fffffffu;
        if (size > 0x7f800000u) return 0x7fff;
        if (size == 0x7f800000u) return (unsigned short)(sign | 0x7c00u);
        const unsigned exponent = size >> 23;
        unsigned kept, rest, half;
        if (exponent >= 143) { /* 65536 and more: beyond the largest number */
            kept = 0x7bff, rest = 2, half = 1;
        } else if (exponent >= 113) {
            kept = (size >> 13) - (112u << 10), rest = size & 0x1fffu, half = 0x1000;
        } else { /* units of 2^-24 */
            const unsigned shift = exponent < 96 ? 31 : 126 - exponent;
            const unsigned digits = (size & 0x7fffffu) | (exponent == 0 ? 0 : 0x800000u);
            kept = digits >> shift, rest = digits & ((1u << shift) - 1), half = 1u << (shift - 1);
        }
        return (unsigned short)(sign | rounded(kept, rest, half, sign != 0, way));
    }
    static __host__ __device__ __inline__ float to(unsigned short x) {
        const unsigned sign = (x & 0x8000u) << 16, exponent = x >> 10 & 31u, digits = x & 0x3ffu;
        unsigned size = (exponent + 112) << 23 | digits << 13;
        if (exponent == 31) size = 0x7f800000u | digits << 13;
        if (exponent == 0) size = __builtin_bit_cast(unsigned, (float)(int)digits * 0x1p-24f);
        return __builtin_bit_cast(float, sign | size);
    }
};

/* The upper half of a float. */
struct bfloat16_format {
    static __host__ __device__ __inline__ unsigned short from(float x, rounding way) {
        const unsigned bits = __builtin_bit_cast(unsigned, x);
        if ((bits & 0x7fffffffu) > 0x7f800000u) return 0x7fff;
        return (unsigned short)rounded(bits >> 16, bits & 0xffffu, 0x8000, bits >> 31 != 0, way);
    }
    static __host__ __device__ __inline__ float to(unsigned short x) {
        return __builtin_bit_cast(float, (unsigned)x << 16);
    }
};

/* x * y + z with a last bit of 1 if something is lost, so that another rounding goes the same way
 * as that of the exact sum. The product must be exact. */
HEDDLE_SMALL float fused_to_odd(float x, float y, float z) {
#pragma clang fp contract(off)
    const float product = x * y, sum = product + z, part = sum - product;
    const float lost = (product - (sum - part)) + (z - part);
    const unsigned bits = __builtin_bit_cast(unsigned, sum);
    if (!(lost < 0 || lost > 0) || (bits & 1) != 0) return sum;
    return __builtin_bit_cast(float, (lost > 0) == (sum > 0) ? bits + 1 : bits - 1);
}

}  // namespace detail
}  // namespace heddle

/* From and to a type of numbers. */
#define HEDDLE_SMALL_NUMBER(type, number)                                   \
    __host__ __device__ type(number x) : type(heddle::detail::odd_of(x)) {} \
    __host__ __device__ operator number() const {                           \
        return (number)(float)*this;                                        \
    }

/* The two types: `type`, `type2`, and the format of the former. */
#define HEDDLE_SMALL_TYPES(type, type2, raw, raw2, format)                                \
    struct raw {                                                                          \
        unsigned short x;                                                                 \
    };                                                                                    \
    struct raw2 {                                                                         \
        unsigned short x, y;                                                              \
    };                                                                                    \
    struct __align__(2) type {                                                            \
        unsigned short __x;                                                               \
                                                                                          \
        type() = default;                                                                 \
        __host__ __device__ type(const raw& bits) : __x(bits.x) {}                        \
        __host__ __device__ type(float x)                                                 \
            : __x(heddle::detail::format::from(x, heddle::detail::nearest_even)) {}       \
        __host__ __device__ type(double x) : type(heddle::detail::narrowed(x)) {}         \
        __host__ __device__ operator float() const {                                      \
            return heddle::detail::format::to(__x);                                       \
        }                                                                                 \
        HEDDLE_SMALL_NUMBER(type, short)                                                  \
        HEDDLE_SMALL_NUMBER(type, unsigned short)                                         \
        HEDDLE_SMALL_NUMBER(type, int)                                                    \
        HEDDLE_SMALL_NUMBER(type, unsigned int)                                           \
        HEDDLE_SMALL_NUMBER(type, long)                                                   \
        HEDDLE_SMALL_NUMBER(type, unsigned long)                                          \
        HEDDLE_SMALL_NUMBER(type, long long)                                              \
        HEDDLE_SMALL_NUMBER(type, unsigned long long)                                     \
        __host__ __device__ operator bool() const {                                       \
            return (__x & 0x7fff) != 0;                                                   \
        }                                                                                 \
        __host__ __device__ operator raw() const {                                        \
            return raw{__x};                                                              \
        }                                                                                 \
    };                                                                                    \
    struct __align__(4) type2 {                                                           \
        type x, y;                                                                        \
                                                                                          \
        type2() = default;                                                                \
        __host__ __device__ type2(const type& low, const type& high) : x(low), y(high) {} \
        __host__ __device__ type2(const raw2& bits) : x(raw{bits.x}), y(raw{bits.y}) {}   \
        __host__ __device__ operator raw2() const {                                       \
            return raw2{x.__x, y.__x};                                                    \
        }                                                                                 \
    };

namespace heddle {
namespace detail {
/* A float with a last bit of 1 if something is lost, as fused_to_odd(). */
HEDDLE_SMALL float narrowed(double x) {
    const float near = (float)x;
    const double lost = x - (double)near;
    const unsigned bits = __builtin_bit_cast(unsigned, near);
    if (!(lost < 0 || lost > 0) || (bits & 1) != 0 || near - near != 0) return near;
    if (near == 0) return __builtin_bit_cast(float, (x < 0 ? 0x80000001u : 1u));
    return __builtin_bit_cast(float, (lost > 0) == (near > 0) ? bits + 1 : bits - 1);
}
template <typename T>
HEDDLE_SMALL float odd_of(T x) {
    const unsigned long long whole = x;
    unsigned long long size = x < 0 ? 0 - whole : whole;
    float unit = x < 0 ? -1.0f : 1.0f;
    for (; size >> 24 != 0; unit *= 2) size = size >> 1 | (size & 1);
    return (float)(int)size * unit;
}
}  // namespace detail
}  // namespace heddle

#define HEDDLE_SMALL_OPERATOR(type, type2, op)                       \
    HEDDLE_SMALL type operator op(const type& a, const type& b) {    \
        return type((float)a op(float) b);                           \
    }                                                                \
    HEDDLE_SMALL type& operator op##=(type& a, const type& b) {      \
        return a = a op b;                                           \
    }                                                                \
    HEDDLE_SMALL type2 operator op(const type2& a, const type2& b) { \
        return type2(a.x op b.x, a.y op b.y);                        \
    }                                                                \
    HEDDLE_SMALL type2& operator op##=(type2& a, const type2& b) {   \
        return a = a op b;                                           \
    }
#define HEDDLE_SMALL_COMPARED(type, type2, name, op)                  \
    HEDDLE_SMALL bool operator op(const type& a, const type& b) {     \
        return (float)a op(float) b;                                  \
    }                                                                 \
    HEDDLE_SMALL bool operator op(const type2& a, const type2& b) {   \
        return a.x op b.x && a.y op b.y;                              \
    }                                                                 \
    HEDDLE_SMALL bool __h##name(type a, type b) {                     \
        return (float)a op(float) b && !(__hisnan(a) || __hisnan(b)); \
    }                                                                 \
    HEDDLE_SMALL bool __h##name##u(type a, type b) {                  \
        return (float)a op(float) b || __hisnan(a) || __hisnan(b);    \
    }                                                                 \
    HEDDLE_SMALL_PAIRWISE(type, type2, __h##name##2, __h##name)       \
    HEDDLE_SMALL_PAIRWISE(type, type2, __h##name##u2, __h##name##u)   \
    HEDDLE_SMALL bool __hb##name##2(type2 a, type2 b) {               \
        return __h##name(a.x, b.x) && __h##name(a.y, b.y);            \
    }                                                                 \
    HEDDLE_SMALL bool __hb##name##u2(type2 a, type2 b) {              \
        return __h##name##u(a.x, b.x) && __h##name##u(a.y, b.y);      \
    }
#define HEDDLE_SMALL_PAIRWISE(type, type2, name, one)           \
    HEDDLE_SMALL type2 name(type2 a, type2 b) {                 \
        return type2(type(one(a.x, b.x)), type(one(a.y, b.y))); \
    }
#define HEDDLE_SMALL_FUNCTION(type, type2, name, expression) \
    HEDDLE_SMALL type name(type a, type b) {                 \
        return expression;                                   \
    }                                                        \
    HEDDLE_SMALL_PAIRWISE(type, type2, name##2, name)
#define HEDDLE_SMALL_FUNCTIONS(type, type2)                                      \
    HEDDLE_SMALL bool __hisnan(type a) {                                         \
        return (float)a != (float)a;                                             \
    }                                                                            \
    HEDDLE_SMALL type2 __hisnan2(type2 a) {                                      \
        return type2(type(__hisnan(a.x)), type(__hisnan(a.y)));                  \
    }                                                                            \
    HEDDLE_SMALL_OPERATOR(type, type2, +)                                        \
    HEDDLE_SMALL_OPERATOR(type, type2, -)                                        \
    HEDDLE_SMALL_OPERATOR(type, type2, *)                                        \
    HEDDLE_SMALL_OPERATOR(type, type2, /)                                        \
    HEDDLE_SMALL_COMPARED(type, type2, eq, ==)                                   \
    HEDDLE_SMALL_COMPARED(type, type2, ne, !=)                                   \
    HEDDLE_SMALL_COMPARED(type, type2, le, <=)                                   \
    HEDDLE_SMALL_COMPARED(type, type2, ge, >=)                                   \
    HEDDLE_SMALL_COMPARED(type, type2, lt, <)                                    \
    HEDDLE_SMALL_COMPARED(type, type2, gt, >)                                    \
    HEDDLE_SMALL type __hneg(type a) {                                           \
        a.__x ^= 0x8000;                                                         \
        return a;                                                                \
    }                                                                            \
    HEDDLE_SMALL type __habs(type a) {                                           \
        a.__x &= 0x7fff;                                                         \
        return a;                                                                \
    }                                                                            \
    HEDDLE_SMALL type heddle_saturated(type a) {                                 \
        return (float)a > 0.0f ? (float)a < 1.0f ? a : type(1.0f) : type(0.0f);  \
    }                                                                            \
    HEDDLE_SMALL type2 __hneg2(type2 a) {                                        \
        return type2(__hneg(a.x), __hneg(a.y));                                  \
    }                                                                            \
    HEDDLE_SMALL type2 __habs2(type2 a) {                                        \
        return type2(__habs(a.x), __habs(a.y));                                  \
    }                                                                            \
    HEDDLE_SMALL type operator-(const type& a) {                                 \
        return __hneg(a);                                                        \
    }                                                                            \
    HEDDLE_SMALL type2 operator-(const type2& a) {                               \
        return __hneg2(a);                                                       \
    }                                                                            \
    HEDDLE_SMALL type operator+(const type& a) {                                 \
        return a;                                                                \
    }                                                                            \
    HEDDLE_SMALL type& operator++(type& a) {                                     \
        return a = a + type(1.0f);                                               \
    }                                                                            \
    HEDDLE_SMALL type& operator--(type& a) {                                     \
        return a = a - type(1.0f);                                               \
    }                                                                            \
    HEDDLE_SMALL type operator++(type& a, int) {                                 \
        const type before = a;                                                   \
        ++a;                                                                     \
        return before;                                                           \
    }                                                                            \
    HEDDLE_SMALL type operator--(type& a, int) {                                 \
        const type before = a;                                                   \
        --a;                                                                     \
        return before;                                                           \
    }                                                                            \
    HEDDLE_SMALL_FUNCTION(type, type2, __hadd, a + b)                            \
    HEDDLE_SMALL_FUNCTION(type, type2, __hsub, a - b)                            \
    HEDDLE_SMALL_FUNCTION(type, type2, __hmul, a* b)                             \
    HEDDLE_SMALL_FUNCTION(type, type2, __hadd_rn, a + b)                         \
    HEDDLE_SMALL_FUNCTION(type, type2, __hsub_rn, a - b)                         \
    HEDDLE_SMALL_FUNCTION(type, type2, __hmul_rn, a* b)                          \
    HEDDLE_SMALL_FUNCTION(type, type2, __hadd_sat, heddle_saturated(a + b))      \
    HEDDLE_SMALL_FUNCTION(type, type2, __hsub_sat, heddle_saturated(a - b))      \
    HEDDLE_SMALL_FUNCTION(type, type2, __hmul_sat, heddle_saturated(a* b))       \
    HEDDLE_SMALL type __hdiv(type a, type b) {                                   \
        return a / b;                                                            \
    }                                                                            \
    HEDDLE_SMALL type2 __h2div(type2 a, type2 b) {                               \
        return a / b;                                                            \
    }                                                                            \
    /* Of a number and a NaN the number; -0 is less than 0. */                   \
    HEDDLE_SMALL_FUNCTION(type, type2, __hmax,                                   \
                          __hisnan(a)   ? b                                      \
                          : __hisnan(b) ? a                                      \
                          : a == b      ? (a.__x < b.__x ? a : b)                \
                          : a > b       ? a                                      \
                                        : b)                                           \
    HEDDLE_SMALL_FUNCTION(type, type2, __hmin,                                   \
                          __hisnan(a)   ? b                                      \
                          : __hisnan(b) ? a                                      \
                          : a == b      ? (a.__x > b.__x ? a : b)                \
                          : a < b       ? a                                      \
                                        : b)                                           \
    HEDDLE_SMALL_FUNCTION(type, type2, __hmax_nan,                               \
                          __hisnan(a)   ? a                                      \
                          : __hisnan(b) ? b                                      \
                                        : __hmax(a, b))                          \
    HEDDLE_SMALL_FUNCTION(type, type2, __hmin_nan,                               \
                          __hisnan(a)   ? a                                      \
                          : __hisnan(b) ? b                                      \
                                        : __hmin(a, b))                          \
    HEDDLE_SMALL type __hfma(type a, type b, type c) {                           \
        return type(heddle::detail::fused_to_odd((float)a, (float)b, (float)c)); \
    }                                                                            \
    HEDDLE_SMALL type __hfma_sat(type a, type b, type c) {                       \
        return heddle_saturated(__hfma(a, b, c));                                \
    }                                                                            \
    HEDDLE_SMALL type __hfma_relu(type a, type b, type c) {                      \
        return __hmax_nan(__hfma(a, b, c), type(0.0f));                          \
    }                                                                            \
    HEDDLE_SMALL type2 __hfma2(type2 a, type2 b, type2 c) {                      \
        return type2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));              \
    }                                                                            \
    HEDDLE_SMALL type2 __hfma2_sat(type2 a, type2 b, type2 c) {                  \
        return type2(__hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y));      \
    }                                                                            \
    HEDDLE_SMALL type2 __hfma2_relu(type2 a, type2 b, type2 c) {                 \
        return type2(__hfma_relu(a.x, b.x, c.x), __hfma_relu(a.y, b.y, c.y));    \
    }

/* Functions of math.h, by those of floats. */
#define HEDDLE_SMALL_MATH(type, type2, name, expression) \
    HEDDLE_DEVICE type h##name(type a) {                 \
        const float x = (float)a;                        \
        return type(expression);                         \
    }                                                    \
    HEDDLE_DEVICE type2 h2##name(type2 a) {              \
        return type2(h##name(a.x), h##name(a.y));        \
    }
#define HEDDLE_SMALL_DEVICE(type, type2)                                                    \
    HEDDLE_SMALL_MATH(type, type2, sqrt, sqrtf(x))                                          \
    HEDDLE_SMALL_MATH(type, type2, rsqrt, rsqrtf(x))                                        \
    HEDDLE_SMALL_MATH(type, type2, rcp, 1.0f / x)                                           \
    HEDDLE_SMALL_MATH(type, type2, exp, expf(x))                                            \
    HEDDLE_SMALL_MATH(type, type2, exp2, exp2f(x))                                          \
    HEDDLE_SMALL_MATH(type, type2, exp10, exp10f(x))                                        \
    HEDDLE_SMALL_MATH(type, type2, log, logf(x))                                            \
    HEDDLE_SMALL_MATH(type, type2, log2, log2f(x))                                          \
    HEDDLE_SMALL_MATH(type, type2, log10, log10f(x))                                        \
    HEDDLE_SMALL_MATH(type, type2, sin, sinf(x))                                            \
    HEDDLE_SMALL_MATH(type, type2, cos, cosf(x))                                            \
    HEDDLE_SMALL_MATH(type, type2, tanh, tanhf(x))                                          \
    HEDDLE_SMALL_MATH(type, type2, floor, floorf(x))                                        \
    HEDDLE_SMALL_MATH(type, type2, ceil, ceilf(x))                                          \
    HEDDLE_SMALL_MATH(type, type2, trunc, truncf(x))                                        \
    HEDDLE_SMALL_MATH(type, type2, rint, rintf(x))                                          \
    HEDDLE_DEVICE type2 atomicAdd(type2* at, type2 value) {                                 \
        return heddle::detail::bit_cast<type2>(                                             \
            heddle::detail::replace((unsigned*)at, [=](unsigned before) {                   \
                return heddle::detail::bit_cast<unsigned>(                                  \
                    heddle::detail::bit_cast<type2>(before) + value);                       \
            }));                                                                            \
    }                                                                                       \
    HEDDLE_DEVICE type atomicAdd(type* at, type value) {                                    \
        const unsigned address = heddle::detail::address(at), shift = (address & 2) * 8;    \
        const unsigned before =                                                             \
            heddle::detail::replace((unsigned*)(address & ~3u), [=](unsigned word) {        \
                type old;                                                                   \
                old.__x = (unsigned short)(word >> shift);                                  \
                return (word & ~(0xffffu << shift)) | (unsigned)(old + value).__x << shift; \
            });                                                                             \
        type old;                                                                           \
        old.__x = (unsigned short)(before >> shift);                                        \
        return old;                                                                         \
    }                                                                                       \
    HEDDLE_SMALL_SHUFFLE(type, __shfl_sync)                                                 \
    HEDDLE_SMALL_SHUFFLE(type, __shfl_up_sync)                                              \
    HEDDLE_SMALL_SHUFFLE(type, __shfl_down_sync)                                            \
    HEDDLE_SMALL_SHUFFLE(type, __shfl_xor_sync)
// The operand has the type of warp.h's templates: else a call with another type of value is
// ambiguous.
#define HEDDLE_SMALL_SHUFFLE(type, name)                                                   \
    HEDDLE_DEVICE type name(unsigned mask, type value, unsigned operand, int width = 32) { \
        value.__x = name(mask, value.__x, operand, width);                                 \
        return value;                                                                      \
    }

#endif
