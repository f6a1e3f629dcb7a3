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

/// The plug-in also sees the host halves of CUDA programs.
inline bool is_for_device(const llvm::Module& module) {
    return llvm::StringRef(module.getTargetTriple()).starts_with("riscv");
}

inline constexpr const char* cuda_bitcode = "heddle.cuda";

/// From now on a module is, or has in it, bitcode of CUDA that was compiled once.
inline void mark_cuda_bitcode(llvm::Module& module) {
    module.getOrInsertNamedMetadata(cuda_bitcode);
}
inline bool has_cuda_bitcode(const llvm::Module& module) {
    return module.getNamedMetadata(cuda_bitcode) != nullptr;
}

}  // namespace heddle::pass
