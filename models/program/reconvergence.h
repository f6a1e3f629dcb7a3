// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <vector>

#include "models/program/control_flow.h"

namespace heddle::program {

/// What a kernel's code view needs of control flow, one element an instruction (see kernel_code).
struct reconvergence_table {
    std::vector<std::uint32_t> target;
    std::vector<std::uint8_t> flags;
};

/// Where the threads that part at each conditional branch meet again: at its immediate
/// post-dominator (Fung et al., PDOM), with one rule more.
///
/// A thread that can't come to a barrier any more is not waited for: it runs to its end before
/// the others go on. So ways that lead away from every barrier don't count at a branch that can
/// also go on towards one (`if (i >= n) return;`, then `__syncthreads()`). The calls of cooperative
/// kernels are barriers here. Where only votes and shuffles are ahead, the rule holds for ways past
/// them from the arm of a branch. docs/contracts.md tells why.
reconvergence_table find_reconvergence(const code_text& text,
                                       const std::vector<function_graph>& graphs);

}  // namespace heddle::program
