// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <vector>

#include "hw/smx/pipeline/code_profile.h"

namespace heddle {

class gpu;

/// What the instructions of a run's programs have cost on all SMXs. The cycles of all instructions,
/// and of none, are gpu.issue_slots.* by cause: cycles without an open launch are left out.
struct code_costs {
    std::vector<program_costs> programs;  ///< in the order of their first use
    instruction_cost elsewhere;           ///< cycles that belong to no instruction
};

/// Up to now. Nothing has been collected unless gpu_options::code_profile was set.
[[nodiscard]] code_costs collect_code_costs(const gpu& machine);

}  // namespace heddle
