// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <heddle.h>

/// How a thread hands work to threads of its own, for kernels that are written once as a template
/// over the mode and have an entry for each: NAME_flat, NAME_cdp, NAME_dtbl. A mode is a type here,
/// with an entry in the two macros, and an enumerator of launch_mode (launch_mode.h).
///
///     __global__ void child(unsigned begin, unsigned end, unsigned* data);
///
///     template <class Mode>
///     __forceinline__ void parent(unsigned n, unsigned threshold, ...) {
///         ...
///         if (Mode::launches && size >= threshold &&
///             Mode::launch(child, child_blocks(size), begin, end, data) == heddle::no_error)
///             return;
///         for (...) ...  // small, or the launch was refused: the thread does it itself
///     }
///     HEDDLE_ENTRIES(parent, (unsigned n, unsigned threshold, ...), (n, threshold, ...))
namespace heddle::child {

/// The thread does all the work.
struct flat {
    static constexpr bool launches = false;
    template <typename... P, typename... A>
    static __forceinline__ unsigned launch(void (*)(P...), const launch_shape&, const A&...) {
        return memory_allocation;
    }
};

/// A kernel on a stream of its own, so that children of a block do not wait for each other.
struct cdp {
    static constexpr bool launches = true;
    template <typename... P, typename... A>
    static __forceinline__ unsigned launch(void (*kernel)(P...), const launch_shape& shape,
                                           const A&... arguments) {
        const stream own = create_stream(cudaStreamNonBlocking);
        return heddle::launch(kernel, shape, own, arguments...);
    }
};

/// An aggregated group.
struct dtbl {
    static constexpr bool launches = true;
    template <typename... P, typename... A>
    static __forceinline__ unsigned launch(void (*kernel)(P...), const launch_shape& shape,
                                           const A&... arguments) {
        return launch_group(kernel, shape, arguments...);
    }
};

/// Blocks of `block` threads for `threads` threads.
__forceinline__ launch_shape blocks_for(unsigned threads, unsigned block) {
    return {dim3((threads + block - 1) / block), dim3(block), 0};
}

}  // namespace heddle::child

/// The entries of a body `template <class Mode> void BODY(PARAMETERS)`, with the names of its
/// parameters once more.
#define HEDDLE_ENTRIES(body, parameters, names) \
    __global__ void body##_flat parameters {    \
        body<heddle::child::flat> names;        \
    }                                           \
    __global__ void body##_cdp parameters {     \
        body<heddle::child::cdp> names;         \
    }                                           \
    __global__ void body##_dtbl parameters {    \
        body<heddle::child::dtbl> names;        \
    }

/// BODY_of<Mode>: the entry of the mode, for kernels that launch themselves.
#define HEDDLE_ENTRY_BY_MODE(body)                               \
    template <class Mode>                                        \
    constexpr auto body##_of = nullptr;                          \
    template <>                                                  \
    constexpr auto body##_of<heddle::child::flat> = body##_flat; \
    template <>                                                  \
    constexpr auto body##_of<heddle::child::cdp> = body##_cdp;   \
    template <>                                                  \
    constexpr auto body##_of<heddle::child::dtbl> = body##_dtbl;
