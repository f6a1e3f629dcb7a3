// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// A built-in function of vectors from that of scalars.
#pragma once

#define OVERLOAD __attribute__((overloadable, always_inline))

#define VECTORS_1(type, name)                              \
    OVERLOAD type##2 name(type##2 x) {                     \
        return (type##2)(name(x.x), name(x.y));            \
    }                                                      \
    OVERLOAD type##3 name(type##3 x) {                     \
        return (type##3)(name(x.x), name(x.y), name(x.z)); \
    }                                                      \
    OVERLOAD type##4 name(type##4 x) {                     \
        return (type##4)(name(x.lo), name(x.hi));          \
    }                                                      \
    OVERLOAD type##8 name(type##8 x) {                     \
        return (type##8)(name(x.lo), name(x.hi));          \
    }                                                      \
    OVERLOAD type##16 name(type##16 x) {                   \
        return (type##16)(name(x.lo), name(x.hi));         \
    }
#define VECTORS_2(type, name)                                             \
    OVERLOAD type##2 name(type##2 x, type##2 y) {                         \
        return (type##2)(name(x.x, y.x), name(x.y, y.y));                 \
    }                                                                     \
    OVERLOAD type##3 name(type##3 x, type##3 y) {                         \
        return (type##3)(name(x.x, y.x), name(x.y, y.y), name(x.z, y.z)); \
    }                                                                     \
    OVERLOAD type##4 name(type##4 x, type##4 y) {                         \
        return (type##4)(name(x.lo, y.lo), name(x.hi, y.hi));             \
    }                                                                     \
    OVERLOAD type##8 name(type##8 x, type##8 y) {                         \
        return (type##8)(name(x.lo, y.lo), name(x.hi, y.hi));             \
    }                                                                     \
    OVERLOAD type##16 name(type##16 x, type##16 y) {                      \
        return (type##16)(name(x.lo, y.lo), name(x.hi, y.hi));            \
    }
#define VECTORS_3(type, name)                                                            \
    OVERLOAD type##2 name(type##2 x, type##2 y, type##2 z) {                             \
        return (type##2)(name(x.x, y.x, z.x), name(x.y, y.y, z.y));                      \
    }                                                                                    \
    OVERLOAD type##3 name(type##3 x, type##3 y, type##3 z) {                             \
        return (type##3)(name(x.x, y.x, z.x), name(x.y, y.y, z.y), name(x.z, y.z, z.z)); \
    }                                                                                    \
    OVERLOAD type##4 name(type##4 x, type##4 y, type##4 z) {                             \
        return (type##4)(name(x.lo, y.lo, z.lo), name(x.hi, y.hi, z.hi));                \
    }                                                                                    \
    OVERLOAD type##8 name(type##8 x, type##8 y, type##8 z) {                             \
        return (type##8)(name(x.lo, y.lo, z.lo), name(x.hi, y.hi, z.hi));                \
    }                                                                                    \
    OVERLOAD type##16 name(type##16 x, type##16 y, type##16 z) {                         \
        return (type##16)(name(x.lo, y.lo, z.lo), name(x.hi, y.hi, z.hi));               \
    }
