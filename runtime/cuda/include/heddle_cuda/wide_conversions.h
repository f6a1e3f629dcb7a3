/* SPDX-License-Identifier: Apache-2.0
 * Copyright The Heddle authors
 *
 * Conversions of double and of 64-bit integers with a named rounding, as in conversions.h. */
#ifndef HEDDLE_CUDA_WIDE_CONVERSIONS_H
#define HEDDLE_CUDA_WIDE_CONVERSIONS_H

/* In software: to a whole number first. */
#define HEDDLE_FROM_DOUBLE(mode, whole)                                                         \
    HEDDLE_DEVICE int __double2int_##mode(double x) {                                           \
        const double y = whole(x);                                                              \
        return y != y ? 0 : y >= 0x1p31 ? 0x7fffffff : y <= -0x1p31 ? -0x7fffffff - 1 : (int)y; \
    }                                                                                           \
    HEDDLE_DEVICE unsigned __double2uint_##mode(double x) {                                     \
        const double y = whole(x);                                                              \
        return !(y > 0) ? 0 : y >= 0x1p32 ? 0xffffffffu : (unsigned)y;                          \
    }                                                                                           \
    HEDDLE_DEVICE long long __double2ll_##mode(double x) {                                      \
        const double y = whole(x);                                                              \
        return y != y         ? 0                                                               \
               : y >= 0x1p63  ? 0x7fffffffffffffffll                                            \
               : y <= -0x1p63 ? -0x7fffffffffffffffll - 1                                       \
                              : (long long)y;                                                   \
    }                                                                                           \
    HEDDLE_DEVICE unsigned long long __double2ull_##mode(double x) {                            \
        const double y = whole(x);                                                              \
        return !(y > 0) ? 0 : y >= 0x1p64 ? 0xffffffffffffffffull : (unsigned long long)y;      \
    }                                                                                           \
    HEDDLE_DEVICE long long __float2ll_##mode(float x) {                                        \
        return __double2ll_##mode(x);                                                           \
    }                                                                                           \
    HEDDLE_DEVICE unsigned long long __float2ull_##mode(float x) {                              \
        return __double2ull_##mode(x);                                                          \
    }
HEDDLE_FROM_DOUBLE(rn, __nv_rint)
HEDDLE_FROM_DOUBLE(rz, __nv_trunc)
HEDDLE_FROM_DOUBLE(rd, __nv_floor)
HEDDLE_FROM_DOUBLE(ru, __nv_ceil)
#undef HEDDLE_FROM_DOUBLE

HEDDLE_DEVICE double __int2double_rn(int x) {
    return x;
}
HEDDLE_DEVICE double __uint2double_rn(unsigned x) {
    return x;
}
HEDDLE_DEVICE double __ll2double_rn(long long x) {
    return (double)x;
}
HEDDLE_DEVICE double __ull2double_rn(unsigned long long x) {
    return (double)x;
}
HEDDLE_DEVICE float __ll2float_rn(long long x) {
    return (float)x;
}
HEDDLE_DEVICE float __ull2float_rn(unsigned long long x) {
    return (float)x;
}
HEDDLE_DEVICE float __double2float_rn(double x) {
    return (float)x;
}
/* The float above or below, if the nearest one is on the wrong side. */
HEDDLE_DEVICE float __double2float_rd(double x) {
    const float y = (float)x;
    return y > x ? __nv_nextafterf(y, -__builtin_inff()) : y;
}
HEDDLE_DEVICE float __double2float_ru(double x) {
    const float y = (float)x;
    return y < x ? __nv_nextafterf(y, __builtin_inff()) : y;
}
HEDDLE_DEVICE float __double2float_rz(double x) {
    return x < 0 ? __double2float_ru(x) : __double2float_rd(x);
}

/* Integers of 64 bits: likewise, compared with the integer again. A float or double of 2^63 or more
 * is larger than all of them. */
namespace heddle {
namespace detail {
template <unsigned bytes>
struct type_of_bits {
    typedef int type;
};
template <>
struct type_of_bits<8> {
    typedef long long type;
};
template <typename F, typename T>
HEDDLE_DEVICE F rounded_integer(T x, bool down, bool up) {
    constexpr int top = (T)-1 < (T)0 ? 62 : 63;
    const F near = (F)x;
    const bool beyond = near >= (F)((T)1 << top) * 2;
    const bool above = beyond || (T)near > x, below = !beyond && (T)near < x;
    /* Neither is 0: whole numbers near 0 are exact. */
    typedef typename type_of_bits<sizeof(F)>::type bits;
    const bits away = near > 0 ? 1 : -1;
    if (down && above) return bit_cast<F>(bit_cast<bits>(near) - away);
    return up && below ? bit_cast<F>(bit_cast<bits>(near) + away) : near;
}
}  // namespace detail
}  // namespace heddle
#define HEDDLE_FROM_INTEGER(name, F, T)                            \
    HEDDLE_DEVICE F name##_rd(T x) {                               \
        return heddle::detail::rounded_integer<F>(x, true, false); \
    }                                                              \
    HEDDLE_DEVICE F name##_ru(T x) {                               \
        return heddle::detail::rounded_integer<F>(x, false, true); \
    }                                                              \
    HEDDLE_DEVICE F name##_rz(T x) {                               \
        return x < 0 ? name##_ru(x) : name##_rd(x);                \
    }
HEDDLE_FROM_INTEGER(__ll2float, float, long long)
HEDDLE_FROM_INTEGER(__ull2float, float, unsigned long long)
HEDDLE_FROM_INTEGER(__ll2double, double, long long)
HEDDLE_FROM_INTEGER(__ull2double, double, unsigned long long)
#undef HEDDLE_FROM_INTEGER

#endif
