/* SPDX-License-Identifier: Apache-2.0
 * Copyright The Heddle authors
 *
 * What `heddle nvcc` makes of PTX in asm statements calls these (models/program/ptx_statement.cpp).
 * Only sources with such statements include this file. */
#ifndef HEDDLE_CUDA_PTX_H
#define HEDDLE_CUDA_PTX_H

namespace heddle {
namespace ptx {

#define HEDDLE_PTX        \
    template <typename T> \
    HEDDLE_DEVICE

template <bool same_size>
struct caster {
    template <typename To, typename From>
    HEDDLE_DEVICE To cast(From x) {
        return __builtin_bit_cast(To, x);
    }
};
template <>
struct caster<false> {
    template <typename To, typename From>
    HEDDLE_DEVICE To cast(From x) {
        return (To)x;
    }
    template <typename To, typename From>
    HEDDLE_DEVICE To cast(From* x) {
        return (To)(unsigned)x;
    }
};

/* An operand's bits as a type; integers of another size are cut or extended. */
template <typename T, typename X>
HEDDLE_DEVICE T as(X x) {
    return caster<sizeof(T) == sizeof(X)>::template cast<T>(x);
}
/* A result's bits in a destination. */
template <typename D, typename V>
HEDDLE_DEVICE void put(D& destination, V value) {
    destination = caster<sizeof(D) == sizeof(V)>::template cast<D>(value);
}
template <typename D, typename V>
HEDDLE_DEVICE void put(D*& destination, V value) {
    destination = (D*)(unsigned)value;
}
/* A destination that nobody reads. */
struct nowhere {};
HEDDLE_DEVICE nowhere sink() {
    return {};
}
template <typename V>
HEDDLE_DEVICE void put(nowhere, V) {}

template <typename T>
struct unsigned_form {
    typedef T type;
};
template <>
struct unsigned_form<int> {
    typedef unsigned type;
};
template <>
struct unsigned_form<short> {
    typedef unsigned short type;
};
template <>
struct unsigned_form<long long> {
    typedef unsigned long long type;
};

/* Without overflow of signed numbers. */
HEDDLE_PTX T sum(T x, T y) {
    typedef typename unsigned_form<T>::type bits;
    return (T)((bits)x + (bits)y);
}
HEDDLE_PTX T difference(T x, T y) {
    typedef typename unsigned_form<T>::type bits;
    return (T)((bits)x - (bits)y);
}
HEDDLE_PTX T product(T x, T y) {
    typedef typename unsigned_form<T>::type bits;
    return (T)((bits)x * (bits)y);
}
HEDDLE_DEVICE int high_product(int x, int y) {
    return __mulhi(x, y);
}
HEDDLE_DEVICE unsigned high_product(unsigned x, unsigned y) {
    return __umulhi(x, y);
}
HEDDLE_DEVICE long long high_product(long long x, long long y) {
    return __mul64hi(x, y);
}
HEDDLE_DEVICE unsigned long long high_product(unsigned long long x, unsigned long long y) {
    return __umul64hi(x, y);
}
HEDDLE_DEVICE int product24(int x, int y) {
    return __mul24(x, y);
}
HEDDLE_DEVICE unsigned product24(unsigned x, unsigned y) {
    return __umul24(x, y);
}
HEDDLE_DEVICE float fused(float x, float y, float z) {
    return fmaf(x, y, z);
}
HEDDLE_DEVICE double fused(double x, double y, double z) {
    return fma(x, y, z);
}
HEDDLE_PTX T size(T x) {
    return x < 0 ? difference((T)0, x) : x;
}
HEDDLE_DEVICE float size(float x) {
    return fabsf(x);
}
HEDDLE_DEVICE double size(double x) {
    return fabs(x);
}
HEDDLE_PTX T smaller(T x, T y) {
    return x < y ? x : y;
}
HEDDLE_PTX T larger(T x, T y) {
    return x > y ? x : y;
}
HEDDLE_DEVICE float smaller(float x, float y) {
    return fminf(x, y);
}
HEDDLE_DEVICE float larger(float x, float y) {
    return fmaxf(x, y);
}
HEDDLE_DEVICE double smaller(double x, double y) {
    return fmin(x, y);
}
HEDDLE_DEVICE double larger(double x, double y) {
    return fmax(x, y);
}
HEDDLE_PTX bool differs(T x, T y) {
    return x < y || x > y;
}
HEDDLE_PTX T inverted(T x) {
    return (T)~x;
}
HEDDLE_DEVICE bool inverted(bool x) {
    return !x;
}

/* Counts beyond the size shift everything out. */
HEDDLE_PTX T left(T x, unsigned count) {
    return count >= sizeof(T) * 8 ? (T)0 : (T)((typename unsigned_form<T>::type)x << count);
}
HEDDLE_PTX T right(T x, unsigned count) {
    const bool all = count >= sizeof(T) * 8;
    return all && (T)-1 > (T)0 ? (T)0 : (T)(x >> (all ? sizeof(T) * 8 - 1 : count));
}
HEDDLE_DEVICE int ones(unsigned x) {
    return __popc(x);
}
HEDDLE_DEVICE int ones(unsigned long long x) {
    return __popcll(x);
}
HEDDLE_DEVICE int zeros(unsigned x) {
    return __clz((int)x);
}
HEDDLE_DEVICE int zeros(unsigned long long x) {
    return __clzll((long long)x);
}
HEDDLE_DEVICE unsigned reversed(unsigned x) {
    return __brev(x);
}
HEDDLE_DEVICE unsigned long long reversed(unsigned long long x) {
    return __brevll(x);
}
/* The place of the highest bit that is not the sign's. */
HEDDLE_PTX unsigned highest(T x) {
    const typename unsigned_form<T>::type bits = x < 0 ? ~x : x;
    return bits == 0 ? ~0u : (unsigned)(sizeof(T) * 8 - 1 - zeros(bits));
}
/* Bits from `first` on; those beyond the end are copies of the sign, or zeros. */
HEDDLE_PTX T field(T x, unsigned first, unsigned length) {
    typedef typename unsigned_form<T>::type bits;
    const unsigned all = sizeof(T) * 8;
    first &= 255, length &= 255;
    if (length == 0) return 0;
    const T moved = right(x, first);
    if (length >= all) return moved;
    const T cut = (T)((bits)moved << (all - length));
    return (T)(cut >> (all - length));
}
HEDDLE_PTX T with_field(T from, T to, unsigned first, unsigned length) {
    const unsigned all = sizeof(T) * 8;
    first &= 255, length &= 255;
    const T mask = left((T)(length >= all ? ~(T)0 : left((T)1, length) - 1), first);
    return (to & ~mask) | (left(from, first) & mask);
}
/* Bit 4a + 2b + c of the table. */
HEDDLE_DEVICE unsigned logic(unsigned x, unsigned y, unsigned z, unsigned table) {
    unsigned out = 0;
    for (unsigned i = 0; i < 8; ++i) {
        if ((table >> i & 1) == 0) continue;
        out |= (i & 4 ? x : ~x) & (i & 2 ? y : ~y) & (i & 1 ? z : ~z);
    }
    return out;
}

HEDDLE_DEVICE float reciprocal(float x) {
    return 1.0f / x;
}
HEDDLE_DEVICE double reciprocal(double x) {
    return 1.0 / x;
}
HEDDLE_DEVICE float root(float x) {
    return sqrtf(x);
}
HEDDLE_DEVICE double root(double x) {
    return sqrt(x);
}
HEDDLE_DEVICE float reciprocal_root(float x) {
    return rsqrtf(x);
}
HEDDLE_DEVICE double reciprocal_root(double x) {
    return rsqrt(x);
}

/* The number of warp slots that %warpid may name. */
HEDDLE_DEVICE unsigned warps() {
    return heddle::warps_per_block();
}
/* A segment's width, of the operand of shfl that has its complement. */
HEDDLE_DEVICE int width(unsigned operand) {
    return 32 - (int)(operand >> 8 & 31);
}

HEDDLE_PTX T load_plain(const T* at) {
    return *at;
}
HEDDLE_PTX T load_near(const T* at) {
    return *(const volatile T*)at;
}
HEDDLE_PTX T load_fresh(const T* at) {
    return *(const volatile T*)at;
}
HEDDLE_PTX T load_cg(const T* at) {
    return __ldcg(at);
}
HEDDLE_PTX T load_nc(const T* at) {
    return __ldg(at);
}

/* Conversions. Integers are cut; floats are rounded: rni and the like to whole numbers. */
enum rounding { rn, rz, rm, rp, rni, rzi, rmi, rpi, rna };

template <typename To, bool to_float, bool from_float>
struct converter {
    template <typename From>
    HEDDLE_DEVICE To of(From x, rounding) {
        return (To)x;
    }
};
HEDDLE_PTX T whole(T x, rounding way) {
    switch (way) {
        case rzi:
            return trunc(x);
        case rmi:
            return floor(x);
        case rpi:
            return ceil(x);
        default:
            return rint(x);
    }
}
template <typename To>
struct converter<To, false, true> {
    template <typename From>
    HEDDLE_DEVICE To of(From x, rounding way) {
        return (To)whole(x, way);
    }
};
template <typename To>
struct converter<To, true, true> {
    template <typename From>
    HEDDLE_DEVICE To of(From x, rounding way) {
        if (way >= rni) return (To)whole(x, way);
        if (sizeof(To) < sizeof(From)) {
            if (way == rz) return (To)__double2float_rz(x);
            if (way == rm) return (To)__double2float_rd(x);
            if (way == rp) return (To)__double2float_ru(x);
        }
        return (To)x;
    }
};
HEDDLE_DEVICE constexpr bool is_float(float) {
    return true;
}
HEDDLE_DEVICE constexpr bool is_float(double) {
    return true;
}
HEDDLE_PTX constexpr bool is_float(T) {
    return false;
}
template <typename To, typename From>
HEDDLE_DEVICE To converted(From x, rounding way) {
    return converter<To, is_float(To()), is_float(From())>::of(x, way);
}

#undef HEDDLE_PTX

}  // namespace ptx
}  // namespace heddle

#endif
