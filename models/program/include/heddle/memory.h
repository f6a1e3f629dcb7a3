// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "heddle/intrinsics.h"
#include "heddle/qualifiers.h"

namespace heddle::detail {

template <typename To, typename From>
__forceinline__ To bit_cast(From from) {
    static_assert(sizeof(To) == sizeof(From));
    return __builtin_bit_cast(To, from);
}

template <unsigned count>
struct words {
    unsigned word[count];
};

__forceinline__ unsigned address(const volatile void* pointer) {
    return reinterpret_cast<unsigned>(pointer);
}

}  // namespace heddle::detail

// Loads that bypass L1: a plain load, volatile or not, may take an older value from there.
// __ldcg is served by L2; __ldcv never takes an older copy anywhere.
//
// __ldg loads data that nobody writes while the kernel runs. It goes through the read-only cache of
// an SMX that has one, and is an ordinary load elsewhere. The compiler does not tell which pointers
// are `const __restrict__`, so that only __ldg uses that cache.
#define HEDDLE_TYPED_LOAD(function, load, instruction)                                 \
    template <typename T>                                                              \
    __forceinline__ T function(const T* pointer) {                                     \
        static_assert(sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) % 4 == 0,          \
                      #function ": the type must have 1, 2, or whole words of bytes"); \
        const unsigned at = heddle::detail::address(pointer);                          \
        if constexpr (sizeof(T) == 4) {                                                \
            return heddle::detail::bit_cast<T>(load(instruction##_W, at));             \
        } else if constexpr (sizeof(T) % 4 == 0) {                                     \
            heddle::detail::words<sizeof(T) / 4> all;                                  \
            for (unsigned i = 0; i < sizeof(T) / 4; ++i) {                             \
                all.word[i] = load(instruction##_W, at + 4 * i);                       \
            }                                                                          \
            return heddle::detail::bit_cast<T>(all);                                   \
        } else if constexpr (sizeof(T) == 2) {                                         \
            return heddle::detail::bit_cast<T>(                                        \
                static_cast<unsigned short>(load(instruction##_HU, at)));              \
        } else {                                                                       \
            return heddle::detail::bit_cast<T>(                                        \
                static_cast<unsigned char>(load(instruction##_BU, at)));               \
        }                                                                              \
    }
HEDDLE_TYPED_LOAD(__ldcg, HEDDLE_LOAD, LDCG)
HEDDLE_TYPED_LOAD(__ldcv, HEDDLE_LOAD, LDCV)
HEDDLE_TYPED_LOAD(__ldg, HEDDLE_READ_ONLY_LOAD, LDG)
#undef HEDDLE_TYPED_LOAD

/// Orders the thread's accesses before against those after it, for the whole device.
__forceinline__ void __threadfence() {
    HEDDLE_FENCE();
}
/// The same as seen by the block: an SMX keeps a thread's accesses in order for its own block, so
/// that only the compiler has to be told.
__forceinline__ void __threadfence_block() {
    __asm__ __volatile__("" ::: "memory");
}
