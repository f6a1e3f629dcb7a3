// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <functional>
#include <vector>

#include "models/program/control_flow.h"

namespace heddle::program {

/// What a thread may still come to.
struct collective_reach {
    std::vector<bool> meets;    ///< whether in the block, or in what it calls; one element a block
    std::vector<bool> block;    ///< whether from the block's start
    bool after_return = false;  ///< whether after the function's return, by any caller
};

/// Finds for each function from where threads may come to an instruction that `is_collective`
/// accepts, in the function itself, in a function that it calls, or after its return. A call
/// through a pointer may go to any function.
/// Cost: O(blocks × depth of the call graph).
std::vector<collective_reach> find_collective_reach(
    const code_text& text, const std::vector<function_graph>& graphs,
    const std::function<bool(const isa::instruction&)>& is_collective);

}  // namespace heddle::program
