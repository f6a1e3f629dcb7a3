// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <heddle.h>

/// Critical sections over the shared memory of a block, in the three versions that workloads of
/// transactional memory have. A kernel has an entry for each.
namespace heddle::critical {

/// The lock of the block; only kernels that use it have it.
__shared__ unsigned held;

/// Each section is a transaction.
struct tx {
    static constexpr bool parallel = true;
    static __forceinline__ void prepare() {}

    template <class Body>
    static __forceinline__ void run(Body&& body) {
        heddle::tx_begin();
        body();
        heddle::tx_commit();
    }
};

/// All sections of a block take turns under one lock.
struct lock {
    static constexpr bool parallel = true;
    static __forceinline__ void prepare() {
        if (threadIdx.x == 0) held = 0;
    }

    template <class Body>
    static __forceinline__ void run(Body&& body) {
        heddle::warp_lock(&held, body);
    }
};

/// The first thread of the block does the work of all threads.
struct serial {
    static constexpr bool parallel = false;
    static __forceinline__ void prepare() {}

    template <class Body>
    static __forceinline__ void run(Body&& body) {
        body();
    }
};

/// Calls body(item) for the items 0 ... count - 1 of the block: a thread has each blockDim.x-th.
template <class Version, class Body>
__forceinline__ void for_each_item(unsigned count, Body&& body) {
    if (!Version::parallel && threadIdx.x != 0) return;
    const unsigned step = Version::parallel ? blockDim.x : 1;
    for (unsigned item = threadIdx.x; item < count; item += step) body(item);
}

/// All threads of the block set its `count` words of dynamic shared memory to 0, and meet. The
/// first of these words.
template <class Version>
__forceinline__ unsigned* begin(unsigned count) {
    unsigned* const words = heddle::dynamic_shared<unsigned>();
    Version::prepare();
    for (unsigned i = threadIdx.x; i < count; i += blockDim.x) words[i] = 0;
    __syncthreads();
    return words;
}

}  // namespace heddle::critical

/// The entries NAME_tx, NAME_lock and NAME_serial of a kernel whose body is the function template
/// NAME<Version>(arguments).
#define HEDDLE_CRITICAL_ENTRIES(NAME, PARAMETERS, ARGUMENTS) \
    __global__ void NAME##_tx PARAMETERS {                   \
        NAME<heddle::critical::tx> ARGUMENTS;                \
    }                                                        \
    __global__ void NAME##_lock PARAMETERS {                 \
        NAME<heddle::critical::lock> ARGUMENTS;              \
    }                                                        \
    __global__ void NAME##_serial PARAMETERS {               \
        NAME<heddle::critical::serial> ARGUMENTS;            \
    }
