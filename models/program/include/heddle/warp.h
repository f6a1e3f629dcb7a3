// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "heddle/memory.h"

// Votes and shuffles among the lanes of the warp that are active here. CUDA's mask argument is
// kept for compatibility and not looked at.

#if !defined(__CUDA__)  // whose votes look at it (runtime/cuda/include/heddle_cuda/warp.h)
__forceinline__ int __any_sync(unsigned, int predicate) {
    return static_cast<int>(HEDDLE_VOTE(VOTE_ANY, predicate));
}
__forceinline__ int __all_sync(unsigned, int predicate) {
    return static_cast<int>(HEDDLE_VOTE(VOTE_ALL, predicate));
}
/// Bit i is lane i's predicate, lanes 0 to 31.
__forceinline__ unsigned __ballot_sync(unsigned, int predicate) {
    return HEDDLE_VOTE(BALLOT, predicate);
}
#endif
/// Mask of the active lanes, lanes 0 to 31.
__forceinline__ unsigned __activemask() {
    return HEDDLE_VOTE(BALLOT, 1);
}
/// A vote that nobody looks at: under pdom the lanes that are active here are in step anyway; where
/// threads issue from pools, those of the warp wait for each other.
__forceinline__ void __syncwarp(unsigned = 0xffffffffu) {
    __asm__ __volatile__("" ::: "memory");
    static_cast<void>(HEDDLE_VOTE(VOTE_ANY, 1));
    __asm__ __volatile__("" ::: "memory");
}

namespace heddle {

/// Lanes 32 to 63 of the vote (64-lane configurations).
__forceinline__ unsigned ballot_high(int predicate) {
    return HEDDLE_VOTE(BALLOT_HIGH, predicate);
}

}  // namespace heddle

// Each lane reads `value` of another lane of its segment of `width` lanes (a power of two that the
// compiler can see as a constant). Numbers, and types of
// whole words.
#define HEDDLE_SHUFFLE_FUNCTION(function, instruction, operand)                               \
    namespace heddle {                                                                        \
    namespace detail {                                                                        \
    __forceinline__ unsigned function(unsigned bits, unsigned operand, int width) {           \
        switch (width) {                                                                      \
            case 64:                                                                          \
                return HEDDLE_SHUFFLE(instruction, bits, operand, 6);                         \
            case 32:                                                                          \
                return HEDDLE_SHUFFLE(instruction, bits, operand, 5);                         \
            case 16:                                                                          \
                return HEDDLE_SHUFFLE(instruction, bits, operand, 4);                         \
            case 8:                                                                           \
                return HEDDLE_SHUFFLE(instruction, bits, operand, 3);                         \
            case 4:                                                                           \
                return HEDDLE_SHUFFLE(instruction, bits, operand, 2);                         \
            case 2:                                                                           \
                return HEDDLE_SHUFFLE(instruction, bits, operand, 1);                         \
            default:                                                                          \
                return bits;                                                                  \
        }                                                                                     \
    }                                                                                         \
    }                                                                                         \
    }                                                                                         \
    template <typename T>                                                                     \
    __forceinline__ T function(unsigned, T value, unsigned operand, int width = 32) {         \
        if constexpr (sizeof(T) < 4) {                                                        \
            return static_cast<T>(                                                            \
                heddle::detail::function(static_cast<unsigned>(value), operand, width));      \
        } else {                                                                              \
            static_assert(sizeof(T) % 4 == 0, #function ": whole words can be shuffled");     \
            auto all = heddle::detail::bit_cast<heddle::detail::words<sizeof(T) / 4>>(value); \
            for (unsigned& word : all.word) {                                                 \
                word = heddle::detail::function(word, operand, width);                        \
            }                                                                                 \
            return heddle::detail::bit_cast<T>(all);                                          \
        }                                                                                     \
    }
HEDDLE_SHUFFLE_FUNCTION(__shfl_sync, SHFL_IDX, source_lane)
HEDDLE_SHUFFLE_FUNCTION(__shfl_up_sync, SHFL_UP, delta)
HEDDLE_SHUFFLE_FUNCTION(__shfl_down_sync, SHFL_DOWN, delta)
HEDDLE_SHUFFLE_FUNCTION(__shfl_xor_sync, SHFL_XOR, lane_mask)
#undef HEDDLE_SHUFFLE_FUNCTION
