// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Atomic functions (OpenCL C 1.2, 6.12.11) and those of the extensions cl_khr_*_int32_*_atomics,
// whose names begin with atom_: one instruction each, which orders nothing else.
#include "models/program/include/heddle/intrinsics.h"

#define OVERLOAD __attribute__((overloadable, always_inline))

#define ATOMIC(name, instruction, type, space)                                            \
    OVERLOAD type atomic_##name(volatile space type* pointer, type value) {               \
        type old;                                                                         \
        __asm__ __volatile__(instruction " %0, %2, (%1)"                                  \
                             : "=r"(old)                                                  \
                             : "r"(pointer), "r"(value)                                   \
                             : "memory");                                                 \
        return old;                                                                       \
    }
#define EXTENSION(name, type, space)                                                      \
    OVERLOAD type atom_##name(volatile space type* pointer, type value) {                 \
        return atomic_##name(pointer, value);                                             \
    }
#define ATOMIC_SPACES(name, instruction, type)   \
    ATOMIC(name, instruction, type, __global)    \
    ATOMIC(name, instruction, type, __local)     \
    EXTENSION(name, type, __global)              \
    EXTENSION(name, type, __local)
#define ATOMIC_TYPES(name, instruction)      \
    ATOMIC_SPACES(name, instruction, int)    \
    ATOMIC_SPACES(name, instruction, uint)
ATOMIC_TYPES(add, "amoadd.w")
ATOMIC_TYPES(and, "amoand.w")
ATOMIC_TYPES(or, "amoor.w")
ATOMIC_TYPES(xor, "amoxor.w")
ATOMIC_TYPES(xchg, "amoswap.w")
ATOMIC(xchg, "amoswap.w", float, __global)
ATOMIC(xchg, "amoswap.w", float, __local)
ATOMIC_SPACES(min, "amomin.w", int)
ATOMIC_SPACES(min, "amominu.w", uint)
ATOMIC_SPACES(max, "amomax.w", int)
ATOMIC_SPACES(max, "amomaxu.w", uint)

#define DERIVED(prefix, type, space)                                                       \
    OVERLOAD type prefix##_inc(volatile space type* pointer) {                             \
        return atomic_add(pointer, (type)1);                                               \
    }                                                                                      \
    OVERLOAD type prefix##_dec(volatile space type* pointer) {                             \
        return atomic_add(pointer, (type)-1);                                              \
    }                                                                                      \
    OVERLOAD type prefix##_sub(volatile space type* pointer, type value) {                 \
        return atomic_add(pointer, (type)(0u - (uint)value));                              \
    }                                                                                      \
    OVERLOAD type prefix##_cmpxchg(volatile space type* pointer, type compare, type value) { \
        return (type)HEDDLE_COMPARE_AND_SWAP(pointer, compare, value);                     \
    }
#define DERIVED_SPACES(prefix, type)  \
    DERIVED(prefix, type, __global)   \
    DERIVED(prefix, type, __local)
DERIVED_SPACES(atomic, int)
DERIVED_SPACES(atomic, uint)
DERIVED_SPACES(atom, int)
DERIVED_SPACES(atom, uint)
