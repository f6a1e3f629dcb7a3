// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Module.h>

namespace heddle::pass {

/// Whether a module was compiled from OpenCL C.
inline bool is_opencl(const llvm::Module& module) {
    return llvm::any_of(module.debug_compile_units(), [](const llvm::DICompileUnit* unit) {
        return unit->getSourceLanguage() == llvm::dwarf::DW_LANG_OpenCL;
    });
}

}  // namespace heddle::pass
