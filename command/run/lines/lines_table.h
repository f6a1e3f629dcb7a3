// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <string>

#include "hw/smx/pipeline/code_profile.h"

namespace heddle::command {

/// The table of `--show lines`: the lines of source that lost most cycles, all other lines as one,
/// and what belongs to no line. The cycles add up to those of the CPI stack.
[[nodiscard]] std::string lines_table(const code_costs& costs);
/// The same by instruction, for `--show pcs`.
[[nodiscard]] std::string pcs_table(const code_costs& costs);

}  // namespace heddle::command
