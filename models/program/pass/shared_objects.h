// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <llvm/IR/Module.h>

namespace heddle::pass {

/// Where __shared__ puts objects: qualifiers.h and the linker script have this name, too.
inline constexpr const char* shared_section = ".bss.shared";

/// Looks after the objects that a source declares in shared memory: `__shared__` of C++, `__local`
/// of OpenCL C. Returns whether the module was changed.
///
/// `__local` objects get what the macro `__shared__` gives: the section of shared memory, and
/// `used`. Without `used` the optimizer reasons as if one thread were alone: it makes a private
/// variable of an object that each thread writes before it reads.
///
/// The debug information of all of them says that they were declared so. The linked program is
/// compared with that (shared_objects_check.h).
bool mark_shared_objects(llvm::Module& module);

}  // namespace heddle::pass
