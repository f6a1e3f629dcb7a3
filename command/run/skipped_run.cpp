// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/run/skipped_run.h"

#include <fmt/format.h>

#include "hw/top/gpu.h"
#include "hw/top/simulation.h"
#include "models/base/attention.h"

namespace heddle::command {

skipped_run::skipped_run(std::uint64_t launches, const gpu_configuration& configuration,
                         simulation& simulated)
    : asked_(launches), simulated_(simulated) {
    if (launches == 0) return;
    timed_device& device = simulated.machine().device();
    launches_.emplace(configuration.machine, device, attention::interrupted);
    device.skip_launches(launches, *launches_);
}

void skipped_run::finish(device_run& result) const {
    if (!launches_) return;
    const std::uint64_t skipped = simulated_.machine().device().skipped_launches();
    const bool timed = simulated_.machine().host_processor().submitted() != 0;
    if (!timed && !result.failure) {
        throw configuration_error(fmt::format(
            "--skip-kernels {}: the run has only {} launches, so that nothing is timed; legal: 0 "
            "to {}",
            asked_, skipped, skipped - (skipped != 0 ? 1 : 0)));
    }
    result.skipped_launches = skipped;
    result.skipped_warp_instructions = launches_->warp_instructions();
    result.rows.push_back({"skipped launches", std::to_string(skipped), ""});
}

}  // namespace heddle::command
