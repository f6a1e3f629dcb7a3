/* SPDX-License-Identifier: Apache-2.0
 * Copyright The Heddle authors
 *
 * make_int2(x, y) and the like. CUDA has no operators on vectors, and neither has this. */
#ifndef __VECTOR_FUNCTIONS_H__
#define __VECTOR_FUNCTIONS_H__

#include "vector_types.h"

#define HEDDLE_MAKE(name, type)                                                                    \
    static __inline__ __host__ __device__ name##1 make_##name##1(type x) {                         \
        name##1 v = {x};                                                                           \
        return v;                                                                                  \
    }                                                                                              \
    static __inline__ __host__ __device__ name##2 make_##name##2(type x, type y) {                 \
        name##2 v = {x, y};                                                                        \
        return v;                                                                                  \
    }                                                                                              \
    static __inline__ __host__ __device__ name##3 make_##name##3(type x, type y, type z) {         \
        name##3 v = {x, y, z};                                                                     \
        return v;                                                                                  \
    }                                                                                              \
    static __inline__ __host__ __device__ name##4 make_##name##4(type x, type y, type z, type w) { \
        name##4 v = {x, y, z, w};                                                                  \
        return v;                                                                                  \
    }
HEDDLE_MAKE(char, signed char)
HEDDLE_MAKE(uchar, unsigned char)
HEDDLE_MAKE(short, short)
HEDDLE_MAKE(ushort, unsigned short)
HEDDLE_MAKE(int, int)
HEDDLE_MAKE(uint, unsigned int)
HEDDLE_MAKE(long, long int)
HEDDLE_MAKE(ulong, unsigned long int)
HEDDLE_MAKE(longlong, long long int)
HEDDLE_MAKE(ulonglong, unsigned long long int)
HEDDLE_MAKE(float, float)
HEDDLE_MAKE(double, double)
#undef HEDDLE_MAKE

#endif
