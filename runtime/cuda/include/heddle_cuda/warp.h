/* SPDX-License-Identifier: Apache-2.0
 * Copyright The Heddle authors
 *
 * Votes, shuffles and barriers beyond those of Heddle's own kernels (heddle/warp.h). */
#ifndef HEDDLE_CUDA_WARP_H
#define HEDDLE_CUDA_WARP_H

/* Of the lanes of `mask` that are active here. A mask of all lanes is not looked at, and means
 * those from 32 on, too. */
HEDDLE_DEVICE unsigned __ballot_sync(unsigned mask, int predicate) {
    return HEDDLE_VOTE(BALLOT, predicate) & mask;
}
HEDDLE_DEVICE int __any_sync(unsigned mask, int predicate) {
    if (__builtin_constant_p(mask) && mask == ~0u) return (int)HEDDLE_VOTE(VOTE_ANY, predicate);
    return __ballot_sync(mask, predicate) != 0;
}
HEDDLE_DEVICE int __all_sync(unsigned mask, int predicate) {
    if (__builtin_constant_p(mask) && mask == ~0u) return (int)HEDDLE_VOTE(VOTE_ALL, predicate);
    return __ballot_sync(mask, !predicate) == 0;
}

/* Names from before the _sync functions: of the lanes that are active. */
HEDDLE_DEVICE unsigned __ballot(int predicate) {
    return __ballot_sync(~0u, predicate);
}
HEDDLE_DEVICE int __any(int predicate) {
    return __any_sync(~0u, predicate);
}
HEDDLE_DEVICE int __all(int predicate) {
    return __all_sync(~0u, predicate);
}
#define HEDDLE_OLD_SHUFFLE(name, type)                            \
    template <typename T>                                         \
    HEDDLE_DEVICE T name(T value, type operand, int width = 32) { \
        return name##_sync(~0u, value, (unsigned)operand, width); \
    }
HEDDLE_OLD_SHUFFLE(__shfl, int)
HEDDLE_OLD_SHUFFLE(__shfl_up, unsigned)
HEDDLE_OLD_SHUFFLE(__shfl_down, unsigned)
HEDDLE_OLD_SHUFFLE(__shfl_xor, int)
#undef HEDDLE_OLD_SHUFFLE

namespace heddle {
namespace detail {
/* By bits: a NaN is like itself, 0.0 is not like -0.0. */
template <typename T>
HEDDLE_DEVICE bool has_same_bits(T x, T y) {
    return __builtin_memcmp(&x, &y, sizeof x) == 0;
}
}  // namespace detail
}  // namespace heddle

/* Lanes of `mask` that are active here and have the same value: each turn compares with that of the
 * lowest lane that is left. */
template <typename T>
HEDDLE_DEVICE unsigned __match_any_sync(unsigned mask, T value) {
    unsigned left = __activemask() & mask, own = 0;
    while (left != 0) {
        const int lowest = __ffs((int)left) - 1;
        const bool equal = heddle::detail::has_same_bits(__shfl_sync(mask, value, lowest), value);
        const unsigned same = __ballot_sync(left, equal);
        if (equal && (left >> heddle::lane_id() & 1) != 0) own = same;
        left &= ~same;
    }
    return own;
}
template <typename T>
HEDDLE_DEVICE unsigned __match_all_sync(unsigned mask, T value, int* all_equal) {
    const unsigned active = __activemask() & mask;
    const bool equal =
        heddle::detail::has_same_bits(__shfl_sync(mask, value, __ffs((int)active) - 1), value);
    *all_equal = __ballot_sync(active, equal) == active;
    return *all_equal ? active : 0;
}

/* Over the lanes of `mask` that are active here, from the lowest to the highest. */
#define HEDDLE_REDUCE(name, type, combined)                                \
    HEDDLE_DEVICE type name(unsigned mask, type value) {                   \
        unsigned left = __activemask() & mask;                             \
        type x = __shfl_sync(mask, value, __ffs((int)left) - 1);           \
        for (left &= left - 1; left != 0; left &= left - 1) {              \
            const type y = __shfl_sync(mask, value, __ffs((int)left) - 1); \
            x = combined;                                                  \
        }                                                                  \
        return x;                                                          \
    }
HEDDLE_REDUCE(__reduce_add_sync, unsigned, x + y)
HEDDLE_REDUCE(__reduce_min_sync, unsigned, x < y ? x : y)
HEDDLE_REDUCE(__reduce_max_sync, unsigned, x > y ? x : y)
HEDDLE_REDUCE(__reduce_add_sync, int, (int)((unsigned)x + (unsigned)y))
HEDDLE_REDUCE(__reduce_min_sync, int, x < y ? x : y)
HEDDLE_REDUCE(__reduce_max_sync, int, x > y ? x : y)
HEDDLE_REDUCE(__reduce_and_sync, unsigned, x& y)
HEDDLE_REDUCE(__reduce_or_sync, unsigned, x | y)
HEDDLE_REDUCE(__reduce_xor_sync, unsigned, x ^ y)
#undef HEDDLE_REDUCE

/* A barrier that counts: the machine's barrier does not. Three barriers and an atomic per warp. */
static __device__ __inline__ int __syncthreads_count(int predicate) {
    __shared__ unsigned count;
    __syncthreads();
    count = 0;
    __syncthreads();
    const unsigned low = __activemask(), high = heddle::ballot_high(1);
    const int found =
        __popc(__ballot_sync(~0u, predicate)) + __popc(heddle::ballot_high(predicate));
    const unsigned first =
        low != 0 ? (unsigned)__ffs((int)low) - 1 : (unsigned)__ffs((int)high) + 31;
    if (heddle::lane_id() == first) atomicAdd(&count, (unsigned)found);
    __syncthreads();
    return (int)*(volatile unsigned*)&count;
}
HEDDLE_DEVICE int __syncthreads_or(int predicate) {
    return __syncthreads_count(predicate != 0) != 0;
}
HEDDLE_DEVICE int __syncthreads_and(int predicate) {
    return __syncthreads_count(predicate == 0) == 0;
}

#endif
