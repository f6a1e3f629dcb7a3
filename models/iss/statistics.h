// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "models/base/statistics.h"
#include "models/iss/simulator.h"

namespace heddle::iss {

/// What is counted of the whole GPU (scope "gpu") and of all launches of one kernel
/// ("kernel.NAME").
inline constexpr statistic_declaration execution_statistics[] = {
    {"warp_instructions", "instruction", "Instructions executed by warps"},
    {"thread_instructions", "instruction", "Instructions executed by threads (active lanes)"},
    {"warp_activity", "", "Mean active lanes of an executed instruction / warp size"},
    {"branches", "instruction", "Conditional branches and indirect jumps executed by warps"},
    {"divergent_branches", "instruction", "Branches that split the active lanes of a warp"},
    {"memory_instructions", "instruction", "Loads, stores and atomics executed by warps"},
    {"barriers", "instruction", "Block barriers executed by warps"},
};

/// What is counted of a kernel beside that, scope "kernel.NAME".
inline constexpr statistic_declaration launch_statistics[] = {
    {"launches", "launch", "Launches of the kernel"},
    {"blocks", "block", "Thread blocks that ended"},
};

/// Declares and sets these tables from what a simulator has counted.
void collect(const functional_simulator& simulator, statistics& into);

}  // namespace heddle::iss
