/* SPDX-License-Identifier: Apache-2.0
 * Copyright The Heddle authors
 *
 * Complex numbers as float2 and double2. */
#ifndef HEDDLE_CUCOMPLEX_H
#define HEDDLE_CUCOMPLEX_H

#include <math.h>

#include "vector_functions.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

/* `f`: what the names of the type end with. */
#define HEDDLE_COMPLEX(complex, real, f, square_root, absolute)                                \
    static __inline__ __host__ __device__ complex make_##complex(real x, real y) {             \
        complex z;                                                                             \
        z.x = x;                                                                               \
        z.y = y;                                                                               \
        return z;                                                                              \
    }                                                                                          \
    static __inline__ __host__ __device__ real cuCreal##f(complex z) {                         \
        return z.x;                                                                            \
    }                                                                                          \
    static __inline__ __host__ __device__ real cuCimag##f(complex z) {                         \
        return z.y;                                                                            \
    }                                                                                          \
    static __inline__ __host__ __device__ complex cuConj##f(complex z) {                       \
        return make_##complex(z.x, -z.y);                                                      \
    }                                                                                          \
    static __inline__ __host__ __device__ complex cuCadd##f(complex a, complex b) {            \
        return make_##complex(a.x + b.x, a.y + b.y);                                           \
    }                                                                                          \
    static __inline__ __host__ __device__ complex cuCsub##f(complex a, complex b) {            \
        return make_##complex(a.x - b.x, a.y - b.y);                                           \
    }                                                                                          \
    static __inline__ __host__ __device__ complex cuCmul##f(complex a, complex b) {            \
        return make_##complex(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);                   \
    }                                                                                          \
    /* Scaled: the square of the divisor may be too large. */                                  \
    static __inline__ __host__ __device__ complex cuCdiv##f(complex a, complex b) {            \
        const real by = 1 / (absolute(b.x) + absolute(b.y));                                   \
        const real ax = a.x * by, ay = a.y * by, bx = b.x * by, c = b.y * by;                  \
        const real norm = 1 / (bx * bx + c * c);                                               \
        return make_##complex((ax * bx + ay * c) * norm, (ay * bx - ax * c) * norm);           \
    }                                                                                          \
    static __inline__ __host__ __device__ real cuCabs##f(complex z) {                          \
        return square_root(z.x, z.y);                                                          \
    }                                                                                          \
    static __inline__ __host__ __device__ complex cuCfma##f(complex a, complex b, complex c) { \
        return cuCadd##f(cuCmul##f(a, b), c);                                                  \
    }
HEDDLE_COMPLEX(cuFloatComplex, float, f, hypotf, fabsf)
HEDDLE_COMPLEX(cuDoubleComplex, double, , hypot, fabs)
#undef HEDDLE_COMPLEX

static __inline__ __host__ __device__ cuComplex make_cuComplex(float x, float y) {
    return make_cuFloatComplex(x, y);
}
static __inline__ __host__ __device__ cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z) {
    return make_cuDoubleComplex(z.x, z.y);
}
static __inline__ __host__ __device__ cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z) {
    return make_cuFloatComplex((float)z.x, (float)z.y);
}

#endif
