// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Module.h>

namespace heddle::pass {

/// What the source says of a function or a variable by `__attribute__((annotate(TEXT,
/// NUMBER...)))`.
struct annotation {
    llvm::GlobalValue* of;
    llvm::StringRef text;
    /// The first of the numbers, if there is one.
    const llvm::ConstantInt* number;
};

/// Shows all annotations of a module. Those for which `take` returns true go away.
void take_annotations(llvm::Module& module, llvm::function_ref<bool(const annotation&)> take);

}  // namespace heddle::pass
