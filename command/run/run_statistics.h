// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "command/run/device_run.h"
#include "models/base/statistics.h"

namespace heddle::command {

/// Scope "run".
inline constexpr statistic_declaration run_statistics[] = {
    {"completed", "",
     "1: the run ended; 0: the run ended early, and all other statistics cover a part of it"},
    {"skipped_launches", "launch",
     "First launches that ran without time (--skip-kernels); no other statistic covers them"},
    {"skipped_warp_instructions", "instruction",
     "Instructions executed by warps in the launches that ran without time (--skip-kernels)"},
};

/// Completes the statistics of a run with those of scopes "run" and "host". `ended`: it does not go
/// on.
void collect_run(device_run& run, bool ended);

}  // namespace heddle::command
