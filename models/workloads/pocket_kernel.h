// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "models/workloads/child_launch_kernel.h"
#include "models/workloads/pocket_limits.h"

/// Pockets of parallelism: independent items that a thread finds. The same in all workloads whose
/// kernels have an entry for each launch mode.
namespace heddle::pockets {

/// Number of this thread in its grid: the item that a thread of a child works on.
__forceinline__ unsigned thread_number() {
    return blockIdx.x * blockDim.x + threadIdx.x;
}

/// Threads of the grid: a parent goes on with the item that lies as many behind.
__forceinline__ unsigned threads_of_grid() {
    return gridDim.x * blockDim.x;
}

/// Launches `kernel` with a thread for each of the first items of `count`, if the mode launches and
/// there are enough. Returns how many it has handed on; the thread works on the others itself. 0:
/// there are too few, the mode is flat, or the device has no room for the launch.
template <class Mode, typename... P, typename... A>
__forceinline__ unsigned hand_on(const limits& when, unsigned count, void (*kernel)(P...),
                                 const A&... arguments) {
    if constexpr (!Mode::launches) {
        return 0;
    } else {
        const unsigned handed = when.whole != 0 ? count / when.block * when.block : count;
        return count >= when.threshold && handed != 0 &&
                       Mode::launch(kernel, child::blocks_for(handed, when.block), arguments...) ==
                           heddle::no_error
                   ? handed
                   : 0;
    }
}

}  // namespace heddle::pockets
