// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// The textbook spin lock, which never ends under PDOM: see docs/no_progress.md.
#include <heddle.h>

__global__ void spin_lock(unsigned* lock) {
    while (atomicCAS(lock, 0u, 1u) != 0u) {
    }
    atomicExch(lock, 0u);
}
