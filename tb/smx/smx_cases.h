// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <vector>

#include "tb/smx/smx_bench.h"

namespace heddle {

/// One launch, or a few that belong together.
struct smx_case {
    const char* name;
    host_script script;
};

/// Everything that the testbench's program (kernels/smx_tb.elf) can be asked for: arithmetic,
/// divergence, calls, recursion, barriers, atomics, private arrays, shared memory, fences.
/// Kernels of different cases go to different streams.
std::vector<smx_case> smx_cases();

/// Cases that never end.
std::vector<smx_case> failing_smx_cases();

/// The script of several cases, each in a stream of its own: their blocks share the SMX.
host_script together(std::vector<smx_case> cases);

}  // namespace heddle
