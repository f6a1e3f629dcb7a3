// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <llvm/IR/Module.h>

namespace heddle::pass {

/// Of CUDA modules, which have the mark of runtime/cuda/include/heddle_cuda/device.h: volatile
/// loads take no old copy. A plain load may find the line in an L1 that keeps global memory, where
/// it stays while other SMXs write: threads that wait for a flag would wait for ever. The mark is
/// removed. True: something has changed.
bool refresh_volatile_loads(llvm::Module& module);

}  // namespace heddle::pass
