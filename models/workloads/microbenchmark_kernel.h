// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <heddle.h>

/// What the kernels of latency, bandwidth, throughput and barrier share. They read the clock before
/// and after what they measure. All SMXs have the same clock here, which on hardware they do not.

/// Waits until `value` has arrived: instructions issue in order.
__forceinline__ void arrived(unsigned value) {
    asm volatile("mv zero, %0" ::"r"(value));
}

/// Stores when the calling warp began and ended, at the warp's own place in `clocks`.
__forceinline__ void store_clocks(unsigned begin, unsigned end, unsigned* clocks) {
    if (heddle::lane_id() != 0) return;
    const unsigned warp = blockIdx.x * heddle::warps_per_block() + heddle::warp_id();
    clocks[2 * warp] = begin;
    clocks[2 * warp + 1] = end;
}
