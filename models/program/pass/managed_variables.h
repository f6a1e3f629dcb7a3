// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <llvm/IR/Module.h>

namespace heddle::pass {

/// `__managed__` variables of CUDA: one address in both halves, the device's.
///
/// The device half gives each of them whole pages of its own, so that the runtime library can copy
/// pages; the variable's symbol has the size of the pages. Returns whether the module was changed.
bool give_managed_pages(llvm::Module& module);

/// The host half has a pointer in place of such a variable: each access loads it. The library sets
/// it to the device's address when the program registers its variables: by
/// `__cudaRegisterManagedVar(program, &pointer, variable, name, bytes, alignment)`. Returns whether
/// the module was changed.
bool point_to_managed(llvm::Module& module);

}  // namespace heddle::pass
