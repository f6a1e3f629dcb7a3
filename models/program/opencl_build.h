// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/program/compile.h"

/// OpenCL C from memory to memory, in the steps that OpenCL's host programs take: compile, link. A
/// program that does not build is a result with a log, not an exception; what Heddle itself lacks
/// (a compiler, a folder) throws configuration_error.
namespace heddle::program {

/// A text with the name of a file, which need not exist.
struct source_text {
    std::string name;
    std::string text;
};

enum class build_status : std::uint8_t {
    success,
    invalid_options,  ///< an option that OpenCL C has not, or whose value is missing
    failure,          ///< the log says why
};

/// A source and what clCompileProgram takes with it.
struct opencl_source {
    source_text source;                ///< all strings of the program, one after another
    std::vector<source_text> headers;  ///< by the names that #include has
    /// As one string: -D, -I, -w, -Werror, -cl-..., as clang takes them. A value may stand in
    /// quotation marks.
    std::string options;
};

struct opencl_module {
    build_status status = build_status::failure;
    std::string log;
    std::string ir;  ///< LLVM IR as text; with success
    /// Files outside of memory that the source has included.
    std::vector<std::string> dependencies;
};

struct opencl_program {
    build_status status = build_status::failure;
    std::string log;
    std::vector<std::uint8_t> image;  ///< for image::load; with success
};

/// One step of compilation. `how`: optimization, double_precision and the tools count.
opencl_module compile_opencl(const opencl_source& what, const compile_options& how);

/// Links modules, of which at least one has a kernel, to a program for how.place. `name` stands for
/// it in messages.
opencl_program link_opencl(const std::vector<std::string>& modules, const std::string& name,
                           const compile_options& how);

/// Both.
opencl_program build_opencl(const opencl_source& what, const compile_options& how);

/// The words of an option string; nothing if a quotation mark is not closed.
std::optional<std::vector<std::string>> option_words(std::string_view options);

}  // namespace heddle::program
