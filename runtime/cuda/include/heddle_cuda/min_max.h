/* SPDX-License-Identifier: Apache-2.0
 * Copyright The Heddle authors
 *
 * min() and max() outside of std, for host and device code. clang's headers have those of integers
 * for device code. */
#ifndef HEDDLE_CUDA_MIN_MAX_H
#define HEDDLE_CUDA_MIN_MAX_H

#define HEDDLE_HOST static __host__ __inline__
#define HEDDLE_MIN_MAX(type)                                                 \
    HEDDLE_HOST type min(type x, type y) { return x < y ? x : y; }           \
    HEDDLE_HOST type max(type x, type y) { return x > y ? x : y; }
HEDDLE_MIN_MAX(int)
HEDDLE_MIN_MAX(unsigned int)
HEDDLE_MIN_MAX(long)
HEDDLE_MIN_MAX(unsigned long)
HEDDLE_MIN_MAX(long long)
HEDDLE_MIN_MAX(unsigned long long)
#undef HEDDLE_MIN_MAX
HEDDLE_HOST float min(float x, float y) { return fminf(x, y); }
HEDDLE_HOST float max(float x, float y) { return fmaxf(x, y); }
HEDDLE_HOST double min(double x, double y) { return fmin(x, y); }
HEDDLE_HOST double max(double x, double y) { return fmax(x, y); }
#undef HEDDLE_HOST

HEDDLE_DEVICE long min(long x, long y) { return x < y ? x : y; }
HEDDLE_DEVICE long max(long x, long y) { return x > y ? x : y; }
HEDDLE_DEVICE unsigned long min(unsigned long x, unsigned long y) { return x < y ? x : y; }
HEDDLE_DEVICE unsigned long max(unsigned long x, unsigned long y) { return x > y ? x : y; }

/* Of numbers of two types: as C compares them. */
template <bool numbers, typename A, typename B>
struct heddle_mixed {};
template <typename A, typename B>
struct heddle_mixed<true, A, B> {
    typedef decltype(A() + B()) type;
};
#define HEDDLE_MIXED(name, order)                                                              \
    template <typename A, typename B>                                                          \
    static __host__ __device__ __inline__ typename heddle_mixed<                               \
        __is_arithmetic(A) && __is_arithmetic(B) && !__is_same(A, B), A, B>::type name(A x, B y) { \
        const decltype(A() + B()) a = x, b = y;                                                \
        return a order b ? a : b;                                                              \
    }
HEDDLE_MIXED(min, <)
HEDDLE_MIXED(max, >)
#undef HEDDLE_MIXED

#endif
