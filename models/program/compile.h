// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/program/image.h"
#include "models/program/program_place.h"

namespace heddle::program {

/// What the compile driver is told beside sources and output.
struct compile_options {
    unsigned optimization = 2;            ///< -O level, 0 … 3
    bool contract_floating_point = true;  ///< false: a*b+c stays two roundings
    /// Of OpenCL C: `double`, by software (cl_khr_fp64). False: constants like 0.5 are floats.
    bool double_precision = true;
    program_place place;  ///< where it will lie on the device
    std::vector<std::string> include_directories;
    std::vector<std::string> definitions;  ///< "NAME" or "NAME=value"
    /// clang 19 to use; empty: clang-19, else clang, on PATH.
    std::string compiler;
    /// ld.lld to use; empty: the one beside the compiler's version.
    std::string linker;
    /// Folder of device headers, linker script and device library; empty: that of
    /// data_folders_in_use().
    std::string device_directory;
    bool keep_temporaries = false;  ///< leave the intermediate files and name them in diagnostics
    /// Receives a make-style dependency file of all headers read, when not empty.
    std::string dependency_file;
};

/// What a successful compilation has to say.
struct compile_result {
    std::string diagnostics;  ///< the compiler's warnings, verbatim; empty when there are none
    std::vector<std::string> kernels;  ///< names, ascending
    std::optional<image> program;      ///< what was written
};

/// Compiles device sources to one executable that image::load reads: .cpp/.cc/.cxx/.cu as C++20
/// with heddle.h in the include path, .cl as OpenCL C 1.2, .c as C, .S/.s as assembly.
///
/// Finds the kernels (`__global__`, `__kernel`), reads their parameters from the debug
/// information, generates one entry stub each and the `.heddle.kernels` table, and links with
/// relocations kept. The output is written by the rules of output_file.
///
/// Throws configuration_error: no clang 19 or lld ≥ 19 (says which package brings it), a source is
/// missing or of unknown kind or would be overwritten, the compiler or linker fails (its
/// diagnostics verbatim), no kernel, two kernels of one name, a parameter type that can't be
/// passed, or an object that was declared in shared memory and is not there.
compile_result compile(const std::vector<std::string>& sources, const std::string& output,
                       const compile_options& options = {});

}  // namespace heddle::program
