// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// OpenCL C 1.2's built-ins on the machine's instructions. Compiled to bitcode and linked into each
// OpenCL source before optimization, so that a built-in costs what its instruction costs.
// Transcendental functions use the special-function unit (errors: docs/isa.md).
#include "heddle/intrinsics.h"

#define OVERLOAD __attribute__((overloadable))

// --- Work-items ---
#define BY_DIMENSION(name, csr)                                  \
    size_t name(uint dimension) {                                \
        return dimension == 0   ? HEDDLE_READ_ID(csr##_X)        \
               : dimension == 1 ? HEDDLE_READ_ID(csr##_Y)        \
               : dimension == 2 ? HEDDLE_READ_ID(csr##_Z)        \
                                : outside;                       \
    }
// Beyond three dimensions sizes are 1 and ids 0 (OpenCL 1.2, 6.12.1).
#define outside 0
OVERLOAD BY_DIMENSION(get_local_id, HEDDLE_CSR_TID)
OVERLOAD BY_DIMENSION(get_group_id, HEDDLE_CSR_CTAID)
#undef outside
#define outside 1
OVERLOAD BY_DIMENSION(get_local_size, HEDDLE_CSR_NTID)
OVERLOAD BY_DIMENSION(get_num_groups, HEDDLE_CSR_NCTAID)
#undef outside
OVERLOAD size_t get_global_id(uint dimension) {
    return get_group_id(dimension) * get_local_size(dimension) + get_local_id(dimension);
}
OVERLOAD size_t get_global_size(uint dimension) {
    return get_num_groups(dimension) * get_local_size(dimension);
}
OVERLOAD size_t get_global_offset(uint dimension) { return 0; }
// The launch does not say how many dimensions the host meant: the highest with more than one item.
OVERLOAD uint get_work_dim(void) {
    return get_global_size(2) > 1 ? 3 : get_global_size(1) > 1 ? 2 : 1;
}

// --- Synchronization ---
OVERLOAD void barrier(cl_mem_fence_flags flags) {
    if (flags & CLK_GLOBAL_MEM_FENCE) HEDDLE_FENCE();
    HEDDLE_PLAIN(BARRIER);
}
OVERLOAD void mem_fence(cl_mem_fence_flags flags) { HEDDLE_FENCE(); }
OVERLOAD void read_mem_fence(cl_mem_fence_flags flags) { HEDDLE_FENCE(); }
OVERLOAD void write_mem_fence(cl_mem_fence_flags flags) { HEDDLE_FENCE(); }

// --- Atomics: one instruction each ---
#define ATOMIC(name, instruction, type, space)                                            \
    OVERLOAD type name(volatile space type* pointer, type value) {                        \
        type old;                                                                         \
        __asm__ __volatile__(instruction " %0, %2, (%1)"                                  \
                             : "=r"(old)                                                  \
                             : "r"(pointer), "r"(value)                                   \
                             : "memory");                                                 \
        return old;                                                                       \
    }
#define ATOMIC_SPACES(name, instruction, type) \
    ATOMIC(name, instruction, type, __global)  \
    ATOMIC(name, instruction, type, __local)
#define ATOMIC_TYPES(name, instruction)      \
    ATOMIC_SPACES(name, instruction, int)    \
    ATOMIC_SPACES(name, instruction, uint)
ATOMIC_TYPES(atomic_add, "amoadd.w")
ATOMIC_TYPES(atomic_and, "amoand.w")
ATOMIC_TYPES(atomic_or, "amoor.w")
ATOMIC_TYPES(atomic_xor, "amoxor.w")
ATOMIC_TYPES(atomic_xchg, "amoswap.w")
ATOMIC_SPACES(atomic_xchg, "amoswap.w", float)
ATOMIC_SPACES(atomic_min, "amomin.w", int)
ATOMIC_SPACES(atomic_min, "amominu.w", uint)
ATOMIC_SPACES(atomic_max, "amomax.w", int)
ATOMIC_SPACES(atomic_max, "amomaxu.w", uint)
#define ATOMIC_DERIVED(type, space)                                                            \
    OVERLOAD type atomic_sub(volatile space type* pointer, type value) {                       \
        return atomic_add(pointer, (type)(0u - (uint)value));                                  \
    }                                                                                          \
    OVERLOAD type atomic_inc(volatile space type* pointer) { return atomic_add(pointer, (type)1); } \
    OVERLOAD type atomic_dec(volatile space type* pointer) { return atomic_sub(pointer, (type)1); } \
    OVERLOAD type atomic_cmpxchg(volatile space type* pointer, type compare, type value) {     \
        return (type)HEDDLE_COMPARE_AND_SWAP(pointer, compare, value);                         \
    }
ATOMIC_DERIVED(int, __global)
ATOMIC_DERIVED(int, __local)
ATOMIC_DERIVED(uint, __global)
ATOMIC_DERIVED(uint, __local)

// --- Integers ---
#define INTEGERS(type)                                                                   \
    OVERLOAD type min(type a, type b) { return a < b ? a : b; }                          \
    OVERLOAD type max(type a, type b) { return a > b ? a : b; }                          \
    OVERLOAD type clamp(type x, type low, type high) { return min(max(x, low), high); }  \
    OVERLOAD type mul24(type a, type b) { return a * b; }                                \
    OVERLOAD type mad24(type a, type b, type c) { return a * b + c; }                    \
    OVERLOAD type popcount(type x) { return __builtin_popcount((uint)x); }               \
    OVERLOAD type clz(type x) { return x == 0 ? 32 : __builtin_clz((uint)x); }           \
    OVERLOAD type rotate(type x, type by) {                                              \
        return (type)(((uint)x << (by & 31)) | ((uint)x >> ((32 - (uint)by) & 31)));     \
    }
INTEGERS(int)
INTEGERS(uint)
OVERLOAD uint abs(int x) { return x < 0 ? 0u - (uint)x : (uint)x; }
OVERLOAD uint abs(uint x) { return x; }
OVERLOAD int mul_hi(int a, int b) { return (int)(((long)a * b) >> 32); }
OVERLOAD uint mul_hi(uint a, uint b) { return (uint)(((ulong)a * b) >> 32); }

// --- Floats: scalar first, then the vectors by elements ---
#define VECTOR_1(type, name)                                                                  \
    OVERLOAD type##2 name(type##2 x) { return (type##2)(name(x.x), name(x.y)); }              \
    OVERLOAD type##3 name(type##3 x) { return (type##3)(name(x.x), name(x.y), name(x.z)); }   \
    OVERLOAD type##4 name(type##4 x) { return (type##4)(name(x.lo), name(x.hi)); }
#define VECTOR_2(type, name)                                                                  \
    OVERLOAD type##2 name(type##2 x, type##2 y) {                                             \
        return (type##2)(name(x.x, y.x), name(x.y, y.y));                                     \
    }                                                                                         \
    OVERLOAD type##3 name(type##3 x, type##3 y) {                                             \
        return (type##3)(name(x.x, y.x), name(x.y, y.y), name(x.z, y.z));                     \
    }                                                                                         \
    OVERLOAD type##4 name(type##4 x, type##4 y) {                                             \
        return (type##4)(name(x.lo, y.lo), name(x.hi, y.hi));                                 \
    }
#define VECTOR_3(type, name)                                                                  \
    OVERLOAD type##2 name(type##2 x, type##2 y, type##2 z) {                                  \
        return (type##2)(name(x.x, y.x, z.x), name(x.y, y.y, z.y));                           \
    }                                                                                         \
    OVERLOAD type##3 name(type##3 x, type##3 y, type##3 z) {                                  \
        return (type##3)(name(x.x, y.x, z.x), name(x.y, y.y, z.y), name(x.z, y.z, z.z));      \
    }                                                                                         \
    OVERLOAD type##4 name(type##4 x, type##4 y, type##4 z) {                                  \
        return (type##4)(name(x.lo, y.lo, z.lo), name(x.hi, y.hi, z.hi));                     \
    }
#define FLOAT_1(name, expression)                     \
    OVERLOAD float name(float x) { return expression; } \
    VECTOR_1(float, name)
#define FLOAT_2(name, expression)                              \
    OVERLOAD float name(float x, float y) { return expression; } \
    VECTOR_2(float, name)
#define FLOAT_3(name, expression)                                       \
    OVERLOAD float name(float x, float y, float z) { return expression; } \
    VECTOR_3(float, name)

#define LOG2_E 0x1.715476p+0f
#define LOG2_10 0x1.a934f0p+1f
#define LN_2 0x1.62e430p-1f
#define LOG10_2 0x1.344136p-2f
FLOAT_1(sqrt, __builtin_sqrtf(x))
FLOAT_1(fabs, __builtin_fabsf(x))
FLOAT_1(floor, __builtin_floorf(x))
FLOAT_1(ceil, __builtin_ceilf(x))
FLOAT_1(trunc, __builtin_truncf(x))
FLOAT_1(round, __builtin_roundf(x))
FLOAT_1(rint, __builtin_rintf(x))
FLOAT_1(rsqrt, HEDDLE_SPECIAL(RSQ_S, x))
FLOAT_1(exp2, HEDDLE_SPECIAL(EX2_S, x))
FLOAT_1(exp, exp2(x * LOG2_E))
FLOAT_1(exp10, exp2(x * LOG2_10))
FLOAT_1(log2, HEDDLE_SPECIAL(LG2_S, x))
FLOAT_1(log, log2(x) * LN_2)
FLOAT_1(log10, log2(x) * LOG10_2)
FLOAT_1(sin, HEDDLE_SPECIAL(SIN_S, x))
FLOAT_1(cos, HEDDLE_SPECIAL(COS_S, x))
FLOAT_1(tan, sin(x) * HEDDLE_SPECIAL(RCP_S, cos(x)))
FLOAT_1(native_sqrt, __builtin_sqrtf(x))
FLOAT_1(native_rsqrt, HEDDLE_SPECIAL(RSQ_S, x))
FLOAT_1(native_recip, HEDDLE_SPECIAL(RCP_S, x))
FLOAT_1(native_exp, exp(x))
FLOAT_1(native_exp2, exp2(x))
FLOAT_1(native_exp10, exp10(x))
FLOAT_1(native_log, log(x))
FLOAT_1(native_log2, log2(x))
FLOAT_1(native_log10, log10(x))
FLOAT_1(native_sin, sin(x))
FLOAT_1(native_cos, cos(x))
FLOAT_1(native_tan, tan(x))
FLOAT_1(sign, x > 0.0f ? 1.0f : x < 0.0f ? -1.0f : x == x ? x : 0.0f)
FLOAT_1(degrees, x * 57.2957795f)
FLOAT_1(radians, x * 0.0174532925f)
FLOAT_2(fmin, __builtin_fminf(x, y))
FLOAT_2(fmax, __builtin_fmaxf(x, y))
FLOAT_2(min, __builtin_fminf(x, y))
FLOAT_2(max, __builtin_fmaxf(x, y))
FLOAT_2(copysign, __builtin_copysignf(x, y))
FLOAT_2(step, y < x ? 0.0f : 1.0f)
FLOAT_2(native_divide, x * HEDDLE_SPECIAL(RCP_S, y))
// A negative base has a real power for whole exponents only.
OVERLOAD float pow(float x, float y) {
    const float magnitude = exp2(y * log2(fabs(x)));
    if (y == 0.0f || x == 1.0f) return 1.0f;
    if (x >= 0.0f) return magnitude;
    if (y != trunc(y)) return __builtin_nanf("");
    return y * 0.5f == trunc(y * 0.5f) ? magnitude : -magnitude;
}
VECTOR_2(float, pow)
FLOAT_2(powr, exp2(y * log2(x)))
FLOAT_2(native_powr, powr(x, y))
FLOAT_3(fma, __builtin_fmaf(x, y, z))
FLOAT_3(mad, __builtin_fmaf(x, y, z))
FLOAT_3(clamp, __builtin_fminf(__builtin_fmaxf(x, y), z))
FLOAT_3(mix, __builtin_fmaf(y - x, z, x))
OVERLOAD int isnan(float x) { return x != x; }
OVERLOAD int isinf(float x) { return __builtin_fabsf(x) == INFINITY; }

OVERLOAD float dot(float x, float y) { return x * y; }
OVERLOAD float dot(float2 x, float2 y) { return x.x * y.x + x.y * y.y; }
OVERLOAD float dot(float3 x, float3 y) { return x.x * y.x + x.y * y.y + x.z * y.z; }
OVERLOAD float dot(float4 x, float4 y) { return dot(x.lo, y.lo) + dot(x.hi, y.hi); }
#define GEOMETRY(type)                                                            \
    OVERLOAD float length(type x) { return sqrt(dot(x, x)); }                     \
    OVERLOAD float distance(type x, type y) { return length(x - y); }             \
    OVERLOAD type normalize(type x) { return x * HEDDLE_SPECIAL(RSQ_S, dot(x, x)); }
GEOMETRY(float)
GEOMETRY(float2)
GEOMETRY(float3)
GEOMETRY(float4)

// --- Conversions and selection ---
#define CONVERSIONS(type)                                         \
    OVERLOAD int convert_int(type x) { return (int)x; }           \
    OVERLOAD uint convert_uint(type x) { return (uint)x; }        \
    OVERLOAD float convert_float(type x) { return (float)x; }     \
    OVERLOAD char convert_char(type x) { return (char)x; }        \
    OVERLOAD uchar convert_uchar(type x) { return (uchar)x; }     \
    OVERLOAD short convert_short(type x) { return (short)x; }     \
    OVERLOAD ushort convert_ushort(type x) { return (ushort)x; }
CONVERSIONS(char)
CONVERSIONS(uchar)
CONVERSIONS(short)
CONVERSIONS(ushort)
CONVERSIONS(int)
CONVERSIONS(uint)
CONVERSIONS(float)
OVERLOAD int convert_int_rtz(float x) { return (int)x; }
OVERLOAD int convert_int_rte(float x) { return (int)__builtin_rintf(x); }
OVERLOAD uint convert_uint_rtz(float x) { return (uint)x; }
OVERLOAD int select(int a, int b, int c) { return c ? b : a; }
OVERLOAD int select(int a, int b, uint c) { return c ? b : a; }
OVERLOAD uint select(uint a, uint b, int c) { return c ? b : a; }
OVERLOAD uint select(uint a, uint b, uint c) { return c ? b : a; }
OVERLOAD float select(float a, float b, int c) { return c ? b : a; }
OVERLOAD float select(float a, float b, uint c) { return c ? b : a; }
