// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <llvm/IR/Module.h>

namespace heddle::pass {

/// Shared memory has no initial values but zeros. Reports an object with others as an error at its
/// line of the source: the back end's own error names neither line nor object.
void refuse_shared_initializers(llvm::Module& module);

}  // namespace heddle::pass
