// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <functional>
#include <string>

#include "command/run/device_run.h"

namespace heddle::command::gdb {

/// How a run is debugged.
struct debug_request {
    unsigned port = 0;  ///< 0: any
    bool functional = false;
    /// Told when a debugger may come, and to which port.
    std::function<void(unsigned port)> ready;
    /// Whether to stop waiting for one; may be empty.
    std::function<bool()> give_up;
    /// Told when the debugger has gone, or does not come; may be empty.
    std::function<void()> gone;
};

/// Runs a program for a debugger, as run_timed() and run_functional() do without. `program` is
/// called once for each run that the debugger takes, and each time does the same. Without a
/// debugger, once it has gone, the run goes on. Throws configuration_error for a port that can't be
/// had, or a machine that can't be debugged.
device_run run_debugged(const gpu_configuration& configuration, const timed_options& options,
                        const debug_request& request, const host_program& program);

}  // namespace heddle::command::gdb
