// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/command/device_run.h"
#include "hw/command/interrupt.h"
#include "models/iss/simulator.h"
#include "models/iss/statistics.h"

namespace heddle::command {

device_run run_functional(const gpu_configuration& configuration, const host_program& program) {
    iss::functional_simulator simulator(configuration.machine, interrupted);
    device_run result;
    try {
        program(simulator);
    } catch (const run_error& error) {
        if (error.kind() == error_kind::configuration) throw;
        result.failure = error;
    }
    iss::collect(simulator, result.values);
    result.warp_instructions = simulator.total().warp_instructions;
    result.thread_instructions = simulator.total().thread_instructions;
    result.host_seconds = simulator.host_seconds();
    return result;
}

}  // namespace heddle::command
