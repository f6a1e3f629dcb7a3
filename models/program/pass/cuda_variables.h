// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <llvm/IR/Module.h>

namespace heddle::pass {

/// Of CUDA modules: puts variables where the machine has them. clang gives them address spaces, by
/// the fake map 7 (__device__), 8 (__constant__) and 9 (__shared__), which mean nothing to the back
/// end.
///
/// __shared__ objects get the section of shared memory; `extern __shared__` arrays begin where the
/// block's dynamic shared memory does, all of them. __constant__ variables get the constant
/// section. Variables that the host may set by name stay in the program, used or not. True:
/// something has changed.
bool place_cuda_variables(llvm::Module& module);

}  // namespace heddle::pass
