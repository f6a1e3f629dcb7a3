/* SPDX-License-Identifier: Apache-2.0
 * Copyright The Heddle authors
 *
 * Operators and functions of vectors of two to four floats, ints and unsigned ints, under the names
 * that programs in the manner of CUDA's samples include. */
#ifndef HELPER_MATH_H
#define HELPER_MATH_H

#include "cuda_runtime.h"

#define HEDDLE_VECTOR inline __host__ __device__

/* For each component: m(component, the rest). */
#define HEDDLE_EACH_2(m, ...) m(x, __VA_ARGS__), m(y, __VA_ARGS__)
#define HEDDLE_EACH_3(m, ...) HEDDLE_EACH_2(m, __VA_ARGS__), m(z, __VA_ARGS__)
#define HEDDLE_EACH_4(m, ...) HEDDLE_EACH_3(m, __VA_ARGS__), m(w, __VA_ARGS__)
#define HEDDLE_BOTH(c, op) a.c op b.c
#define HEDDLE_LEFT(c, op) a.c op b
#define HEDDLE_RIGHT(c, op) a op b.c
#define HEDDLE_CALL_1(c, f) f(a.c)
#define HEDDLE_CALL_2(c, f) f(a.c, b.c)
#define HEDDLE_CAST(c, type) (type) a.c
#define HEDDLE_SAME(c, value) value
#define HEDDLE_NEGATED(c, zero) zero - a.c
#define HEDDLE_CLAMPED(c, f) f(a.c, low.c, high.c)

#define HEDDLE_OPERATOR(vector, scalar, n, op)                   \
    HEDDLE_VECTOR vector operator op(vector a, vector b) {       \
        return make_##vector(HEDDLE_EACH_##n(HEDDLE_BOTH, op));  \
    }                                                            \
    HEDDLE_VECTOR vector operator op(vector a, scalar b) {       \
        return make_##vector(HEDDLE_EACH_##n(HEDDLE_LEFT, op));  \
    }                                                            \
    HEDDLE_VECTOR vector operator op(scalar a, vector b) {       \
        return make_##vector(HEDDLE_EACH_##n(HEDDLE_RIGHT, op)); \
    }                                                            \
    HEDDLE_VECTOR void operator op##=(vector& a, vector b) {     \
        a = a op b;                                              \
    }                                                            \
    HEDDLE_VECTOR void operator op##=(vector& a, scalar b) {     \
        a = a op b;                                              \
    }
#define HEDDLE_ARITHMETIC(vector, scalar, n)                   \
    HEDDLE_VECTOR vector make_##vector(scalar s) {             \
        return make_##vector(HEDDLE_EACH_##n(HEDDLE_SAME, s)); \
    }                                                          \
    HEDDLE_OPERATOR(vector, scalar, n, +)                      \
    HEDDLE_OPERATOR(vector, scalar, n, -)                      \
    HEDDLE_OPERATOR(vector, scalar, n, *)
#define HEDDLE_NEGATION(vector, n, zero)                             \
    HEDDLE_VECTOR vector operator-(vector a) {                       \
        return make_##vector(HEDDLE_EACH_##n(HEDDLE_NEGATED, zero)); \
    }
#define HEDDLE_FROM(to, scalar, from, n)                        \
    HEDDLE_VECTOR to make_##to(from a) {                        \
        return make_##to(HEDDLE_EACH_##n(HEDDLE_CAST, scalar)); \
    }
#define HEDDLE_FUNCTION_1(vector, n, name, f)                    \
    HEDDLE_VECTOR vector name(vector a) {                        \
        return make_##vector(HEDDLE_EACH_##n(HEDDLE_CALL_1, f)); \
    }
#define HEDDLE_FUNCTION_2(vector, n, name, f)                    \
    HEDDLE_VECTOR vector name(vector a, vector b) {              \
        return make_##vector(HEDDLE_EACH_##n(HEDDLE_CALL_2, f)); \
    }
#define HEDDLE_CLAMP(vector, scalar, n)                               \
    HEDDLE_VECTOR vector clamp(vector a, vector low, vector high) {   \
        return make_##vector(HEDDLE_EACH_##n(HEDDLE_CLAMPED, clamp)); \
    }                                                                 \
    HEDDLE_VECTOR vector clamp(vector a, scalar low, scalar high) {   \
        return clamp(a, make_##vector(low), make_##vector(high));     \
    }
#define HEDDLE_DOT(scalar, type)                              \
    HEDDLE_VECTOR scalar dot(type##2 a, type##2 b) {          \
        return a.x * b.x + a.y * b.y;                         \
    }                                                         \
    HEDDLE_VECTOR scalar dot(type##3 a, type##3 b) {          \
        return a.x * b.x + a.y * b.y + a.z * b.z;             \
    }                                                         \
    HEDDLE_VECTOR scalar dot(type##4 a, type##4 b) {          \
        return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; \
    }
/* Vectors of smaller and larger ones. */
#define HEDDLE_SIZES(type, scalar)                              \
    HEDDLE_VECTOR type##2 make_##type##2(type##3 a) {           \
        return make_##type##2(a.x, a.y);                        \
    }                                                           \
    HEDDLE_VECTOR type##3 make_##type##3(type##2 a) {           \
        return make_##type##3(a.x, a.y, 0);                     \
    }                                                           \
    HEDDLE_VECTOR type##3 make_##type##3(type##2 a, scalar z) { \
        return make_##type##3(a.x, a.y, z);                     \
    }                                                           \
    HEDDLE_VECTOR type##3 make_##type##3(type##4 a) {           \
        return make_##type##3(a.x, a.y, a.z);                   \
    }                                                           \
    HEDDLE_VECTOR type##4 make_##type##4(type##3 a) {           \
        return make_##type##4(a.x, a.y, a.z, 0);                \
    }                                                           \
    HEDDLE_VECTOR type##4 make_##type##4(type##3 a, scalar w) { \
        return make_##type##4(a.x, a.y, a.z, w);                \
    }

HEDDLE_VECTOR float clamp(float x, float low, float high) {
    return fmaxf(low, fminf(x, high));
}
HEDDLE_VECTOR int clamp(int x, int low, int high) {
    return max(low, min(x, high));
}
HEDDLE_VECTOR unsigned int clamp(unsigned int x, unsigned int low, unsigned int high) {
    return max(low, min(x, high));
}
HEDDLE_VECTOR float lerp(float a, float b, float t) {
    return a + t * (b - a);
}
HEDDLE_VECTOR float fracf(float x) {
    return x - floorf(x);
}
HEDDLE_VECTOR float smoothstep(float low, float high, float x) {
    const float y = clamp((x - low) / (high - low), 0.0f, 1.0f);
    return y * y * (3.0f - 2.0f * y);
}

#define HEDDLE_VECTORS(n)                                                              \
    HEDDLE_ARITHMETIC(float##n, float, n)                                              \
    HEDDLE_ARITHMETIC(int##n, int, n)                                                  \
    HEDDLE_ARITHMETIC(uint##n, unsigned int, n)                                        \
    HEDDLE_OPERATOR(float##n, float, n, /)                                             \
    HEDDLE_NEGATION(float##n, n, -0.0f)                                                \
    HEDDLE_NEGATION(int##n, n, 0)                                                      \
    HEDDLE_FROM(float##n, float, int##n, n)                                            \
    HEDDLE_FROM(float##n, float, uint##n, n)                                           \
    HEDDLE_FROM(int##n, int, float##n, n)                                              \
    HEDDLE_FROM(int##n, int, uint##n, n)                                               \
    HEDDLE_FROM(uint##n, unsigned int, int##n, n)                                      \
    HEDDLE_FUNCTION_2(float##n, n, fminf, fminf)                                       \
    HEDDLE_FUNCTION_2(float##n, n, fmaxf, fmaxf)                                       \
    HEDDLE_FUNCTION_2(float##n, n, fmodf, fmodf)                                       \
    HEDDLE_FUNCTION_2(int##n, n, min, min)                                             \
    HEDDLE_FUNCTION_2(int##n, n, max, max)                                             \
    HEDDLE_FUNCTION_2(uint##n, n, min, min)                                            \
    HEDDLE_FUNCTION_2(uint##n, n, max, max)                                            \
    HEDDLE_FUNCTION_1(float##n, n, floorf, floorf)                                     \
    HEDDLE_FUNCTION_1(float##n, n, fracf, fracf)                                       \
    HEDDLE_FUNCTION_1(float##n, n, fabs, fabsf)                                        \
    HEDDLE_FUNCTION_1(int##n, n, abs, abs)                                             \
    HEDDLE_CLAMP(float##n, float, n)                                                   \
    HEDDLE_CLAMP(int##n, int, n)                                                       \
    HEDDLE_CLAMP(uint##n, unsigned int, n)                                             \
    HEDDLE_VECTOR float##n lerp(float##n a, float##n b, float t) {                     \
        return a + t * (b - a);                                                        \
    }                                                                                  \
    HEDDLE_VECTOR float##n smoothstep(float##n low, float##n high, float##n x) {       \
        const float##n y =                                                             \
            clamp((x - low) / (high - low), make_float##n(0.0f), make_float##n(1.0f)); \
        return y * y * (make_float##n(3.0f) - make_float##n(2.0f) * y);                \
    }
HEDDLE_VECTORS(2)
HEDDLE_VECTORS(3)
HEDDLE_VECTORS(4)
HEDDLE_SIZES(float, float)
HEDDLE_SIZES(int, int)
HEDDLE_SIZES(uint, unsigned int)
HEDDLE_DOT(float, float)
HEDDLE_DOT(int, int)
HEDDLE_DOT(unsigned int, uint)

#define HEDDLE_LENGTHS(n)                          \
    HEDDLE_VECTOR float length(float##n a) {       \
        return sqrtf(dot(a, a));                   \
    }                                              \
    HEDDLE_VECTOR float##n normalize(float##n a) { \
        return a * rsqrtf(dot(a, a));              \
    }
HEDDLE_LENGTHS(2)
HEDDLE_LENGTHS(3)
HEDDLE_LENGTHS(4)
HEDDLE_VECTOR float3 reflect(float3 a, float3 normal) {
    return a - 2.0f * normal * dot(normal, a);
}
HEDDLE_VECTOR float3 cross(float3 a, float3 b) {
    return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

#undef HEDDLE_VECTORS
#undef HEDDLE_LENGTHS
#undef HEDDLE_SIZES
#undef HEDDLE_DOT
#undef HEDDLE_CLAMP
#undef HEDDLE_FUNCTION_1
#undef HEDDLE_FUNCTION_2
#undef HEDDLE_FROM
#undef HEDDLE_NEGATION
#undef HEDDLE_ARITHMETIC
#undef HEDDLE_OPERATOR
#undef HEDDLE_EACH_2
#undef HEDDLE_EACH_3
#undef HEDDLE_EACH_4
#undef HEDDLE_BOTH
#undef HEDDLE_LEFT
#undef HEDDLE_RIGHT
#undef HEDDLE_CALL_1
#undef HEDDLE_CALL_2
#undef HEDDLE_CAST
#undef HEDDLE_SAME
#undef HEDDLE_NEGATED
#undef HEDDLE_CLAMPED
#undef HEDDLE_VECTOR

#endif
