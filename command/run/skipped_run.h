// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <optional>

#include "command/run/device_run.h"
#include "hw/top/skipped_launches.h"

namespace heddle {
class simulation;
}  // namespace heddle

namespace heddle::command {

/// `--skip-kernels N` of a timed run: its first N launches take no time.
class skipped_run {
public:
    /// With the netlist built; both outlive the object.
    skipped_run(std::uint64_t launches, const gpu_configuration& configuration,
                simulation& simulated);

    /// After the run: sets what was skipped. Throws configuration_error if a run that ended well
    /// has nothing left that was timed.
    void finish(device_run& result) const;

private:
    std::uint64_t asked_;
    const simulation& simulated_;
    std::optional<skipped_launches> launches_;
};

}  // namespace heddle::command
