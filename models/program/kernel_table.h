// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/program/kernel.h"

namespace heddle::program {

/// One kernel as the section `.heddle.kernels` tells it.
struct kernel_entry {
    std::string name;
    std::uint32_t parameter_bytes = 0;
    std::vector<kernel_parameter> parameters;
    std::optional<dim3> required_block;
    std::optional<std::uint32_t> most_threads;
};

/// Symbol of a kernel's entry stub: "__heddle_entry_" + name.
std::string entry_symbol(std::string_view kernel_name);

/// Text of the section for some kernels. One line a kernel, `kernel NAME BYTES`, and `block X Y Z`
/// if it may be launched with that block only, `threads N` if with so many threads in a block at
/// most; then one line a parameter, `parameter KIND OFFSET SIZE NAME TYPE`; TYPE goes to the end of
/// the line. KIND of an integer with negative values is
/// `signed`. What is known of an aggregate, or of what a pointer points to, follows as `layout
/// SIZE` and a line a field, `field KIND OFFSET SIZE COUNT NAME`; the NAME of a plain number is
/// empty. Of OpenCL C `opencl SPACE ACCESS COUNT QUALIFIER... TYPE` follows, and `base TYPE`.
std::string format_kernel_table(const std::vector<kernel_entry>& kernels);

/// Reads the section. Throws configuration_error naming `file` and the line that is not as above,
/// or a parameter that lies outside the parameter buffer.
std::vector<kernel_entry> parse_kernel_table(std::string_view text, const std::string& file);

}  // namespace heddle::program
