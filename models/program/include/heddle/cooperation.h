// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "heddle/launch.h"

/// Cooperative kernels: blocks that may be ended and started while the kernel runs (Sorensen,
/// Evrard, Donaldson, "Cooperative Kernels", FSE 2017). The host launches them with
/// launch_shape::cooperative. Every call but get_num_groups() is one of the whole block: all its
/// threads come to the same call, as to __syncthreads().
///
/// A block that forks, or that comes to a resizing barrier, says where new blocks start: at a
/// function `start(state, parameters...)`. `state` is a plain struct of at most 28 bytes, a copy of
/// that of the forking block's thread 0, which must be live. The parameters are the first of the
/// kernel's own. What else the newcomers need they read from memory.
/// \code
///   struct progress { unsigned level; };
///   __device__ void run(progress at, unsigned n, int* data);      // the loop
///   __global__ void kernel(unsigned n, int* data) { run({0}, n, data); }
///   ...  heddle::resizing_global_barrier<run>(progress{level});   // in the loop
/// \endcode
namespace heddle {

namespace detail {

/// Words of state that newcomers receive, in a1 to a7.
inline constexpr unsigned state_words = 7;

template <typename T>
struct plain {
    using type = T;
};
template <typename T>
struct plain<const T&> {
    using type = T;
};

/// The parameters of a kernel, from its buffer, passed on behind `state`.
template <typename... P>
struct loaded {};
template <typename Head, typename... Tail>
struct loaded<Head, Tail...> {
    template <typename Start, typename... Before>
    static __forceinline__ void call(Start start, unsigned base, unsigned offset,
                                     const Before&... before) {
        const unsigned own = (offset + alignof(Head) - 1) / alignof(Head) * alignof(Head);
        loaded<Tail...>::call(start, base, own + sizeof(Head), before...,
                              *reinterpret_cast<const Head*>(base + own));
    }
};
template <>
struct loaded<> {
    template <typename Start, typename... Before>
    static __forceinline__ void call(Start start, unsigned, unsigned, const Before&... before) {
        start(before...);
    }
};

/// What the threads of a new block execute: the machine sets a0 to the parameter buffer and a1 to
/// a7 to those of the forking block's thread 0.
template <auto start>
struct newcomer;
template <typename S, typename... P, void (*start)(S, P...)>
struct newcomer<start> {
    using state = typename plain<S>::type;
    static_assert(sizeof(state) <= 4 * state_words,
                  "heddle: the state that new blocks receive has at most 28 bytes");
    static_assert(__is_trivially_copyable(state),
                  "heddle: the state that new blocks receive is a plain struct");

    static __device__ void enter(unsigned parameters, unsigned a1, unsigned a2, unsigned a3,
                                 unsigned a4, unsigned a5, unsigned a6, unsigned a7) {
        const unsigned words[state_words] = {a1, a2, a3, a4, a5, a6, a7};
        state received;
        __builtin_memcpy(&received, words, sizeof received);
        loaded<P...>::call(start, parameters, 0, received);
        HEDDLE_PLAIN(EXIT);
        __builtin_unreachable();
    }
};

#define HEDDLE_FORK(name, enter, words)                                                           \
    do {                                                                                          \
        register unsigned a1_ __asm__("a1") = (words)[0];                                         \
        register unsigned a2_ __asm__("a2") = (words)[1];                                         \
        register unsigned a3_ __asm__("a3") = (words)[2];                                         \
        register unsigned a4_ __asm__("a4") = (words)[3];                                         \
        register unsigned a5_ __asm__("a5") = (words)[4];                                         \
        register unsigned a6_ __asm__("a6") = (words)[5];                                         \
        register unsigned a7_ __asm__("a7") = (words)[6];                                         \
        __asm__ __volatile__(".insn r 0x0b, %0, %1, x0, %2, x0" ::"i"(HEDDLE_##name##_FUNCT3),    \
                             "i"(HEDDLE_##name##_FUNCT7), "r"(reinterpret_cast<unsigned>(enter)), \
                             "r"(a1_), "r"(a2_), "r"(a3_), "r"(a4_), "r"(a5_), "r"(a6_), "r"(a7_) \
                             : "memory");                                                         \
    } while (false)

/// The state as registers hold it.
template <auto start, typename State>
__forceinline__ void pack(unsigned (&words)[state_words], const State& state) {
    typename newcomer<start>::state sent = state;
    __builtin_memcpy(words, &sent, sizeof sent);
}

}  // namespace detail

/// The scheduler may end this block here if it has the highest id.
__forceinline__ void offer_kill() {
    HEDDLE_PLAIN(OFFER_KILL);
}
/// The scheduler may start further blocks at start(state, parameters...).
template <auto start, typename State>
__forceinline__ void request_fork(const State& state) {
    unsigned words[detail::state_words] = {};
    detail::pack<start>(words, state);
    HEDDLE_FORK(REQUEST_FORK, detail::newcomer<start>::enter, words);
}
/// Number of active blocks.
__forceinline__ unsigned get_num_groups() {
    unsigned groups;
    __asm__ __volatile__(".insn r 0x0b, %1, %2, %0, x0, x0"
                         : "=r"(groups)
                         : "i"(HEDDLE_GET_NUM_GROUPS_FUNCT3), "i"(HEDDLE_GET_NUM_GROUPS_FUNCT7)
                         : "memory");
    return groups;
}
/// Waits for every thread of the kernel. What these have stored before is there afterwards.
__forceinline__ void global_barrier() {
    HEDDLE_PLAIN(GLOBAL_BARRIER);
}
/// A global barrier at which blocks may end, or start at start(state, parameters...) with the state
/// of block 0.
template <auto start, typename State>
__forceinline__ void resizing_global_barrier(const State& state) {
    unsigned words[detail::state_words] = {};
    detail::pack<start>(words, state);
    HEDDLE_FORK(RESIZING_GLOBAL_BARRIER, detail::newcomer<start>::enter, words);
}
#undef HEDDLE_FORK

}  // namespace heddle
