// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "heddle/memory.h"

/// Launches from device code. The arguments are checked against the kernel's parameters when the
/// device program is compiled.
namespace heddle {

/// Number of a device stream; 0 is the block's default stream.
using stream = unsigned;

/// What a launch instruction reads, at the head of the parameter buffer.
struct launch_record {
    unsigned kernel;      ///< address of the kernel function
    unsigned parameters;  ///< address of the packed parameters
    dim3 grid;
    dim3 block;
    unsigned dynamic_shared_bytes;
};

/// Shape of a device launch.
struct launch_shape {
    dim3 grid;
    dim3 block;
    unsigned dynamic_shared_bytes = 0;
};

namespace detail {

template <typename T>
__forceinline__ T declare();

/// A kernel's parameters as they lie in the buffer: C's natural alignment.
template <typename... P>
struct packed {};
template <typename Head, typename... Tail>
struct packed<Head, Tail...> {
    static constexpr unsigned after(unsigned offset) {
        const unsigned own = (offset + alignof(Head) - 1) / alignof(Head) * alignof(Head);
        return packed<Tail...>::after(own + sizeof(Head));
    }
    template <typename Argument, typename... Rest>
    static __forceinline__ void store(unsigned base, unsigned offset, const Argument& argument,
                                      const Rest&... rest) {
        const unsigned own = (offset + alignof(Head) - 1) / alignof(Head) * alignof(Head);
        *reinterpret_cast<Head*>(base + own) = argument;
        packed<Tail...>::store(base, own + sizeof(Head), rest...);
    }
};
template <>
struct packed<> {
    static constexpr unsigned after(unsigned offset) { return offset; }
    static __forceinline__ void store(unsigned, unsigned) {}
};

/// Whether an argument initializes a parameter without narrowing (list initialization decides).
template <typename Parameter, typename Argument>
inline constexpr bool passes = requires {
    Parameter{declare<Argument>()};
};

template <bool same_count, typename Parameters, typename... A>
struct argument_check;
template <typename... P, typename... A>
struct argument_check<true, void(P...), A...> {
    static constexpr bool good = (passes<P, A> && ...);
};
template <typename... P, typename... A>
struct argument_check<false, void(P...), A...> {
    static constexpr bool good = true;  // the count is what is reported
};

template <typename... P, typename... A>
__forceinline__ unsigned prepare(void (*kernel)(P...), const launch_shape& shape,
                                 const A&... arguments) {
    constexpr unsigned header = (sizeof(launch_record) + 15) / 16 * 16;
    const unsigned buffer = HEDDLE_COMMAND_1(GET_PARAMETER_BUFFER, header + packed<P...>::after(0));
    packed<P...>::store(buffer + header, 0, arguments...);
    *reinterpret_cast<launch_record*>(buffer) = {reinterpret_cast<unsigned>(kernel),
                                                 buffer + header, shape.grid, shape.block,
                                                 shape.dynamic_shared_bytes};
    return buffer;
}

}  // namespace detail

#define HEDDLE_CHECK_LAUNCH(function)                                                           \
    static_assert(sizeof...(P) == sizeof...(A),                                                 \
                  "heddle::" #function ": the number of arguments is not the kernel's");        \
    static_assert(detail::argument_check<sizeof...(P) == sizeof...(A), void(P...), A...>::good, \
                  "heddle::" #function                                                          \
                  ": an argument's type does not fit the kernel's parameter (no narrowing)")

/// A new device stream.
__forceinline__ stream create_stream(unsigned flags = 0) {
    return HEDDLE_COMMAND_1(CREATE_STREAM, flags);
}

/// Launches a kernel from a thread (CUDA's cudaLaunchDevice). Result: 0 or an error number.
template <typename... P, typename... A>
__forceinline__ unsigned launch(void (*kernel)(P...), const launch_shape& shape, stream on,
                                const A&... arguments) {
    HEDDLE_CHECK_LAUNCH(launch);
    if constexpr (sizeof...(P) == sizeof...(A)) {
        return HEDDLE_COMMAND(LAUNCH_KERNEL, detail::prepare(kernel, shape, arguments...), on);
    }
}

/// Launches an aggregated group of blocks of a kernel (cudaLaunchAggGroup). Result as launch's.
template <typename... P, typename... A>
__forceinline__ unsigned launch_group(void (*kernel)(P...), const launch_shape& shape,
                                      const A&... arguments) {
    HEDDLE_CHECK_LAUNCH(launch_group);
    if constexpr (sizeof...(P) == sizeof...(A)) {
        return HEDDLE_COMMAND_1(LAUNCH_GROUP, detail::prepare(kernel, shape, arguments...));
    }
}
#undef HEDDLE_CHECK_LAUNCH

/// Waits until every child of the block has ended.
__forceinline__ void device_synchronize() {
    HEDDLE_PLAIN(DEVICE_SYNCHRONIZE);
}

}  // namespace heddle
