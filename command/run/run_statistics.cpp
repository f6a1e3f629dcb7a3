// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/run/run_statistics.h"

#include "command/run/host_statistics.h"

namespace heddle::command {

void collect_run(device_run& run, bool ended) {
    run.values.declare("run", run_statistics);
    run.values.set("run.completed", ended && !run.failure ? 1U : 0U);
    run.values.set("run.skipped_launches", run.skipped_launches);
    run.values.set("run.skipped_warp_instructions", run.skipped_warp_instructions);
    collect_host(run.values, run.host_seconds, run.warp_instructions, run.cycles);
}

}  // namespace heddle::command
