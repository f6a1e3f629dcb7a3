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

/* In the other roundings: the nearest result, or its neighbour on the side of what it lacks. */
namespace heddle {
namespace detail {

enum rounding_side { to_zero, to_below, to_above };

/* `near` is the exact result, of finite operands, less `lost`: of that only the sign counts. */
HEDDLE_DEVICE double toward(double near, double lost, rounding_side side) {
    const bool down = side == to_below || (side == to_zero && near > 0);
    if (!(lost < 0 || lost > 0) || (lost < 0) != down) return near;
    if (near == 0) {
        if (side == to_zero) return near;
        return __longlong_as_double(lost < 0 ? 1ll | 1ll << 63 : 1ll);
    }
    const long long bits = __double_as_longlong(near);
    return __longlong_as_double((near > 0) == (lost > 0) ? bits + 1 : bits - 1);
}
/* A result beyond the largest number. */
HEDDLE_DEVICE double at_end(double infinite, rounding_side side) {
    const bool back = side == to_zero || (infinite > 0) == (side == to_below);
    const double most = 0x1.fffffffffffffp1023;
    return !back ? infinite : infinite > 0 ? most : -most;
}
HEDDLE_DEVICE bool is_finite(double x) {
    return __builtin_fabs(x) <= 0x1.fffffffffffffp1023;
}
/* What x + y lacks, exactly. */
HEDDLE_DEVICE double lost_of_sum(double x, double y, double sum) {
#pragma clang fp contract(off)
    const double part = sum - x;
    return (x - (sum - part)) + (y - part);
}

HEDDLE_DEVICE double rounded_sum(double x, double y, rounding_side side) {
    const double sum = __dadd_rn(x, y);
    if (!is_finite(sum)) return is_finite(x) && is_finite(y) ? at_end(sum, side) : sum;
    if (sum == 0 && x == -y && x != 0) return side == to_below ? -0.0 : 0.0;
    if (sum == 0) return x == 0 && side == to_below && __signbitd(x) | __signbitd(y) ? -0.0 : sum;
    return toward(sum, lost_of_sum(x, y, sum), side);
}
/* Factors of 2^200 keep the remainders of small numbers from getting lost. */
HEDDLE_DEVICE double rounded_product(double x, double y, rounding_side side) {
    const double product = __dmul_rn(x, y);
    if (!is_finite(product)) return is_finite(x) && is_finite(y) ? at_end(product, side) : product;
    if (x == 0 || y == 0) return product;
    if (product == 0) return toward(product, __signbitd(product) != 0 ? -1 : 1, side);
    double first = x, second = y, near = product;
    if (__builtin_fabs(product) < 0x1p-900) {
        if (__builtin_fabs(x) > __builtin_fabs(y)) first = y, second = x;
        first *= 0x1p200;
        near *= 0x1p200;
    }
    return toward(product, __nv_fma(first, second, -near), side);
}
HEDDLE_DEVICE double rounded_quotient(double x, double y, rounding_side side) {
    const double quotient = x / y;
    if (!is_finite(quotient)) {
        return is_finite(x) && is_finite(y) && y != 0 ? at_end(quotient, side) : quotient;
    }
    if (x == 0 || !is_finite(y)) return quotient;
    if (quotient == 0) return toward(quotient, __signbitd(quotient) != 0 ? -1 : 1, side);
    double top = x, bottom = y, near = quotient;
    if (__builtin_fabs(quotient) < 0x1p-900) {
        top *= 0x1p200;
        near *= 0x1p200;
    } else if (__builtin_fabs(x) < 0x1p-900) {
        top *= 0x1p200;
        bottom *= 0x1p200;
    }
    const double lost = __nv_fma(-near, bottom, top);
    return toward(quotient, y < 0 ? -lost : lost, side);
}
HEDDLE_DEVICE double rounded_root(double x, rounding_side side) {
    const double root = __nv_sqrt(x);
    if (!(x > 0) || !is_finite(x)) return root;
    const bool small = x < 0x1p-900;
    const double near = small ? root * 0x1p100 : root;
    return toward(root, __nv_fma(-near, near, small ? x * 0x1p200 : x), side);
}
/* The product's own remainder gets lost below 2^-1022. */
HEDDLE_DEVICE double rounded_fused(double x, double y, double z, rounding_side side) {
#pragma clang fp contract(off)
    const double fused = __nv_fma(x, y, z);
    if (!is_finite(fused)) {
        return is_finite(x) && is_finite(y) && is_finite(z) ? at_end(fused, side) : fused;
    }
    const double product = x * y;
    if (product == 0 || z == 0)
        return product == 0 ? rounded_sum(product, z, side) : rounded_product(x, y, side);
    const double low = __nv_fma(x, y, -product), sum = product + z;
    if (fused == 0) return sum == 0 && side == to_below ? -0.0 : fused;
    const double rest = lost_of_sum(product, z, sum), more = rest + low;
    const double lost = (sum - fused) + more;
    return toward(fused, lost != 0 ? lost : lost_of_sum(rest, low, more), side);
}

}  // namespace detail
}  // namespace heddle

#define HEDDLE_SIDE(mode, side)                                              \
    HEDDLE_DEVICE double __dadd_##mode(double x, double y) {                 \
        return heddle::detail::rounded_sum(x, y, heddle::detail::side);      \
    }                                                                        \
    HEDDLE_DEVICE double __dsub_##mode(double x, double y) {                 \
        return heddle::detail::rounded_sum(x, -y, heddle::detail::side);     \
    }                                                                        \
    HEDDLE_DEVICE double __dmul_##mode(double x, double y) {                 \
        return heddle::detail::rounded_product(x, y, heddle::detail::side);  \
    }                                                                        \
    HEDDLE_DEVICE double __ddiv_##mode(double x, double y) {                 \
        return heddle::detail::rounded_quotient(x, y, heddle::detail::side); \
    }                                                                        \
    HEDDLE_DEVICE double __drcp_##mode(double x) {                           \
        return heddle::detail::rounded_quotient(1, x, heddle::detail::side); \
    }                                                                        \
    HEDDLE_DEVICE double __dsqrt_##mode(double x) {                          \
        return heddle::detail::rounded_root(x, heddle::detail::side);        \
    }                                                                        \
    HEDDLE_DEVICE double __fma_##mode(double x, double y, double z) {        \
        return heddle::detail::rounded_fused(x, y, z, heddle::detail::side); \
    }
HEDDLE_SIDE(rz, to_zero)
HEDDLE_SIDE(rd, to_below)
HEDDLE_SIDE(ru, to_above)
#undef HEDDLE_SIDE

#endif
