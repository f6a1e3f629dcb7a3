// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <llvm/IR/Module.h>

namespace heddle::pass {

/// What CUDA's sources say of kernels by annotations of host_defines.h. Returns whether the module
/// was changed.
///
/// `__launch_bounds__(N)` goes into the section `.heddle.bounds`, a line `KERNEL N` each, which
/// becomes part of the kernel table (kernel_signature.h). `__maxnreg__(N)` keeps the compiler from
/// the registers from N on. The entry stub of a kernel has the same registers as the kernel, which
/// could not become a part of it else.
bool limit_kernels(llvm::Module& module);

}  // namespace heddle::pass
