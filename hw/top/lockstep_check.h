// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <memory>
#include <vector>

#include "hw/host/device_observer.h"
#include "hw/smx/execute/execution_observer.h"
#include "models/iss/lockstep.h"

namespace heddle {

class simulation;
class timed_device;
struct gpu_configuration;

/// Binds the functional simulator in step (iss::lockstep) to a machine: `--check`. What it finds is
/// an error of the run, which stops at the next edge.
class lockstep_check final : private device_observer, private launch_observer {
public:
    /// With the netlist built, before the run; observes the device and its launches from now on.
    /// The simulation outlives the check, which outlives the run.
    lockstep_check(simulation& simulated, const gpu_configuration& configuration);
    ~lockstep_check() override;

    /// For one SMX; valid as long as the check.
    [[nodiscard]] execution_observer& observer(std::size_t smx) noexcept;
    [[nodiscard]] const iss::lockstep_counts& counts() const noexcept {
        return simulator_->counts();
    }

private:
    class smx_observer;

    void wrote(device_address to, const void* from, std::size_t bytes) override;
    void launched(const prepared_launch& launch) override;
    void settled() override;

    timed_device& device_;
    std::unique_ptr<iss::lockstep> simulator_;
    std::vector<std::unique_ptr<smx_observer>> observers_;
};

}  // namespace heddle
