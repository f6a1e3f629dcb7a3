// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "heddle/intrinsics.h"
#include "heddle/qualifiers.h"

namespace heddle::detail {

#define HEDDLE_ID_PROPERTY(member, csr)                            \
    __declspec(property(get = get_##member)) unsigned member;      \
    [[nodiscard]] static __forceinline__ unsigned get_##member() { \
        return HEDDLE_READ_ID(csr);                                \
    }
#if defined(__CUDA__)
// To dim3 by its constructor, which asks for `heddle_id`: two conversions would be ambiguous.
#define HEDDLE_ID_VECTOR                     \
    using heddle_id = int;                   \
    __forceinline__ operator uint3() const { \
        return {get_x(), get_y(), get_z()};  \
    }
#else
#define HEDDLE_ID_VECTOR                    \
    __forceinline__ operator dim3() const { \
        return {get_x(), get_y(), get_z()}; \
    }
#endif
#define HEDDLE_ID_TRIPLE(type, csr)    \
    struct type {                      \
        HEDDLE_ID_PROPERTY(x, csr##_X) \
        HEDDLE_ID_PROPERTY(y, csr##_Y) \
        HEDDLE_ID_PROPERTY(z, csr##_Z) \
        HEDDLE_ID_VECTOR               \
    };
HEDDLE_ID_TRIPLE(thread_index, HEDDLE_CSR_TID)
HEDDLE_ID_TRIPLE(block_index, HEDDLE_CSR_CTAID)
HEDDLE_ID_TRIPLE(block_size, HEDDLE_CSR_NTID)
HEDDLE_ID_TRIPLE(grid_size, HEDDLE_CSR_NCTAID)
#undef HEDDLE_ID_TRIPLE
#undef HEDDLE_ID_VECTOR
#undef HEDDLE_ID_PROPERTY

struct warp_width {
    __forceinline__ operator int() const {
        return static_cast<int>(HEDDLE_READ_ID(HEDDLE_CSR_WARPSIZE));
    }
};

}  // namespace heddle::detail

/// Index of the thread in its block, of the block in its grid; threads per block, blocks per grid.
HEDDLE_BUILT_IN(thread_index, threadIdx);
HEDDLE_BUILT_IN(block_index, blockIdx);
HEDDLE_BUILT_IN(block_size, blockDim);
HEDDLE_BUILT_IN(grid_size, gridDim);
/// Lanes of a warp: 8, 16, 32 or 64, by configuration.
HEDDLE_BUILT_IN(warp_width, warpSize);
#undef HEDDLE_BUILT_IN

/// Waits for every thread of the block; all must come to the same call.
#if !defined(__CUDA__) || defined(__CUDA_ARCH__)  // else the compiler has the name
__forceinline__ void __syncthreads() {
    HEDDLE_PLAIN(BARRIER);
}
#endif
/// Low and whole word of the SMX's clock, in core cycles (functional simulator: instructions).
__forceinline__ heddle::clock_type clock() {
    return static_cast<heddle::clock_type>(HEDDLE_READ_CLOCK(HEDDLE_CSR_CLOCK));
}
__forceinline__ unsigned long long clock64() {
    unsigned high = HEDDLE_READ_CLOCK(HEDDLE_CSR_CLOCKH);
    for (;;) {  // the low word may wrap between the two reads
        const unsigned low = HEDDLE_READ_CLOCK(HEDDLE_CSR_CLOCK);
        const unsigned again = HEDDLE_READ_CLOCK(HEDDLE_CSR_CLOCKH);
        if (again == high) return (static_cast<unsigned long long>(high) << 32) | low;
        high = again;
    }
}

namespace heddle {

__forceinline__ unsigned lane_id() {
    return HEDDLE_READ_ID(HEDDLE_CSR_LANEID);
}
__forceinline__ unsigned warp_id() {
    return HEDDLE_READ_ID(HEDDLE_CSR_WARPID);
}
__forceinline__ unsigned warps_per_block() {
    return HEDDLE_READ_ID(HEDDLE_CSR_NWARPS);
}
__forceinline__ unsigned sm_id() {
    return HEDDLE_READ_ID(HEDDLE_CSR_SMID);
}
__forceinline__ unsigned grid_id() {
    return HEDDLE_READ_ID(HEDDLE_CSR_GRIDID);
}

/// The block's dynamic shared memory, as many bytes as the launch gave; 16-byte aligned.
template <typename T = unsigned char>
__forceinline__ T* dynamic_shared() {
    return reinterpret_cast<T*>(HEDDLE_READ_ID(HEDDLE_CSR_DYNAMIC_SHARED_BASE));
}
/// Bytes of it.
__forceinline__ unsigned dynamic_shared_size() {
    return HEDDLE_READ_ID(HEDDLE_CSR_DYNAMIC_SHARED_SIZE);
}

/// Ends the thread.
[[noreturn]] __forceinline__ void exit() {
    HEDDLE_PLAIN(EXIT);
    __builtin_unreachable();
}

}  // namespace heddle

/// Stops the run with a fault that names kernel, thread and source line.
[[noreturn]] __forceinline__ void __trap() {
    __asm__ __volatile__("ebreak" ::: "memory");
    __builtin_unreachable();
}
