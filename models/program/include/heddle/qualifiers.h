// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#if defined(__CUDA__)
// CUDA sources bring these words (runtime/cuda/include/crt/host_defines.h).
#include "vector_types.h"

namespace heddle {
using dim3 = ::dim3;
using clock_type = clock_t;
}  // namespace heddle

/// A variable that stands for id registers; it has no storage.
#define HEDDLE_BUILT_IN(type, name) extern const __device__ heddle::detail::type name
#else

/// A kernel: called by a launch, never by device code. Its name is what the host launches.
#define __global__ extern "C" __attribute__((section(".text.kernel")))
/// A function that kernels call: what every function here is.
#define __device__
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
/// An object of the block. `used` keeps the optimizer from reasoning that one thread is alone.
#define __shared__ static __attribute__((used, section(".bss.shared")))
/// A variable of the program, outside functions, that kernels only read. The host may set it
/// (write_symbol); `used` keeps the optimizer from taking its initial value for granted.
#define __constant__ __attribute__((used, section(".constant")))

namespace heddle {

using uint8_t = unsigned char;
using uint16_t = unsigned short;
using uint32_t = unsigned int;
using uint64_t = unsigned long long;

/// Three numbers; missing ones are 1.
struct dim3 {
    unsigned x = 1, y = 1, z = 1;
    constexpr dim3() = default;
    constexpr dim3(unsigned x_, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
};

}  // namespace heddle

using heddle::dim3;

namespace heddle {
using clock_type = unsigned;
}  // namespace heddle
#define HEDDLE_BUILT_IN(type, name) \
    inline constexpr heddle::detail::type name {}
#endif
