// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <map>
#include <string>
#include <vector>

#include "models/program/elf_file.h"
#include "models/program/kernel_table.h"

namespace heddle::program {

/// One parameter as the entry stub needs it.
struct stub_parameter {
    std::string c_type;    ///< a C type that the calling convention treats alike
    std::string c_suffix;  ///< attributes that follow the type in a typedef
    std::uint32_t alignment = 1;
    bool is_record = false;      ///< a struct or a union
    bool by_pointer = false;     ///< the kernel takes the address of a copy, whatever its size
    std::uint32_t elements = 0;  ///< of a vector that the kernel takes in as many; 0: takes a value
};

/// A kernel's signature, from its debug information.
struct kernel_signature {
    kernel_entry entry;
    std::vector<stub_parameter> stub;
};

/// By name of an OpenCL kernel: what only the IR tells of its parameters.
using opencl_parameters = std::map<std::string, std::vector<opencl_parameter>>;

/// By kernel name: OpenCL's reqd_work_group_size, which only the IR tells.
using required_blocks = std::map<std::string, dim3>;

/// By kernel name: CUDA's __launch_bounds__, which the plug-in writes into a section
/// (pass/kernel_limits.h).
using launch_bounds = std::map<std::string, std::uint32_t>;

/// Functions in section `.text.kernel` of a linked file: address by name.
std::map<std::string, std::uint32_t> kernel_functions(const elf_file& file);

/// Reads the signatures of the named kernels from a linked file's DWARF and lays the parameters
/// out (C's natural alignment). Throws configuration_error naming the kernel: not void, variadic,
/// a parameter that can't be copied bytewise (but if the host has its copy constructor, as in
/// CUDA), no debug information.
std::vector<kernel_signature> read_signatures(const elf_file& file,
                                              const std::map<std::string, std::uint32_t>& kernels,
                                              const opencl_parameters& opencl,
                                              bool host_copies = false);

/// C source of the entry stubs and the `.heddle.kernels` section of some kernels. A stub inlines
/// its kernel where the compiler has both. A call would save a return address on the stack of each
/// thread, and would pass the parameters beyond a7 there.
std::string stub_source(const std::vector<kernel_signature>& kernels);

/// Reads `!kernel_arg_addr_space`, `!kernel_arg_type` and the like of the kernels in an LLVM IR
/// text.
opencl_parameters read_opencl_parameters(const std::string& ir);
/// Reads `!reqd_work_group_size` likewise.
required_blocks read_required_blocks(const std::string& ir);
launch_bounds read_launch_bounds(const elf_file& file);

}  // namespace heddle::program
