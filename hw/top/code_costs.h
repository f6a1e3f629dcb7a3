// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "hw/smx/pipeline/code_profile.h"

namespace heddle {

class gpu;

/// What the instructions of the program have cost on all SMXs up to now, if
/// gpu_options::code_profile was set. The cycles of all instructions, and of none, are
/// gpu.issue_slots.* by cause: cycles without an open launch are left out.
[[nodiscard]] code_costs collect_code_costs(const gpu& machine);

}  // namespace heddle
