// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <heddle.h>

/// Nothing: what is left is the cost of a launch and of its blocks.
__global__ void launch_empty() {}

/// The first instruction of a thread reads the clock.
__global__ void launch_stamp(unsigned* stamp) {
    const unsigned now = clock();
    *stamp = now;
}

/// Each block leaves its number.
__global__ void launch_number(unsigned* numbers) {
    if (threadIdx.x == 0) numbers[blockIdx.x] = blockIdx.x + 1;
}
