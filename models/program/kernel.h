// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/base/dim3.h"
#include "models/isa/instruction.h"
#include "models/program/value_layout.h"

namespace heddle::program {

/// `kernel_code::reconvergence` of an instruction that is neither a conditional branch nor an
/// indirect jump (jump table, indirect tail call).
inline constexpr std::uint32_t no_branch = 0xffffffffu;
/// `kernel_code::reconvergence` of a branch that is post-dominated only by its function's exit: it
/// reconverges where the nearest call returns to (contracts.md, "Calls under PDOM").
inline constexpr std::uint32_t function_exit = 0xfffffffeu;

/// Bits of `kernel_code::flags`.
enum code_flag : std::uint8_t {
    reconvergence_point = 1,  ///< some branch reconverges here
    block_start = 2,          ///< first instruction of a basic block
    function_start = 4,       ///< first instruction of a function
    constant_load = 8,        ///< load that reads constants (constant_loads.h)
    soft_double = 16,         ///< of a function that computes in double precision (soft_double.h)
};

/// The program as one kernel sees it: all the code of the image, predecoded, with shared-memory
/// addresses rebased to this kernel's own layout. The three vectors have one element an
/// instruction word from `base` on; bytes that are no code decode to `opcode::illegal`.
struct kernel_code {
    std::uint32_t base = 0;  ///< PC of element 0; a multiple of 4
    std::vector<isa::instruction> instructions;
    /// Immediate post-dominator's PC of a conditional branch or indirect jump, function_exit, or
    /// no_branch for every other instruction.
    std::vector<std::uint32_t> reconvergence;
    std::vector<std::uint8_t> flags;  ///< code_flag bits

    /// Whether pc is the address of an instruction of the image.
    [[nodiscard]] bool contains(std::uint32_t pc) const noexcept {
        return pc >= base && (pc - base) / 4 < instructions.size() && pc % 4 == 0;
    }
    /// Element of pc. Precondition: contains(pc).
    [[nodiscard]] std::size_t index(std::uint32_t pc) const noexcept { return (pc - base) / 4; }
    [[nodiscard]] const isa::instruction& at(std::uint32_t pc) const noexcept {
        return instructions[index(pc)];
    }
};

/// What OpenCL C says of a parameter, in the words of clang (clGetKernelArgInfo).
struct opencl_parameter {
    /// Numbers of the IR's address spaces.
    enum class space : std::uint8_t { private_memory, global, constant, local };

    space where = space::private_memory;  ///< what a pointer points to, or an image lies in
    std::string access = "none";          ///< of an image: "read_only", "write_only"
    std::string qualifiers;               ///< "restrict const"; "" for none
    std::string type;                     ///< "float*"
    std::string base_type;                ///< without the program's typedefs
};

/// One parameter of a kernel, as it lies in the parameter buffer (C's natural alignment).
struct kernel_parameter {
    enum class kind : std::uint8_t {
        integer,        ///< integer, boolean or enumeration
        floating,       ///< float or double
        pointer,        ///< 32-bit device address
        aggregate,      ///< structure, passed by value
        local_pointer,  ///< OpenCL __local pointer: the host gives the bytes, not a value
    };
    std::string name;
    std::string type;  ///< as written in the source, "const float *"
    kind what = kind::integer;
    std::uint32_t offset = 0;  ///< bytes from the start of the parameter buffer
    std::uint32_t size = 0;    ///< bytes
    bool is_signed = false;    ///< an integer that has negative values
    /// Of an aggregate itself, of what a pointer points to; size 0 for others, and for programs of
    /// a Heddle that did not write it down.
    value_layout layout;
    std::optional<opencl_parameter> opencl;
};

/// One kernel of an image.
struct kernel {
    std::string name;
    /// First PC of a thread: the generated stub, which loads the arguments from the parameter
    /// buffer at a0, calls the function and executes `exit`.
    std::uint32_t entry = 0;
    std::uint32_t function = 0;  ///< address of the kernel function itself
    std::vector<kernel_parameter> parameters;
    std::uint32_t parameter_bytes = 0;  ///< size of the parameter buffer
    /// Registers charged per thread: 1 + the highest register number used in the call graph, stub
    /// included. With an indirect call: also of the functions whose address is taken.
    unsigned registers = 0;
    std::uint32_t static_shared_bytes = 0;  ///< laid out from the shared window's base
    /// Stack bytes per thread over the deepest call path, stub included; none with recursion, an
    /// indirect call, or a frame whose size is not constant.
    std::optional<std::uint32_t> stack_bytes;
    /// The only block that it may be launched with (OpenCL's reqd_work_group_size); none: any.
    std::optional<dim3> required_block;
    /// Threads of the largest block that it may be launched with (CUDA's __launch_bounds__).
    std::optional<std::uint32_t> most_threads;
    bool soft_double = false;       ///< it may reach an instruction with that flag
    bool calls_indirectly = false;  ///< some callee is known at run time only (pointer, fork)
    /// First instructions that it may reach of these kinds; none: it reaches none.
    std::optional<std::uint32_t> exchange_pc;     ///< vote or shuffle
    std::optional<std::uint32_t> launch_pc;       ///< launch by a kernel
    std::optional<std::uint32_t> transaction_pc;  ///< tx.begin or tx.commit
    kernel_code code;
};

}  // namespace heddle::program
