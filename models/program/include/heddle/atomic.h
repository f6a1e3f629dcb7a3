// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "heddle/memory.h"

// Every function returns the old value and is one operation at the memory (L2 bank or local-memory
// bank). Relaxed, as CUDA's: __threadfence() orders.
#define HEDDLE_ATOMIC(function, builtin, type)                 \
    __forceinline__ type function(type* pointer, type value) { \
        return builtin(pointer, value, __ATOMIC_RELAXED);      \
    }
HEDDLE_ATOMIC(atomicAdd, __atomic_fetch_add, int)
HEDDLE_ATOMIC(atomicAdd, __atomic_fetch_add, unsigned)
HEDDLE_ATOMIC(atomicSub, __atomic_fetch_sub, int)
HEDDLE_ATOMIC(atomicSub, __atomic_fetch_sub, unsigned)
HEDDLE_ATOMIC(atomicExch, __atomic_exchange_n, int)
HEDDLE_ATOMIC(atomicExch, __atomic_exchange_n, unsigned)
HEDDLE_ATOMIC(atomicMin, __atomic_fetch_min, int)
HEDDLE_ATOMIC(atomicMin, __atomic_fetch_min, unsigned)
HEDDLE_ATOMIC(atomicMax, __atomic_fetch_max, int)
HEDDLE_ATOMIC(atomicMax, __atomic_fetch_max, unsigned)
HEDDLE_ATOMIC(atomicAnd, __atomic_fetch_and, int)
HEDDLE_ATOMIC(atomicAnd, __atomic_fetch_and, unsigned)
HEDDLE_ATOMIC(atomicOr, __atomic_fetch_or, int)
HEDDLE_ATOMIC(atomicOr, __atomic_fetch_or, unsigned)
HEDDLE_ATOMIC(atomicXor, __atomic_fetch_xor, int)
HEDDLE_ATOMIC(atomicXor, __atomic_fetch_xor, unsigned)
#undef HEDDLE_ATOMIC

// The language's own compare-and-swap and float addition would become LR/SC loops: these are the
// machine's single operations.
__forceinline__ unsigned atomicCAS(unsigned* pointer, unsigned compare, unsigned value) {
    return HEDDLE_COMPARE_AND_SWAP(heddle::detail::address(pointer), compare, value);
}
__forceinline__ int atomicCAS(int* pointer, int compare, int value) {
    return static_cast<int>(
        HEDDLE_COMPARE_AND_SWAP(heddle::detail::address(pointer), compare, value));
}
__forceinline__ float atomicAdd(float* pointer, float value) {
    return HEDDLE_FLOAT_ATOMIC(AMOFADD_W, heddle::detail::address(pointer), value);
}
#if !defined(__CUDA__)  // which has none: programs have functions of these names
__forceinline__ float atomicMin(float* pointer, float value) {
    return HEDDLE_FLOAT_ATOMIC(AMOFMIN_W, heddle::detail::address(pointer), value);
}
__forceinline__ float atomicMax(float* pointer, float value) {
    return HEDDLE_FLOAT_ATOMIC(AMOFMAX_W, heddle::detail::address(pointer), value);
}
#endif
__forceinline__ float atomicExch(float* pointer, float value) {
    return heddle::detail::bit_cast<float>(atomicExch(reinterpret_cast<unsigned*>(pointer),
                                                      heddle::detail::bit_cast<unsigned>(value)));
}
