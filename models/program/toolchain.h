// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <string>
#include <vector>

#include "models/program/compile.h"

namespace heddle::program {

/// The programs and folders that compile() works with.
struct toolchain {
    std::string compiler;          ///< clang
    std::string linker;            ///< ld.lld
    std::string device;            ///< folder of include/ and device/
    std::string pass;              ///< the compiler's plug-in
    std::string opencl_builtins;   ///< bitcode (opencl/)
    std::string cuda_builtins;     ///< bitcode (cuda/)
    std::string soft_math, print;  ///< objects of functions in software (soft/)
    std::string libgcc;  ///< soft double and 64-bit division for rv32im/ilp32; empty: not there
};

/// First clang and LLVM release that keeps floats in integer registers (Zfinx) without calling
/// soft-float routines. The plug-in is made for this clang and no other; a newer lld does.
inline constexpr unsigned clang_version = 19;

/// Finds them. Throws configuration_error that says what was looked for, what was found, and which
/// package to install.
toolchain find_toolchain(const compile_options& options);

/// "Debian clang version 19.1.7 (3)" → 19; 0 when the text has no version.
unsigned major_version(const std::string& version_text);

enum class source_language { cpp, c, opencl, assembly, llvm_ir };

/// Language by the file's extension. Throws configuration_error for an unknown one.
source_language language_of(const std::string& source);
/// Whether a file is named like a source or a header: no name for an output.
bool is_source_or_header(const std::string& file);

/// Command line of the compiler up to the input: everything that decides about the code.
std::vector<std::string> compiler_command(const toolchain& tools, const compile_options& options,
                                          source_language language);

}  // namespace heddle::program
