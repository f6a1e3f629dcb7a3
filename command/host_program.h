// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "models/workloads/workload.h"

namespace heddle::command {

/// main() of a host program outside of Heddle: runs `own` as `heddle run` runs a workload of the
/// registry, with the same options (configuration, statistics, waveforms, checks, report, ...), the
/// same summary and the same exit codes (docs/errors.md). The command line has no word for what is
/// run; --help shows the options of `own`, too. `own.device_program` names the compiled kernels.
///
/// Returns what main() returns. Call it once in a process, as SystemC simulates once.
int run_host_program(int argc, char** argv, const workloads::workload& own);

}  // namespace heddle::command
