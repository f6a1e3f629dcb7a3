// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <llvm/IR/Module.h>

namespace heddle::pass {

/// Complains about asm statements of a CUDA source whose text is PTX: it has a semicolon, which our
/// own ones never have. heddle nvcc translates those that it knows when it reads the message
/// (models/program/inline_ptx.h).
void refuse_unknown_assembly(llvm::Module& module);

}  // namespace heddle::pass
