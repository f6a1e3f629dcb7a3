// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <llvm/IR/Module.h>

namespace heddle::pass {

/// CUDA's bitcode is compiled twice more, and each time only a part of it is wanted; the time for
/// the rest is saved. First without optimization and without entry stubs, for the kernels'
/// signatures: bodies go. Then with the stubs, which inline the kernels: of a kernel whose
/// only use that is the name stays, and no copy of the code. True: something has changed.
bool drop_kernel_copies(llvm::Module& module, bool optimizes);

}  // namespace heddle::pass
