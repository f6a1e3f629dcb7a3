// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <llvm/IR/Module.h>

namespace heddle::pass {

/// Functions that take a texture reference of CUDA by value are inlined, as nvcc inlines them: only
/// then it is known which variable the copy was made of, whose descriptor fetches read. True:
/// something has changed.
bool inline_texture_copies(llvm::Module& module);

}  // namespace heddle::pass
