// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "models/workloads/child_launch_kernel.h"

/// Pockets of parallelism: independent items that a thread finds. The same in all workloads whose
/// kernels have an entry for each launch mode.
namespace heddle::pockets {

/// When a thread hands a pocket on, and the blocks of the child that gets it.
struct limits {
    unsigned threshold;  ///< fewest items
    unsigned block;      ///< threads in a block
};

/// Number of this thread in its grid: the item that a thread of a child works on.
__forceinline__ unsigned thread_number() {
    return blockIdx.x * blockDim.x + threadIdx.x;
}

/// Launches `kernel` with a thread for each of `count` items, if the mode launches and there are
/// enough. False if the thread has to work on the items itself: there are too few, the mode is
/// flat, or the device has no room for the launch.
template <class Mode, typename... P, typename... A>
__forceinline__ bool hand_on(const limits& when, unsigned count, void (*kernel)(P...),
                             const A&... arguments) {
    if constexpr (!Mode::launches) {
        return false;
    } else {
        return count >= when.threshold && Mode::launch(kernel, child::blocks_for(count, when.block),
                                                       arguments...) == heddle::no_error;
    }
}

}  // namespace heddle::pockets
