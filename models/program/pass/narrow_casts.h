// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <llvm/IR/Module.h>

namespace heddle::pass {

/// Casts of reals to integers of 8 and 16 bits saturate to 32 bits, and take the low ones then, as
/// CUDA's do. True: something has changed.
bool widen_narrow_casts(llvm::Module& module);

}  // namespace heddle::pass
