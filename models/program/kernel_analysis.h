// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <map>
#include <set>
#include <vector>

#include "models/program/kernel.h"
#include "models/program/reconvergence.h"
#include "models/program/references.h"

namespace heddle::program {

/// What all kernels of a program share.
struct program_model {
    code_text text;
    std::vector<function_range> functions;  ///< by ascending start
    std::vector<function_graph> graphs;     ///< the same order
    references refs;
    reconvergence_table reconvergence;
    std::map<std::uint32_t, std::uint32_t> frame_bytes;  ///< .stack_sizes: function start → bytes
    std::set<std::uint32_t> kernel_functions;            ///< starts of `__global__` functions
    std::vector<bool> constant_loads;                    ///< by instruction (constant_loads.h)
};

/// Completes a kernel whose name, parameters, entry and function are set: registers, stack,
/// shared memory, and its own view of the code.
void analyse_kernel(const program_model& program, kernel& kernel);

/// Stack bytes of one function's frame: from `.stack_sizes` when it has an entry, else from the
/// changes of sp in its code; none when sp changes by anything but constants.
std::optional<std::uint32_t> frame_size(const program_model& program,
                                        const function_graph& function);

/// Highest register that the function names, plus 1.
unsigned registers_used(const code_text& text, const function_range& function);

}  // namespace heddle::program
