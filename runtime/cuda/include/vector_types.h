/* SPDX-License-Identifier: Apache-2.0
 * Copyright The Heddle authors
 *
 * CUDA's vector types, with CUDA's sizes and alignments, for host and device code. */
#ifndef __VECTOR_TYPES_H__
#define __VECTOR_TYPES_H__

#include "crt/host_defines.h"

/* NAME1, NAME2, ...; `two` and `four`: their alignments. */
#define HEDDLE_VECTORS(name, type, two, four) \
    struct name##1 {                          \
        type x;                               \
    };                                        \
    struct __align__(two) name##2 {           \
        type x, y;                            \
    };                                        \
    struct name##3 {                          \
        type x, y, z;                         \
    };                                        \
    struct __align__(four) name##4 {          \
        type x, y, z, w;                      \
    };                                        \
    typedef struct name##1 name##1;           \
    typedef struct name##2 name##2;           \
    typedef struct name##3 name##3;           \
    typedef struct name##4 name##4;

HEDDLE_VECTORS(char, signed char, 2, 4)
HEDDLE_VECTORS(uchar, unsigned char, 2, 4)
HEDDLE_VECTORS(short, short, 4, 8)
HEDDLE_VECTORS(ushort, unsigned short, 4, 8)
HEDDLE_VECTORS(int, int, 8, 16)
HEDDLE_VECTORS(uint, unsigned int, 8, 16)
HEDDLE_VECTORS(long, long int, 8, 16)
HEDDLE_VECTORS(ulong, unsigned long int, 8, 16)
HEDDLE_VECTORS(longlong, long long int, 16, 16)
HEDDLE_VECTORS(ulonglong, unsigned long long int, 16, 16)
HEDDLE_VECTORS(float, float, 8, 16)
HEDDLE_VECTORS(double, double, 16, 16)
#undef HEDDLE_VECTORS

/* Three numbers; missing ones are 1. */
struct dim3 {
    unsigned int x, y, z;
#if defined(__cplusplus)
#if __cplusplus >= 201103L
    __host__ __device__ constexpr dim3(unsigned int x_ = 1, unsigned int y_ = 1,
                                       unsigned int z_ = 1)
        : x(x_), y(y_), z(z_) {}
    __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
#if defined(__CUDA__)
    /* Of threadIdx and its like. */
    template <typename Id, typename = typename Id::heddle_id>
    __device__ __inline__ __attribute__((always_inline)) dim3(const Id& id)
        : x(id.x), y(id.y), z(id.z) {}
#endif
    __host__ __device__ constexpr operator uint3() const {
        return uint3{x, y, z};
    }
#else
    __host__ __device__ dim3(unsigned int x_ = 1, unsigned int y_ = 1, unsigned int z_ = 1)
        : x(x_), y(y_), z(z_) {}
    __host__ __device__ dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    __host__ __device__ operator uint3() const {
        uint3 v = {x, y, z};
        return v;
    }
#endif
#endif
};
typedef struct dim3 dim3;

#endif
