/* SPDX-License-Identifier: Apache-2.0
 * Copyright The Heddle authors
 *
 * Conversions of numbers of 16 bits (small_float.h) by the names of functions. */
#ifndef HEDDLE_CUDA_SMALL_FLOAT_CONVERSIONS_H
#define HEDDLE_CUDA_SMALL_FLOAT_CONVERSIONS_H

#include "heddle_cuda/small_float.h"

/* Conversions; `name` is what functions call the type, `name2` a pair of it. */
#define HEDDLE_SMALL_ROUNDED(type, name, format, mode, way)              \
    HEDDLE_SMALL type __float2##name##_##mode(float x) {                 \
        type made;                                                       \
        made.__x = heddle::detail::format::from(x, heddle::detail::way); \
        return made;                                                     \
    }
#define HEDDLE_SMALL_FROM_INTEGER(type, name, number, text, mode)  \
    HEDDLE_SMALL type __##text##2##name##_##mode(number x) {       \
        return __float2##name##_##mode(heddle::detail::odd_of(x)); \
    }
#define HEDDLE_SMALL_INTEGER(type, name, number, text)             \
    HEDDLE_SMALL_FROM_INTEGER(type, name, number, text, rn)        \
    HEDDLE_SMALL_FROM_INTEGER(type, name, number, text, rz)        \
    HEDDLE_SMALL_FROM_INTEGER(type, name, number, text, rd)        \
    HEDDLE_SMALL_FROM_INTEGER(type, name, number, text, ru)        \
    HEDDLE_SMALL number __##name##2##text##_rz(type x) {           \
        return heddle::detail::whole_of<number>(truncf((float)x)); \
    }                                                              \
    HEDDLE_SMALL number __##name##2##text##_rn(type x) {           \
        return heddle::detail::whole_of<number>(rintf((float)x));  \
    }                                                              \
    HEDDLE_SMALL number __##name##2##text##_rd(type x) {           \
        return heddle::detail::whole_of<number>(floorf((float)x)); \
    }                                                              \
    HEDDLE_SMALL number __##name##2##text##_ru(type x) {           \
        return heddle::detail::whole_of<number>(ceilf((float)x));  \
    }
#define HEDDLE_SMALL_CONVERSIONS(type, type2, raw, name, name2, format) \
    HEDDLE_SMALL_ROUNDED(type, name, format, rn, nearest_even)          \
    HEDDLE_SMALL_ROUNDED(type, name, format, rz, towards_zero)          \
    HEDDLE_SMALL_ROUNDED(type, name, format, rd, downwards)             \
    HEDDLE_SMALL_ROUNDED(type, name, format, ru, upwards)               \
    HEDDLE_SMALL type __float2##name(float x) {                         \
        return type(x);                                                 \
    }                                                                   \
    HEDDLE_SMALL type __double2##name(double x) {                       \
        return type(x);                                                 \
    }                                                                   \
    HEDDLE_SMALL float __##name##2float(type x) {                       \
        return (float)x;                                                \
    }                                                                   \
    HEDDLE_SMALL_INTEGER(type, name, short, short)                      \
    HEDDLE_SMALL_INTEGER(type, name, unsigned short, ushort)            \
    HEDDLE_SMALL_INTEGER(type, name, int, int)                          \
    HEDDLE_SMALL_INTEGER(type, name, unsigned int, uint)                \
    HEDDLE_SMALL_INTEGER(type, name, long long, ll)                     \
    HEDDLE_SMALL_INTEGER(type, name, unsigned long long, ull)           \
    HEDDLE_SMALL short __##name##_as_short(type x) {                    \
        return (short)x.__x;                                            \
    }                                                                   \
    HEDDLE_SMALL unsigned short __##name##_as_ushort(type x) {          \
        return x.__x;                                                   \
    }                                                                   \
    HEDDLE_SMALL type __short_as_##name(short x) {                      \
        return raw{(unsigned short)x};                                  \
    }                                                                   \
    HEDDLE_SMALL type __ushort_as_##name(unsigned short x) {            \
        return raw{x};                                                  \
    }                                                                   \
    HEDDLE_SMALL type2 __float2##name2##_rn(float x) {                  \
        return type2(type(x), type(x));                                 \
    }                                                                   \
    HEDDLE_SMALL type2 __floats2##name2##_rn(float x, float y) {        \
        return type2(type(x), type(y));                                 \
    }                                                                   \
    HEDDLE_SMALL type2 __float22##name2##_rn(float2 x) {                \
        return type2(type(x.x), type(x.y));                             \
    }                                                                   \
    HEDDLE_SMALL float2 __##name2##2float2(type2 x) {                   \
        return make_float2((float)x.x, (float)x.y);                     \
    }                                                                   \
    HEDDLE_SMALL type2 __##name##2##name2(type x) {                     \
        return type2(x, x);                                             \
    }                                                                   \
    HEDDLE_SMALL type2 make_##name2(type x, type y) {                   \
        return type2(x, y);                                             \
    }                                                                   \
    HEDDLE_SMALL float __low2float(type2 x) {                           \
        return (float)x.x;                                              \
    }                                                                   \
    HEDDLE_SMALL float __high2float(type2 x) {                          \
        return (float)x.y;                                              \
    }                                                                   \
    HEDDLE_SMALL type __low2##name(type2 x) {                           \
        return x.x;                                                     \
    }                                                                   \
    HEDDLE_SMALL type __high2##name(type2 x) {                          \
        return x.y;                                                     \
    }                                                                   \
    HEDDLE_SMALL type2 __low2##name2(type2 x) {                         \
        return type2(x.x, x.x);                                         \
    }                                                                   \
    HEDDLE_SMALL type2 __high2##name2(type2 x) {                        \
        return type2(x.y, x.y);                                         \
    }                                                                   \
    HEDDLE_SMALL type2 __lowhigh2highlow(type2 x) {                     \
        return type2(x.y, x.x);                                         \
    }                                                                   \
    HEDDLE_SMALL type2 __lows2##name2(type2 x, type2 y) {               \
        return type2(x.x, y.x);                                         \
    }                                                                   \
    HEDDLE_SMALL type2 __highs2##name2(type2 x, type2 y) {              \
        return type2(x.y, y.y);                                         \
    }

namespace heddle {
namespace detail {
/* Too large a whole number becomes the nearest one there is; NaN becomes 0. */
template <typename T>
HEDDLE_SMALL T whole_of(float x) {
    constexpr bool is_signed = (T)-1 < (T)0;
    constexpr int bits = 8 * (int)sizeof(T) - (is_signed ? 1 : 0);
    constexpr T most = (T)((((T)1 << (bits - 1)) - 1) * 2 + 1);
    const float end = (float)((T)1 << (bits - 1)) * 2.0f;
    if (x != x) return 0;
    if (x >= end) return most;
    if (x < (is_signed ? -end : 0.0f)) return is_signed ? (T)(-most - 1) : (T)0;
    return (T)x;
}
}  // namespace detail
}  // namespace heddle

#endif
