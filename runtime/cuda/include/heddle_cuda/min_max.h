/* SPDX-License-Identifier: Apache-2.0
 * Copyright The Heddle authors
 *
 * min() and max() outside of std, for host and device code. clang's headers have those of int for
 * device code. */
#ifndef HEDDLE_CUDA_MIN_MAX_H
#define HEDDLE_CUDA_MIN_MAX_H

#define HEDDLE_MIN_MAX(where, type, smaller, larger)   \
    static where __inline__ type min(type x, type y) { \
        return smaller;                                \
    }                                                  \
    static where __inline__ type max(type x, type y) { \
        return larger;                                 \
    }
#define HEDDLE_INTEGERS(type) HEDDLE_MIN_MAX(__host__ __device__, type, x<y ? x : y, x> y ? x : y)
HEDDLE_MIN_MAX(__host__, int, x<y ? x : y, x> y ? x : y)
HEDDLE_INTEGERS(unsigned int)
HEDDLE_INTEGERS(long)
HEDDLE_INTEGERS(unsigned long)
HEDDLE_INTEGERS(long long)
HEDDLE_INTEGERS(unsigned long long)
HEDDLE_MIN_MAX(__host__ __device__, float, fminf(x, y), fmaxf(x, y))
HEDDLE_MIN_MAX(__host__ __device__, double, fmin(x, y), fmax(x, y))
#undef HEDDLE_INTEGERS
#undef HEDDLE_MIN_MAX

/* Of numbers of two types: as C compares them. */
template <bool numbers, typename A, typename B>
struct heddle_mixed {};
template <typename A, typename B>
struct heddle_mixed<true, A, B> {
    typedef decltype(A() + B()) type;
};
#define HEDDLE_MIXED(name, order)                                                              \
    template <typename A, typename B>                                                          \
    static __host__ __device__ __inline__                                                      \
        typename heddle_mixed<__is_arithmetic(A) && __is_arithmetic(B) && !__is_same(A, B), A, \
                              B>::type                                                         \
        name(A x, B y) {                                                                       \
        const decltype(A() + B()) a = x, b = y;                                                \
        return a order b ? a : b;                                                              \
    }
HEDDLE_MIXED(min, <)
HEDDLE_MIXED(max, >)
#undef HEDDLE_MIXED

#endif
