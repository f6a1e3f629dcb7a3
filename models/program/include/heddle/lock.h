// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "heddle/atomic.h"

namespace heddle {

/// Reconvergence point inside a loop whose lanes must go round together.
__forceinline__ void warp_join() {
    HEDDLE_PLAIN(WARP_JOIN);
}

/// Runs body() while holding the lock (a word, 0 = free), lane after lane.
///
/// A loop that spins until it has the lock hangs: the lanes that wait keep the lane that holds the
/// lock from running on to its release. Here the holder runs its body and releases within one
/// turn of the loop, and every turn ends in a join that the compiler may neither duplicate nor
/// move into an arm, so that it can't turn the loop into the spinning form.
/// The body must not wait for other lanes and must not take the same lock.
template <typename Body>
__forceinline__ void warp_lock(unsigned* lock, Body&& body) {
    bool done = false;
    do {
        if (atomicCAS(lock, 0u, 1u) == 0u) {
            __threadfence();
            body();
            __threadfence();
            atomicExch(lock, 0u);
            done = true;
        }
        warp_join();
    } while (!done);
}
template <typename Body>
__forceinline__ void warp_lock(int* lock, Body&& body) {
    warp_lock(reinterpret_cast<unsigned*>(lock), static_cast<Body&&>(body));
}

}  // namespace heddle
