// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <string>

#include "models/base/random.h"

namespace heddle {

/// What the sources of racing kernels begin with.
std::string racing_kernel_head();

/// Draws a kernel whose threads race for the same bytes with loads, stores and atomics:
///   __global__ void NAME(unsigned words, unsigned rounds, unsigned* word, unsigned* out)
///
/// Loads and stores have 1, 2 and 4 bytes, signed and not; they are plain, volatile, __ldcg or
/// __ldcv. There are atomics of each kind, lr/sc, fences, barriers, branches and loops that differ
/// from thread to thread, shared memory, and private arrays. It ends, whatever is loaded, and
/// accesses word[0] to word[words - 1] and out[thread] only; `words` is at least 16.
std::string racing_kernel_text(random_stream& random, const std::string& name);

}  // namespace heddle
