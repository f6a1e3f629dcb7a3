// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <memory>
#include <vector>

#include "hw/command/device_run.h"
#include "hw/top/retire_file.h"
#include "hw/top/simulation.h"

namespace heddle::command {

/// What follows the execution of a timed run: `--retire`.
class followed_run {
public:
    /// Before the netlist is built: throws configuration_error if a file can't be written.
    explicit followed_run(const follow_options& options);

    /// With the netlist built, before the run.
    void attach(simulation& simulated, const gpu_configuration& configuration);
    /// After the run, well or not: completes the file.
    void finish();

private:
    std::unique_ptr<retire_file> retired_;
};

}  // namespace heddle::command
