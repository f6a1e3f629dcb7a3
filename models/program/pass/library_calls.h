// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <llvm/IR/Module.h>

namespace heddle::pass {

/// Of OpenCL modules: calls of library functions pass vectors as the library takes them. clang
/// passes vectors by RISC-V's convention, in integers or by address; libclc was compiled for a
/// target where they are values. And printf() is the one of soft/print.c. True: something has
/// changed.
bool fit_library_calls(llvm::Module& module);

}  // namespace heddle::pass
