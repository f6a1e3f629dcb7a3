/* SPDX-License-Identifier: Apache-2.0
 * Copyright The Heddle authors
 *
 * Atomics beyond those of Heddle's own kernels (heddle/atomic.h). Names with _block and _system are
 * the same operations: the scope of the others is the device, and there is one. */
#ifndef HEDDLE_CUDA_ATOMICS_H
#define HEDDLE_CUDA_ATOMICS_H

namespace heddle {
namespace detail {

/* Replaces a word by what `next` makes of it; the value before. */
template <typename Next>
HEDDLE_DEVICE unsigned replace(unsigned* at, Next next) {
    unsigned before = *(volatile unsigned*)at, expected;
    do {
        expected = before;
        before = atomicCAS(at, expected, next(expected));
    } while (before != expected);
    return before;
}

template <bool, typename>
struct enabled {};
template <typename T>
struct enabled<true, T> {
    typedef T type;
};

/* Locks of 8-byte words, which the machine has no atomics for: a word has that of its address. */
template <int count>
struct lock_table {
    static __device__ unsigned locks[count];
};
template <int count>
__device__ unsigned lock_table<count>::locks[count];

/* As replace(), of 8 bytes, lane after lane. Only operations of this kind are atomic with it. */
template <typename T, typename Next>
HEDDLE_DEVICE T replace_locked(T* at, Next next) {
    static_assert(sizeof(T) == 8, "");
    constexpr unsigned count = 1024;
    T before;
    warp_lock(&lock_table<count>::locks[address(at) / 8 % count], [&] {
        /* Past L1, which may have an older value of another SMX's; shared memory has no L1. */
        before = __isShared(at) ? *(volatile T*)at : __ldcg(at);
        *(volatile T*)at = next(before);
    });
    return before;
}

}  // namespace detail
}  // namespace heddle

HEDDLE_DEVICE unsigned atomicInc(unsigned* at, unsigned last) {
    return heddle::detail::replace(at, [=](unsigned x) { return x >= last ? 0 : x + 1; });
}
HEDDLE_DEVICE unsigned atomicDec(unsigned* at, unsigned last) {
    return heddle::detail::replace(at,
                                   [=](unsigned x) { return x == 0 || x > last ? last : x - 1; });
}

#define HEDDLE_ATOMIC_8(name, type, next)                                                \
    HEDDLE_DEVICE type name(type* at, type value) {                                      \
        return heddle::detail::replace_locked(at, [=](type x) -> type { return next; }); \
    }
HEDDLE_ATOMIC_8(atomicAdd, unsigned long long, x + value)
HEDDLE_ATOMIC_8(atomicExch, unsigned long long, ((void)x, value))
HEDDLE_ATOMIC_8(atomicMin, unsigned long long, x < value ? x : value)
HEDDLE_ATOMIC_8(atomicMax, unsigned long long, x > value ? x : value)
HEDDLE_ATOMIC_8(atomicMin, long long, x < value ? x : value)
HEDDLE_ATOMIC_8(atomicMax, long long, x > value ? x : value)
HEDDLE_ATOMIC_8(atomicAnd, unsigned long long, x& value)
HEDDLE_ATOMIC_8(atomicOr, unsigned long long, x | value)
HEDDLE_ATOMIC_8(atomicXor, unsigned long long, x ^ value)
HEDDLE_ATOMIC_8(atomicAnd, long long, x& value)
HEDDLE_ATOMIC_8(atomicOr, long long, x | value)
HEDDLE_ATOMIC_8(atomicXor, long long, x ^ value)
#undef HEDDLE_ATOMIC_8
HEDDLE_DEVICE unsigned long long atomicCAS(unsigned long long* at, unsigned long long expected,
                                           unsigned long long value) {
    return heddle::detail::replace_locked(
        at, [=](unsigned long long x) { return x == expected ? value : x; });
}

/* Templates: a program's own functions of these names, from the time before CUDA had them, win. */
template <typename T, typename V>
HEDDLE_DEVICE typename heddle::detail::enabled<__is_same(T, double), T>::type atomicAdd(T* at,
                                                                                        V value) {
    return heddle::detail::replace_locked(at, [=](T x) { return x + value; });
}

/* Halves of a word. */
HEDDLE_DEVICE unsigned short atomicCAS(unsigned short* at, unsigned short expected,
                                       unsigned short value) {
    const unsigned shift = heddle::detail::address(at) % 4 * 8;
    unsigned* const word = (unsigned*)(heddle::detail::address(at) & ~3u);
    const unsigned before = heddle::detail::replace(word, [=](unsigned x) {
        if ((unsigned short)(x >> shift) != expected) return x;
        return (x & ~(0xffffu << shift)) | (unsigned)value << shift;
    });
    return (unsigned short)(before >> shift);
}

#define HEDDLE_SCOPES(name)                             \
    template <typename T, typename... V>                \
    HEDDLE_DEVICE T name##_block(T* at, V... values) {  \
        return name(at, (T)values...);                  \
    }                                                   \
    template <typename T, typename... V>                \
    HEDDLE_DEVICE T name##_system(T* at, V... values) { \
        return name(at, (T)values...);                  \
    }
HEDDLE_SCOPES(atomicAdd)
HEDDLE_SCOPES(atomicSub)
HEDDLE_SCOPES(atomicExch)
HEDDLE_SCOPES(atomicMin)
HEDDLE_SCOPES(atomicMax)
HEDDLE_SCOPES(atomicInc)
HEDDLE_SCOPES(atomicDec)
HEDDLE_SCOPES(atomicCAS)
HEDDLE_SCOPES(atomicAnd)
HEDDLE_SCOPES(atomicOr)
HEDDLE_SCOPES(atomicXor)
#undef HEDDLE_SCOPES

#endif
