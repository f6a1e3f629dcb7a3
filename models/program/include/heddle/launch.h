// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "heddle/memory.h"

/// Launches from device code. The arguments are checked against the kernel's parameters when the
/// device program is compiled.
namespace heddle {

/// Number of a device stream; 0 is the block's default stream.
using stream = unsigned;

/// What a launch instruction reads, at the head of the parameter buffer. The parameters begin
/// `parameters_offset` bytes behind its start.
struct launch_record {
    unsigned kernel;      ///< address of the kernel function
    unsigned parameters;  ///< address of the packed parameters
    dim3 grid;
    dim3 block;
    unsigned dynamic_shared_bytes;
};
inline constexpr unsigned parameters_offset = 48;

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

/// A buffer for the record and `bytes` of parameters; 0 if there is none.
__forceinline__ unsigned allocate(unsigned bytes) {
    return HEDDLE_COMMAND_1(GET_PARAMETER_BUFFER, parameters_offset + bytes);
}

__forceinline__ void write_record(unsigned buffer, unsigned kernel, const launch_shape& shape) {
    *reinterpret_cast<launch_record*>(buffer) = {kernel, buffer + parameters_offset, shape.grid,
                                                 shape.block, shape.dynamic_shared_bytes};
}

/// The buffer of a launch, ready for the launch instruction; 0 if there is none.
template <typename... P, typename... A>
__forceinline__ unsigned prepare(void (*kernel)(P...), const launch_shape& shape,
                                 const A&... arguments) {
    const unsigned buffer = allocate(packed<P...>::after(0));
    if (buffer != 0) {
        packed<P...>::store(buffer + parameters_offset, 0, arguments...);
        write_record(buffer, reinterpret_cast<unsigned>(kernel), shape);
    }
    return buffer;
}

}  // namespace detail

#define HEDDLE_CHECK_LAUNCH(function)                                                           \
    static_assert(sizeof...(P) == sizeof...(A),                                                 \
                  "heddle::" #function ": the number of arguments is not the kernel's");        \
    static_assert(detail::argument_check<sizeof...(P) == sizeof...(A), void(P...), A...>::good, \
                  "heddle::" #function                                                          \
                  ": an argument's type does not fit the kernel's parameter (no narrowing)")

/// Errors of launches, by CUDA's numbers (CUDA 5 to 9). A launch that answers an error has not been
/// made, and its buffer is gone.
enum launch_error : unsigned {
    no_error = 0,
    memory_allocation = 2,         ///< no parameter buffer is left
    launch_out_of_resources = 7,   ///< no SMX can hold a block of it
    invalid_device_function = 8,   ///< no kernel has this address
    invalid_configuration = 9,     ///< an extent of grid or block is 0 or too large
    invalid_value = 11,            ///< the parameters do not fit in the buffer
    invalid_resource_handle = 33,  ///< no such stream
    max_depth_exceeded = 65,       ///< launch.depth_limit
    pending_count_exceeded = 69,   ///< launch.pending_limit
};

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
        const unsigned buffer = detail::prepare(kernel, shape, arguments...);
        return buffer == 0 ? memory_allocation : HEDDLE_COMMAND(LAUNCH_KERNEL, buffer, on);
    }
}

/// Launches an aggregated group of blocks of a kernel (cudaLaunchAggGroup). Result as launch's.
template <typename... P, typename... A>
__forceinline__ unsigned launch_group(void (*kernel)(P...), const launch_shape& shape,
                                      const A&... arguments) {
    HEDDLE_CHECK_LAUNCH(launch_group);
    if constexpr (sizeof...(P) == sizeof...(A)) {
        const unsigned buffer = detail::prepare(kernel, shape, arguments...);
        return buffer == 0 ? memory_allocation : HEDDLE_COMMAND_1(LAUNCH_GROUP, buffer);
    }
}
#undef HEDDLE_CHECK_LAUNCH

/// Waits until every launch that the block has made, and what those have made, has ended.
__forceinline__ void device_synchronize() {
    HEDDLE_PLAIN(DEVICE_SYNCHRONIZE);
}

}  // namespace heddle

#if !defined(__CUDA__)  // whose sources have them from the runtime's headers
// CUDA's names.
using cudaError_t = unsigned;
using cudaStream_t = heddle::stream;
inline constexpr cudaError_t cudaSuccess = heddle::no_error;
inline constexpr cudaError_t cudaErrorMemoryAllocation = heddle::memory_allocation;
inline constexpr cudaError_t cudaErrorLaunchOutOfResources = heddle::launch_out_of_resources;
inline constexpr cudaError_t cudaErrorInvalidDeviceFunction = heddle::invalid_device_function;
inline constexpr cudaError_t cudaErrorInvalidConfiguration = heddle::invalid_configuration;
inline constexpr cudaError_t cudaErrorInvalidValue = heddle::invalid_value;
inline constexpr cudaError_t cudaErrorInvalidResourceHandle = heddle::invalid_resource_handle;
inline constexpr cudaError_t cudaErrorLaunchMaxDepthExceeded = heddle::max_depth_exceeded;
inline constexpr cudaError_t cudaErrorLaunchPendingCountExceeded = heddle::pending_count_exceeded;
inline constexpr unsigned cudaStreamNonBlocking = 1;

__forceinline__ cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
    *stream = heddle::create_stream(flags);
    return cudaSuccess;
}
/// Room for `bytes` of parameters, in C's layout; null if there is none. `alignment` is at most 16.
__forceinline__ void* cudaGetParameterBuffer(unsigned alignment, unsigned bytes) {
    (void)alignment;
    const unsigned buffer = heddle::detail::allocate(bytes);
    return reinterpret_cast<void*>(buffer == 0 ? 0 : buffer + heddle::parameters_offset);
}
/// Launches the kernel at `function` with parameters from cudaGetParameterBuffer().
__forceinline__ cudaError_t cudaLaunchDevice(void* function, void* parameters, dim3 grid,
                                             dim3 block, unsigned shared_bytes,
                                             cudaStream_t stream) {
    const unsigned buffer = reinterpret_cast<unsigned>(parameters) - heddle::parameters_offset;
    heddle::detail::write_record(buffer, reinterpret_cast<unsigned>(function),
                                 {grid, block, shared_bytes});
    return HEDDLE_COMMAND(LAUNCH_KERNEL, buffer, stream);
}
/// The same for an aggregated group (Wang et al., "Dynamic Thread Block Launch", ISCA 2015, 4.1).
__forceinline__ cudaError_t cudaLaunchAggGroup(void* function, void* parameters, dim3 grid,
                                               dim3 block, unsigned shared_bytes) {
    const unsigned buffer = reinterpret_cast<unsigned>(parameters) - heddle::parameters_offset;
    heddle::detail::write_record(buffer, reinterpret_cast<unsigned>(function),
                                 {grid, block, shared_bytes});
    return HEDDLE_COMMAND_1(LAUNCH_GROUP, buffer);
}
/// heddle::device_synchronize().
__forceinline__ cudaError_t cudaDeviceSynchronize() {
    heddle::device_synchronize();
    return cudaSuccess;
}
#endif
