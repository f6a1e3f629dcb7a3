// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/run/device_run.h"
#include "command/run/progress_line.h"
#include "models/base/attention.h"
#include "models/iss/simulator.h"
#include "models/iss/statistics.h"

namespace heddle::command {

device_run run_functional(const gpu_configuration& configuration, const host_program& program,
                          std::optional<bool> show_progress) {
    progress_line line(show_progress);
    iss::functional_simulator simulator(configuration.machine, [&] {
        if (!attention::raised()) return false;
        if (attention::take(attention::progress)) {
            line.show({simulator.blocks_launched(), simulator.blocks_done(), simulator.executed(),
                       std::nullopt});
        }
        return attention::interrupted();
    });
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
